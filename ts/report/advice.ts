import type { LimitReport } from '../native/binding.js';

/** Advice that lifts a refusal, and its sentences for each reader. No code parses these sentences. */

/** A program with the arguments it must begin with, as an entry of `allow`. */
export interface AdvisedUse {
  /** Name of the program. */
  readonly program: string;
  /** The arguments that it must begin with. */
  readonly args: readonly string[];
}

/**
 * A call that is allowed in place of the refused one. Only the first reason of a decision has it, and it lifts all
 * reasons. It repeats words of the command, which may hold a secret that no rule recognises. Its fields can therefore
 * be read, but `JSON.stringify` and `console.log` show only its kind.
 */
export interface ReplaceAdvice {
  /** Tells the kinds apart. */
  readonly kind: 'replace';
  /** The command to run in place of the refused one. Secrets masked. */
  readonly command: string;
  /** The directory to run it in, relative to that of the refused call. Absent: the same directory. */
  readonly cwd?: string | undefined;
}

/**
 * An option of the host that lifts a reason. With one such option for each reason that has any, the command is allowed,
 * or an approver is asked about it.
 */
export interface OptionAdvice {
  /** Tells the kinds apart. */
  readonly kind: 'option';
  /** The option of a `Terminal`; after a dot comes a key of that option. */
  readonly name: OptionName;
  /**
   * The value of the option; for the lists `allow`, `trustInterpreters`, `roots`, `confine.readable` and `confine.network.allow`
   * an entry to add. Only `allow` has an `AdvisedUse`, and only `confine.limits` a number.
   */
  readonly value: string | number | AdvisedUse;
  /** What has to stay in the list beside the entry, because presets have put it there. Absent: nothing. */
  readonly keeping?: readonly string[] | undefined;
}

/** The options that lift a refusal. */
export type OptionName =
  | 'allow'
  | 'trustInterpreters'
  | 'roots'
  | 'sandbox'
  | 'git.hooks'
  | 'confine.network.allow'
  | `confine.limits.${'memoryBytes' | 'processes' | 'cpuMs' | 'fileBytes' | 'diskBytes' | 'openFiles'}`
  | `confine.${'exec' | 'writes' | 'network' | 'remove' | 'readable'}`;

/** The options that are lists: advice adds an entry to them. */
const LIST_OPTIONS: readonly OptionName[] = [
  'allow',
  'trustInterpreters',
  'roots',
  'confine.readable',
  'confine.network.allow',
];

/** A limit that a call can raise. */
export interface LimitAdvice {
  /** Tells the kinds apart. */
  readonly kind: 'limit';
  /** The argument that sets the limit. */
  readonly name: 'timeout_ms';
  /** Its largest value. */
  readonly value: number;
}

/** The command runs when an approver of the host agrees. */
export interface ApproveAdvice {
  /** Tells the kinds apart. */
  readonly kind: 'approve';
}

/** Something that lifts a refusal. Every piece of advice was tried before it is given. */
export type Advice = ReplaceAdvice | OptionAdvice | LimitAdvice | ApproveAdvice;

/** Anything with a hint and advice: a reason of a decision, or a refusal of the kernel. */
export interface WithAdvice {
  readonly hint?: string | undefined;
  readonly advice?: readonly Advice[] | undefined;
  /** Whether it takes all of the options together. Default: each lifts it by itself. */
  readonly together?: boolean | undefined;
  /** A sentence about what holds even with the options. */
  readonly held?: string | undefined;
}

/** Writes the hint for one kind of reader. */
export type HintFor = (advised: WithAdvice) => string | undefined;

/** The hint, and the options with which a program that uses the library lifts the refusal. Undefined: there is neither. */
export function hintForHost(reason: WithAdvice): string | undefined {
  return hintWithOptions(
    reason,
    (options) => `The host ${verb(options)} this with ${options.map(asCode).join(conjunction(reason))}.`,
    'The host lifts this with an `approve` that agrees.',
  );
}

/** The same for a model, which can do no more about the host than to tell its user. */
export function hintForModel(reason: WithAdvice): string | undefined {
  const hint = hintForHost(reason);
  return hint === undefined || hint === reason.hint ? hint : `${hint} ${ASK_THE_USER}`;
}

/** What is left to a model where nothing that it may do does the task. */
export const ASK_THE_USER = 'Ask the user if nothing else does it.';

/** The hint, and the flags with which a user of the command line lifts the refusal. Undefined: there is neither. */
export function hintForCommandLine(reason: WithAdvice): string | undefined {
  const advice = reason.advice?.filter((piece) => piece.kind !== 'option' || hasFlag(piece));
  return hintWithOptions({ ...reason, advice }, (options) => {
    const one = reason.together !== true || options.length === 1;
    return `${options.map(asFlag).join(conjunction(reason))} ${one ? verb(options) : 'lift'} this.`;
  });
}

function conjunction({ together }: WithAdvice): string {
  return together === true ? ' and ' : ' or ';
}

/** What the options do: a limit is still one when it is higher. */
function verb(options: readonly OptionAdvice[]): string {
  return options.every(isLimit) ? 'raises' : 'lifts';
}

/** Rules about which programs may run. Their denials show a model all allowed programs. */
const LIST_RULES: ReadonlySet<string> = new Set(['list.not_allowed', 'list.denied', 'list.empty']);

/** Whether the list of allowed programs helps with a reason. */
export function concernsLists({ rule }: { readonly rule: string }): boolean {
  return LIST_RULES.has(rule);
}

/** The hint, the sentence about the options, and `approval` where it takes the consent of somebody together with them. */
function hintWithOptions(
  { hint, advice = [], together = false, held }: WithAdvice,
  sentence: (options: readonly OptionAdvice[]) => string,
  approval?: string,
): string | undefined {
  const options = advice.filter((piece) => piece.kind === 'option');
  const isAsked = together && approval !== undefined && advice.some(({ kind }) => kind === 'approve');
  const sentences = [
    ...(hint === undefined ? [] : [hint]),
    ...(options.length === 0 ? [] : [sentence(options), ...(held === undefined ? [] : [held])]),
    ...(isAsked ? [options.length === 0 ? approval : 'It then takes an `approve` that agrees.'] : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** The option as code of a host. */
function asCode({ name, value, keeping = [] }: OptionAdvice): string {
  // The new root goes last, because commands start in the first one.
  if (name === 'roots') return `\`roots: [..., ${asLiteral(value)}]\``;
  if (name === 'confine.network.allow') {
    const entries = [...keeping.map(inQuotes), asLiteral(value), '...'];
    return `\`confine: { network: { allow: [${entries.join(', ')}] } }\``;
  }
  const literal = LIST_OPTIONS.includes(name) ? `[${asLiteral(value)}, ...]` : asLiteral(value);
  const code = name.split('.').reduceRight((inner, key, index) => {
    const entry = `${key}: ${inner}`;
    return index === 0 ? entry : `{ ${entry} }`;
  }, literal);
  return `\`${code}\``;
}

function asLiteral(value: OptionAdvice['value']): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return inQuotes(value);
  return `{ program: ${inQuotes(value.program)}, args: [${value.args.map(inQuotes).join(', ')}] }`;
}

function inQuotes(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The flags of the command line, by option. The other options have none. */
const FLAGS: Readonly<Partial<Record<OptionName, string>>> = {
  allow: '--allow',
  trustInterpreters: '--trust',
  roots: '--root',
  'confine.exec': '--exec',
  'confine.writes': '--writes',
  'confine.network': '--network',
  'confine.network.allow': '--allow-host',
  'confine.remove': '--remove',
  'confine.readable': '--readable',
};

/** The limits by their names on the command line. */
export const LIMIT_NAMES: Readonly<Record<string, LimitReport['name']>> = {
  memory: 'memoryBytes',
  processes: 'processes',
  cpu: 'cpuMs',
  file: 'fileBytes',
  disk: 'diskBytes',
  'open-files': 'openFiles',
};

/** The units of bytes on the command line. */
export const BYTE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

function isLimit(advice: OptionAdvice): boolean {
  return advice.name.startsWith(LIMIT_PREFIX);
}

const LIMIT_PREFIX = 'confine.limits.';

function hasFlag(advice: OptionAdvice): boolean {
  return isLimit(advice) || FLAGS[advice.name] !== undefined;
}

/** A limit as an entry of `--limit`, in the largest unit that says it exactly. */
function limitEntry(option: string, value: number): string {
  const limit = option.slice(LIMIT_PREFIX.length);
  const [name = limit] = Object.entries(LIMIT_NAMES).find(([, known]) => known === limit) ?? [];
  if (limit === 'cpuMs') return `${name}=${value}ms`;
  if (!limit.endsWith('Bytes')) return `${name}=${value}`;
  const units = Object.entries(BYTE_UNITS).filter(([, bytes]) => value % bytes === 0);
  const [unit, bytes] = units.at(-1) ?? ['', 1];
  return `${name}=${value / bytes}${unit}`;
}

function asFlag({ name, value, keeping = [] }: OptionAdvice): string {
  if (typeof value === 'number') return `--limit ${limitEntry(name, value)}`;
  if (name !== 'allow') {
    const entry = typeof value === 'string' ? value : value.program;
    return `${FLAGS[name]} ${[...keeping, entry].map(shellWord).join(',')}`;
  }
  // The command line splits an entry into words, like a shell.
  const words = typeof value === 'string' ? [value] : [value.program, ...value.args];
  return `--allow ${shellWord(words.map(shellWord).join(' '))}`;
}

/** The text, in quotes where a shell would change or split it. */
export function shellWord(text: string): string {
  const isPlain = [...text].every((character) => PLAIN_CHARACTERS.includes(character));
  return isPlain ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Characters that a shell takes as they are. */
const PLAIN_CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=-';

/**
 * A line with the call that a model can make in place of the refused one. `cwd` is relative to the workspace.
 *
 * @param guessed Whether the call rests on a guess what was meant.
 */
export function callForModel(
  call: { readonly command: string; readonly cwd?: string | undefined; readonly background?: true },
  guessed = false,
): string {
  const { command, cwd, background } = call;
  const args = { command, ...(cwd === undefined ? {} : { cwd }), ...(background === undefined ? {} : { background }) };
  return `${guessed ? 'did you mean' : 'instead'}: ${JSON.stringify(args)}`;
}

/** A phrase that says how far a model can raise a limit. `asked` is the value that it gave. */
export function limitForModel({ name, value }: LimitAdvice, askedValue: number): string {
  return `the limit was ${name} ${askedValue}; up to ${value} can be asked for`;
}
