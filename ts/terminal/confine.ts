import { checkedOptions, list, oneOf, textValue } from '../config/validate.js';
import { MAX_LIST_ENTRIES } from './limits.js';

/**
 * Something the machine can be asked to enforce, see `TerminalOptions.require`.
 *
 * | guarantee | what the kernel sees to |
 * | --- | --- |
 * | `kill` | everything of a run ends at once, whatever it does |
 * | `signals` | a command reaches no process outside of its run with a signal |
 * | `environ` | a command reads no environment, memory or descriptor of a process outside of its run |
 * | `host` | a command sets no limits, priorities and processors of other processes, makes no call that changes the machine, and writes nothing below `/proc` and `/sys` |
 * | `writes` | a command writes only where `confine.writes` says |
 * | `exec` | a command starts only programs that `confine.exec` lets it start |
 * | `network` | a command neither calls nor listens, with `confine.network: 'none'` |
 * | `remove` | files do not vanish, with `confine.remove: 'no'` |
 */
export type Guarantee = 'writes' | 'exec' | 'network' | 'remove' | 'signals' | 'environ' | 'host' | 'kill';

/**
 * What the kernel holds every command to, whatever the command is. It follows from the lists and the
 * roots; an option given here takes the place of what follows.
 */
export interface ConfineOptions {
  /**
   * Where files are written. `'roots'`: beneath the roots of mode `'rw'`, in the private home and
   * temporary folder, to a private `/dev/shm`, null devices and terminals of their own. `'none'`: the same without the roots. `'any'`:
   * everywhere but below `/proc` and `/sys`, and not in `/` itself.
   * Default: `'roots'` where roots are given, else `'any'`.
   */
  readonly writes?: 'roots' | 'none' | 'any' | undefined;
  /**
   * Which programs are executed. `'listed'`: those of `allow`, the interpreters of listed scripts, and
   * the parts some programs consist of, such as git's own commands or the passes of a compiler; nothing
   * that lies where commands can write. `'any'`: every program. What `approve` said yes to may start any.
   * Default: `'listed'` where `allow` is given and names none of `trustInterpreters`, else `'any'`.
   */
  readonly exec?: 'listed' | 'any' | undefined;
  /**
   * What is reached. `'none'`: no address, not even this machine's own, and no socket of another process.
   * `'any'`: everything. Default: `'any'`.
   */
  readonly network?: 'none' | 'any' | undefined;
  /**
   * Whether files outside of the private folders vanish. `'no'`: they are neither removed nor moved, but
   * by `rewriters` and by what `approve` said yes to. `'no-truncate'`: nor emptied. `'yes'`: they may.
   * Default: `'no'` where there is no `allow` and `deny` names a program that removes files, such as
   * `rm`; else `'yes'`.
   */
  readonly remove?: 'yes' | 'no' | 'no-truncate' | undefined;
  /**
   * Programs that may remove and replace files all the same, in commands that consist of them alone.
   * Up to 1,000. Default: `git`, `npm`, `pnpm`, `yarn`, `cargo`.
   */
  readonly rewriters?: readonly string[] | undefined;
}

/** A `confine` that was checked. Undefined: the value follows from the lists and the roots. */
export type CheckedConfine = Required<ConfineOptions>;

/** The guarantees, as `require` takes them. */
export const GUARANTEES: readonly Guarantee[] = [
  'writes',
  'exec',
  'network',
  'remove',
  'signals',
  'environ',
  'host',
  'kill',
];

/** The values of the options of `confine` that have names. */
export const CONFINE_CHOICES = {
  writes: ['roots', 'none', 'any'],
  exec: ['listed', 'any'],
  network: ['none', 'any'],
  remove: ['yes', 'no', 'no-truncate'],
} as const;

const CHECKS = {
  writes: oneOf(CONFINE_CHOICES.writes),
  exec: oneOf(CONFINE_CHOICES.exec),
  network: oneOf(CONFINE_CHOICES.network),
  remove: oneOf(CONFINE_CHOICES.remove),
  rewriters: list(MAX_LIST_ENTRIES, textValue),
};

/** Checks the `confine` of a terminal, a session or a server. */
export function confineOption(value: unknown = {}, name = 'confine'): CheckedConfine {
  return checkedOptions(value, name, CHECKS);
}
