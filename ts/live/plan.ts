import type { CheckedConfine, ConfineOptions } from '../terminal/confine.js';

/** On whose word a program is started: the host's, somebody's who was asked, or that of the lists. */
export type Warrant = 'host' | 'approval' | 'policy';

/** What the kernel holds a session to that the host opens: places as for commands, and every program. */
export function sessionPlan(given: CheckedConfine, owner: ConfineOptions): ConfineOptions {
  return known({
    writes: given.writes ?? owner.writes,
    exec: given.exec ?? 'any',
    network: given.network ?? owner.network,
    remove: given.remove ?? owner.remove ?? 'yes',
    rewriters: given.rewriters ?? owner.rewriters,
  });
}

/** What it holds a service to: a program of the host's with folders of its own. */
export function servicePlan(given: Partial<CheckedConfine>): ConfineOptions {
  return known({
    writes: given.writes ?? 'any',
    exec: given.exec ?? 'any',
    network: given.network ?? 'any',
    remove: given.remove ?? 'yes',
    rewriters: given.rewriters,
  });
}

/** Without what is undefined. */
function known(plan: { readonly [Key in keyof ConfineOptions]: ConfineOptions[Key] | undefined }): ConfineOptions {
  return Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined));
}
