/** What a terminal is asked to hold a command to; each key left out has its default. */
export interface Confine {
  readonly writes?: 'roots' | 'none' | 'any';
  readonly exec?: 'listed' | 'any';
  readonly network?: 'none' | 'loopback' | 'any';
  readonly remove?: 'yes' | 'no' | 'no-truncate';
}

/**
 * An attack on the kernel plan: runs unjudged, works without the plan, and must fail with it.
 *
 * Placeholders of commands, files and inputs: `{WORK}`, `{RAN}`, `{MARK}` and `{LIB}` as in attacks; `{KEPT}`, a file outside
 * that everybody may write; `{VICTIM}`, the number of a process of the host; `{HOST}`, that of the host itself; `{TCP}` and `{UDP}`, ports of the host;
 * `{STREAM}`, `{DATAGRAM}`, `{ABSTRACT_STREAM}`, `{ABSTRACT_DATAGRAM}`, its Unix sockets; `{TOKEN}`, what they wait for;
 * `{TERMINAL}`, a terminal of its user; `{BLOCK}`, a block device.
 */
export interface KernelAttack {
  readonly id: string;
  readonly why: string;
  /** What is listed: the outer program alone. */
  readonly allow: readonly string[];
  /** The option that stops it. */
  readonly confine: Confine;
  readonly command: readonly string[];
  readonly input: string;
  readonly files: Readonly<Record<string, string>>;
  readonly mode: readonly string[];
  readonly setup: string;
  /** Run after the attack by the test itself, whatever became of it. */
  readonly cleanup: string;
  readonly needs: readonly string[];
  readonly root: boolean;
  /** Held on every kernel: with the first version of Landlock and without namespaces too. */
  readonly anywhere: boolean;
  /**
   * `ran`, `file`: as in attacks. `reached`: a socket of the host got the token. `said`: the program says `done`.
   * `victim`: the process of the host runs otherwise. `changed`: the file in `watched` has another content.
   * `marked`: something about it was changed, whatever is in it.
   */
  readonly effect: 'ran' | 'file' | 'reached' | 'said' | 'victim' | 'changed' | 'marked';
  /** File whose content is looked at, and put back afterwards. Empty: none. */
  readonly watched: string;
}

type Given = Pick<KernelAttack, 'confine' | 'effect'> & Partial<KernelAttack>;

/** Makes rows of a kind. A program that says `lacks` reports a kernel without the call, which is then no attack. */
export function rows(common: Given) {
  return (id: string, why: string, command: readonly string[], extra: Partial<KernelAttack> = {}): KernelAttack => ({
    allow: command.slice(0, 1),
    input: '',
    files: {},
    mode: Object.keys(extra.files ?? {}).filter((name) => extra.files?.[name]?.startsWith('#!')),
    setup: '',
    cleanup: '',
    needs: command.slice(0, 1),
    root: false,
    anywhere: false,
    watched: '',
    ...common,
    ...extra,
    id,
    why,
    command,
  });
}
