import { checkedOptions, invalidArgument, list, listOption, nameOption, oneOf, textValue } from '../config/validate.js';
import { type LimitOptions, limitOptions } from './limit-options.js';
import { MAX_ALLOWED_HOSTS, MAX_LIST_ENTRIES } from './limits.js';

/**
 * Something the machine can be asked to enforce, see `TerminalOptions.require`.
 *
 * | guarantee | what the kernel sees to |
 * | --- | --- |
 * | `kill` | everything of a run ends at once, whatever it does |
 * | `signals` | a command reaches no process outside of its run with a signal |
 * | `environ` | a command reads no environment, memory or descriptor of a process outside of its run |
 * | `host` | a command sets no limits, priorities and processors of other processes, makes no call that changes the
 * machine, and writes nothing below `/proc` and `/sys` |
 * | `writes` | a command writes only where `confine.writes` says |
 * | `exec` | a command starts only programs that `confine.exec` lets it start |
 * | `network` | a command neither calls nor listens, with `confine.network: 'none'`; with `'loopback'` only on the loopback that
 * its toolkit has for itself; with `{ allow }` it reaches the hosts of the list besides, with `'ask'` those that were
 * agreed to |
 * | `remove` | files do not vanish, with `confine.remove: 'no'` |
 * | `reads` | a command reads only what `confine.reads` lets it read |
 * | `sockets` | a command reaches no socket of this user's programs that start others: Docker, ssh-agent, D-Bus, tmux |
 * | `limits` | a command uses no more memory and no more processes than `confine.limits` says |
 */
export type Guarantee =
  | 'writes'
  | 'exec'
  | 'network'
  | 'remove'
  | 'reads'
  | 'sockets'
  | 'signals'
  | 'environ'
  | 'host'
  | 'kill'
  | 'limits';

/** The hosts that commands reach, and no others. See `docs/network.md` for what holds it and what it does not cover. */
export interface NetworkAllowList {
  /**
   * Each entry is a host name, `*.` and a name for every name below it, an IPv4 address, an IPv6 address in brackets, or
   * `localhost`; each with `:port`, or without for the ports 443 and 80. Up to 1,024. Empty: none.
   *
   * `'registries'`, alone or among the entries, stands for the hosts that packages come from: those that npm, pip, cargo
   * and go know by themselves, and those that the settings of this machine and of the project name. They are read when
   * the terminal or toolkit is made.
   */
  readonly allow: 'registries' | readonly string[];
}

/** What commands reach over the network. */
export type NetworkOption = 'none' | 'loopback' | 'ask' | 'any' | NetworkAllowList;

/**
 * What the kernel enforces on every command, whatever the command is. By default it follows from the lists and the
 * roots; each option given here replaces one of these defaults.
 */
export interface ConfineOptions {
  /**
   * Where commands write files. `'roots'`: beneath the roots of mode `'rw'`, in their private home and temporary
   * folder, in a private `/dev/shm`, to null devices and to terminals of their own. `'none'`: the same without the
   * roots. `'any'`: everywhere but below `/proc` and `/sys`, and not in `/` itself.
   * Default: `'roots'` where roots are given, else `'any'`.
   */
  readonly writes?: 'roots' | 'none' | 'any' | undefined;
  /**
   * Which programs commands execute. `'listed'`: those of `allow`, the interpreters of listed scripts, and the parts
   * that some programs consist of, such as git's own commands or the passes of a compiler; nothing that lies where
   * commands can write. `'any'`: every program. A command that `approve` agreed to may start any program.
   * Default: `'listed'` where `allow` is given and names none of `trustInterpreters`, else `'any'`.
   */
  readonly exec?: 'listed' | 'any' | undefined;
  /**
   * What commands reach over the network. `'none'`: no address, not even this machine's own, and no socket of another
   * process. `'loopback'`: a loopback of the toolkit's own, or of the stand-alone terminal's, which its runs, sessions
   * and services share with each other and with nothing else: a server of one session answers the next run. Where there
   * is no network namespace, nothing, as `'none'`. `{ allow: ['packages.example.com', 'localhost:5432'] }`: that
   * loopback, and these hosts through a proxy that the usual variables name. `{ allow: 'registries' }`: the hosts that
   * packages come from. `'ask'`: that loopback, and each host that `approve` agrees to. `'any'`: everything. Default: `'any'`, and under a preset the registries.
   */
  readonly network?: NetworkOption | undefined;
  /**
   * Whether commands remove files outside of their private folders. `'no'`: they neither remove nor move them, except
   * for `rewriters` and commands that `approve` agreed to. `'no-truncate'`: nor do they empty them. `'yes'`: they may.
   * Default: `'no'` where there is no `allow` and `deny` names a program that removes files, such as
   * `rm`; else `'yes'`.
   */
  readonly remove?: 'yes' | 'no' | 'no-truncate' | undefined;
  /**
   * Programs that may remove and replace files all the same, in commands that consist of them alone. Those that you name
   * may do so everywhere beneath the roots. Up to 1,000. Default: `git` everywhere; `npm`, `pnpm` and `yarn` in folders
   * named `node_modules`, `cargo` in those named `target`, which have to be there when the command starts.
   */
  readonly rewriters?: readonly string[] | undefined;
  /**
   * Which files commands read. `'protected'`: all but those of protected places, which are keys, logins, browsers' and
   * agents' state and histories in the home folder, the homes of other users, passwords and keys of the machine, and
   * the sockets through which others start programs (Docker, ssh-agent, D-Bus, tmux). `'roots'`: the roots, the system,
   * the tool chains that the plan uses and the private folders, without the protected places in them. `'any'`: all
   * files. A root that is a protected place, or lies in one, is read.
   * Default: `'protected'`; `'any'` for what the host itself starts (sessions, `AGTerm`, MCP servers).
   */
  readonly reads?: 'protected' | 'roots' | 'any' | undefined;
  /**
   * Files and folders that commands read all the same, and sockets that they reach: absolute, or beneath the home
   * folder with `~/`; a part of a path may have one `*`. `['/run/docker.sock']` is root on this machine.
   * Up to 1,000. Default: none.
   */
  readonly readable?: readonly string[] | undefined;
  /**
   * Further files and folders that commands do not read, with every value of `reads`: as in `readable`; a path beneath
   * the roots; or a name, such as `'.env*'`, which holds at any depth beneath them. What stands there when the plan is
   * made is covered. Up to 1,000. Default: none.
   */
  readonly unreadable?: readonly string[] | undefined;
  /** How much one run may use. Default: the defaults of `LimitOptions`, which no ordinary build meets. */
  readonly limits?: LimitOptions | undefined;
}

/** A `confine` that was checked. Undefined: the value follows from the lists and the roots. */
export type CheckedConfine = Required<ConfineOptions>;

/** The entry that stands for the hosts of package registries. */
export const REGISTRIES_ENTRY = 'registries';

/** The guarantees that `require` takes. */
export const GUARANTEES: readonly Guarantee[] = [
  'writes',
  'exec',
  'network',
  'remove',
  'reads',
  'sockets',
  'signals',
  'environ',
  'host',
  'kill',
  'limits',
];

/** The values of those options of `confine` that take one of several names. */
export const CONFINE_CHOICES = {
  writes: ['roots', 'none', 'any'],
  exec: ['listed', 'any'],
  network: ['none', 'loopback', 'ask', 'any'],
  remove: ['yes', 'no', 'no-truncate'],
  reads: ['protected', 'roots', 'any'],
} as const;

const CHECKS = {
  writes: oneOf(CONFINE_CHOICES.writes),
  exec: oneOf(CONFINE_CHOICES.exec),
  network: networkOption,
  remove: oneOf(CONFINE_CHOICES.remove),
  rewriters: list(MAX_LIST_ENTRIES, textValue),
  reads: oneOf(CONFINE_CHOICES.reads),
  readable: list(MAX_LIST_ENTRIES, readablePlace),
  unreadable: list(MAX_LIST_ENTRIES, unreadablePlace),
  limits: limitOptions,
};

/** Checks an entry of `readable`. */
function readablePlace(value: unknown, name: string): string {
  const place = unreadablePlace(value, name);
  if (place.startsWith('/') || place.startsWith('~/')) return place;
  throw invalidArgument(name, "an absolute path, or one that begins with '~/'", value);
}

/** Checks an entry of `unreadable`. */
function unreadablePlace(value: unknown, name: string): string {
  const place = textValue(value, name);
  const parts = place.split('/');
  const isPlain = !parts.includes('..') && parts.every((part) => part.split('*').length <= 2) && /[^/.~*]/.test(place);
  if (isPlain) return place;
  throw invalidArgument(name, "a path without '..', with at most one '*' in each part", value);
}

function networkOption(value: unknown, name: string): NetworkOption | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return nameOption(value, name, CONFINE_CHOICES.network);
  }
  const { allow } = checkedOptions(value, name, {
    allow: (entries, key) =>
      entries === REGISTRIES_ENTRY ? [REGISTRIES_ENTRY] : listOption(entries, key, MAX_ALLOWED_HOSTS, textValue),
  });
  if (allow === undefined) throw invalidArgument(`${name}.allow`, "an array of hosts or 'registries'", allow);
  return Object.freeze({ allow: Object.freeze(allow) });
}

/** Checks the `confine` of a terminal, a session or a server. */
export function confineOption(value: unknown = {}, name = 'confine'): CheckedConfine {
  return checkedOptions(value, name, CHECKS);
}
