import type { CheckedConfine, ConfineOptions } from '../terminal/confine.js';

/** Who decided that a program may start: the host, a person who was asked, or the lists of the policy. */
export type Warrant = 'host' | 'approval' | 'policy';

/** The confinement of a session that the host opens: writes as for commands, any program, and all files. */
export function sessionPlan(given: CheckedConfine, owner: ConfineOptions): ConfineOptions {
  return withoutUndefined({
    writes: given.writes ?? owner.writes,
    exec: given.exec ?? 'any',
    network: given.network ?? owner.network,
    remove: given.remove ?? owner.remove ?? 'yes',
    rewriters: given.rewriters ?? owner.rewriters,
    reads: given.reads ?? 'any',
    readable: given.readable,
    unreadable: given.unreadable,
  });
}

/** The confinement of a service that the host starts: unlimited unless the host limits it. */
export function servicePlan(given: Partial<CheckedConfine>): ConfineOptions {
  return withoutUndefined({
    writes: given.writes ?? 'any',
    exec: given.exec ?? 'any',
    network: given.network ?? 'any',
    remove: given.remove ?? 'yes',
    rewriters: given.rewriters,
    reads: given.reads ?? 'any',
    readable: given.readable,
    unreadable: given.unreadable,
  });
}

/** Leaves out the keys without a value. */
function withoutUndefined(
  plan: { readonly [Key in keyof ConfineOptions]: ConfineOptions[Key] | undefined },
): ConfineOptions {
  return Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined));
}
