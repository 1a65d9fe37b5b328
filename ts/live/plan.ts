import { HandrailError } from '../errors.js';
import type { CheckedConfine, ConfineOptions, NetworkOption } from '../terminal/confine.js';
import { mergedLimits } from '../terminal/limit-options.js';
import { hasWayOut, isSameNetwork } from '../terminal/way-out.js';

/** Who decided that a program may start: the host, a person who was asked, or the lists of the policy. */
export type Warrant = 'host' | 'approval' | 'policy';

/** The confinement of a session that the host opens: writes as for commands, any program, and all files. */
export function sessionPlan(given: CheckedConfine, owner: ConfineOptions): ConfineOptions {
  return withoutUndefined({
    writes: given.writes ?? owner.writes,
    exec: given.exec ?? 'any',
    network: liveNetwork(given.network, owner) ?? owner.network,
    remove: given.remove ?? owner.remove ?? 'yes',
    rewriters: given.rewriters ?? owner.rewriters,
    reads: given.reads ?? 'any',
    readable: given.readable,
    unreadable: given.unreadable,
    limits: mergedLimits(given.limits, owner.limits),
  });
}

/** The confinement of a service that the host starts: unlimited unless the host limits it, but for how much it may use. */
export function servicePlan(given: Partial<CheckedConfine>, owner: ConfineOptions): ConfineOptions {
  return withoutUndefined({
    writes: given.writes ?? 'any',
    exec: given.exec ?? 'any',
    network: liveNetwork(given.network, owner) ?? 'any',
    remove: given.remove ?? 'yes',
    rewriters: given.rewriters,
    reads: given.reads ?? 'any',
    readable: given.readable,
    unreadable: given.unreadable,
    limits: given.limits,
  });
}

/**
 * Checks the network of a session or a service. There is one network namespace with one way out for all programs of an
 * owner, so a program has that network, another machine-wide choice, or none.
 */
function liveNetwork(given: NetworkOption | undefined, owner: ConfineOptions): NetworkOption | undefined {
  const isShared = given === 'loopback' && !hasWayOut(owner.network);
  if (given === undefined || given === 'none' || given === 'any' || isShared || isSameNetwork(given, owner.network)) {
    return given;
  }
  throw new HandrailError(
    'ERR_INVALID_ARGUMENT',
    "Expected `confine.network` of one program to be 'none', 'any' or that of its toolkit, whose network it shares",
    { data: { name: 'confine.network' } },
  );
}

/** Leaves out the keys without a value. */
function withoutUndefined(
  plan: { readonly [Key in keyof ConfineOptions]: ConfineOptions[Key] | undefined },
): ConfineOptions {
  return Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined));
}
