import type { NativePlan } from '../native/binding.js';

/** What commands reach under a plan that holds them to less than everything. */
const REACHED: Readonly<Record<NativePlan['network'], string | undefined>> = {
  none: 'have no network (`confine.network`)',
  loopback: 'have only a loopback of their own (`confine.network`)',
  allow: 'reach no host that `confine.network.allow` does not name',
  any: undefined,
};

/** Programs that change the system: they write outside of every root, as its administrator. */
const SYSTEM_PROGRAMS: ReadonlySet<string> = new Set([
  ...['apt', 'apt-get', 'aptitude', 'dpkg', 'snap', 'yum', 'dnf', 'rpm', 'zypper', 'apk', 'pacman', 'brew', 'port'],
  ...['systemctl', 'service', 'useradd', 'usermod', 'groupadd', 'passwd', 'update-alternatives', 'ldconfig', 'sysctl'],
  ...['mount', 'umount', 'modprobe', 'sudo', 'su', 'doas', 'crontab', 'chown', 'loginctl', 'update-ca-certificates'],
]);

/**
 * What the kernel goes on to hold commands to when the lists let more of them run. Undefined: nothing that matters to them.
 *
 * @param programs The programs that the lists are to let run.
 */
export function heldText(plan: NativePlan | undefined, programs: readonly string[] = []): string | undefined {
  if (plan === undefined) return undefined;
  const system = programs.find((program) => SYSTEM_PROGRAMS.has(program));
  const writes = (system === undefined ? undefined : systemLimit(plan, system)) ?? writeLimit(plan);
  const limits = [REACHED[plan.network], writes].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : `Even so, commands ${limits.join(', and ')}.`;
}

/** What keeps a program from changing the system. */
function systemLimit({ writes }: NativePlan, program: string): string | undefined {
  const asUser = process.getuid?.() === 0 ? [] : ['run as an ordinary user'];
  const inRoots = writes === 'any' ? [] : ['write nothing of the system (`confine.writes`)'];
  const limits = [...inRoots, ...asUser];
  return limits.length === 0 ? undefined : `${limits.join(' and ')}: '${program}' needs more`;
}

function writeLimit({ writes, writable }: NativePlan): string | undefined {
  if (writes === 'none') return 'write beneath $TMPDIR alone (`confine.writes`)';
  const isClosed = writes === 'roots' && writable.length === 0;
  return isClosed ? 'write beneath $TMPDIR alone (`roots`)' : undefined;
}
