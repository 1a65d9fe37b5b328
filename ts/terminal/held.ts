import type { NativePlan } from '../native/binding.js';

/** What commands reach under a plan that holds them to less than everything. */
const REACHED: Readonly<Record<NativePlan['network'], string | undefined>> = {
  none: 'have no network (`confine.network`)',
  loopback: 'have only a loopback of their own (`confine.network`)',
  allow: 'reach no host that `confine.network.allow` does not name',
  any: undefined,
};

/** What the kernel goes on to hold commands to when the lists let more of them run. Undefined: nothing that matters to them. */
export function heldText(plan: NativePlan | undefined): string | undefined {
  if (plan === undefined) return undefined;
  const limits = [REACHED[plan.network], writeLimit(plan)].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : `Even so, commands ${limits.join(', and ')}.`;
}

function writeLimit({ writes, writable }: NativePlan): string | undefined {
  if (writes === 'none') return 'write beneath $TMPDIR alone (`confine.writes`)';
  const isClosed = writes === 'roots' && writable.length === 0;
  return isClosed ? 'write beneath $TMPDIR alone (`roots`)' : undefined;
}
