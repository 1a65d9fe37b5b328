import type { CheckedConfine, ConfineOptions } from '../terminal/confine.js';
import { mergedLimits } from '../terminal/limit-options.js';

/** Who decided that a program may start: the host, a person who was asked, or the lists of the policy. */
export type Warrant = 'host' | 'approval' | 'policy';

/** The confinement of a session that the host opens: writes as for commands, and any program. */
export function sessionPlan(given: CheckedConfine, owner: ConfineOptions): ConfineOptions {
  return withoutUndefined({
    writes: given.writes ?? owner.writes,
    exec: given.exec ?? 'any',
    network: given.network ?? owner.network,
    remove: given.remove ?? owner.remove ?? 'yes',
    rewriters: given.rewriters ?? owner.rewriters,
    limits: mergedLimits(given.limits, owner.limits),
  });
}

/** The confinement of a service that the host starts: unlimited unless the host limits it, but for how much it may use. */
export function servicePlan(given: Partial<CheckedConfine>): ConfineOptions {
  return withoutUndefined({
    writes: given.writes ?? 'any',
    exec: given.exec ?? 'any',
    network: given.network ?? 'any',
    remove: given.remove ?? 'yes',
    rewriters: given.rewriters,
    limits: given.limits,
  });
}

/** Leaves out the keys without a value. */
function withoutUndefined(
  plan: { readonly [Key in keyof ConfineOptions]: ConfineOptions[Key] | undefined },
): ConfineOptions {
  return Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined));
}
