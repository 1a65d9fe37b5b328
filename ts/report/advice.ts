/** What lifts a refusal, and the sentences that each reader is told of it. Nothing reads these sentences back. */

/** A program with the arguments it must begin with, as an entry of `allow`. */
export interface AdvisedUse {
  /** Its name. */
  readonly program: string;
  /** The words its arguments begin with. */
  readonly args: readonly string[];
}

/**
 * This call is allowed. Only the first reason of a decision has it, and it lifts all of them. It repeats words of the command,
 * which may hold what no rule knows for a secret: so it can be read, but neither `JSON.stringify` nor `console.log` shows more
 * of it than its kind.
 */
export interface ReplaceAdvice {
  /** Tells the kinds apart. */
  readonly kind: 'replace';
  /** What to ask for in place of the refused command. Secrets masked. */
  readonly command: string;
  /** The directory to run it in, seen from that of the refused call. Absent: the same one. */
  readonly cwd?: string | undefined;
}

/**
 * With this option of the host the reason is gone. With one for each reason that has any, the command is allowed, or asked
 * about.
 */
export interface OptionAdvice {
  /** Tells the kinds apart. */
  readonly kind: 'option';
  /** The option of a `Terminal`; a dot leads to a key of it. */
  readonly name: OptionName;
  /** Its value; of `allow`, `trustInterpreters` and `roots`, which are lists, one more entry. Only that of `allow` is ever a use. */
  readonly value: string | AdvisedUse;
}

/** The options that lift a refusal. */
export type OptionName =
  | 'allow'
  | 'trustInterpreters'
  | 'roots'
  | 'sandbox'
  | `confine.${'exec' | 'writes' | 'network' | 'remove'}`;

/** Those of which advice gives one more entry. */
const LISTS: readonly OptionName[] = ['allow', 'trustInterpreters', 'roots'];

/** More can be asked for. */
export interface LimitAdvice {
  /** Tells the kinds apart. */
  readonly kind: 'limit';
  /** The argument that was the limit. */
  readonly name: 'timeout_ms';
  /** The most that it takes. */
  readonly value: number;
}

/** It runs once somebody agrees whom the host asks. */
export interface ApproveAdvice {
  /** Tells the kinds apart. */
  readonly kind: 'approve';
}

/** What lifts a refusal. Each piece was tried before it is given. */
export type Advice = ReplaceAdvice | OptionAdvice | LimitAdvice | ApproveAdvice;

/** What has a hint, and what lifts it. */
export interface Advised {
  readonly hint?: string | undefined;
  readonly advice?: readonly Advice[] | undefined;
}

/** Writes the hint for one reader. */
export type HintFor = (advised: Advised & { readonly rule?: string }) => string | undefined;

/** The hint, and how a program that uses the library lifts what it is about. Undefined: there is nothing to say. */
export function hintForHost(advised: Advised): string | undefined {
  return joined(advised, (options) => `The host lifts this with ${options.map(inCode).join(' or ')}.`);
}

/** The same for whoever types a command line, in its flags. */
export function hintForCommandLine(advised: Advised): string | undefined {
  const advice = advised.advice?.filter((one) => one.kind !== 'option' || FLAGS[one.name] !== undefined);
  return joined({ ...advised, advice }, (options) => `${options.map(asFlag).join(' or ')} lifts this.`);
}

/** Rules about which programs may run. A model is told all of them beside it. */
const LIST_RULES: ReadonlySet<string> = new Set(['list.not_allowed', 'list.denied', 'list.empty']);

/** Whether it helps to know which programs may run. */
export function concernsLists({ rule }: { readonly rule: string }): boolean {
  return LIST_RULES.has(rule);
}

/** The hint for a model, which reads the lists as well. */
export function hintForModel(reason: Advised & { readonly rule?: string }): string | undefined {
  return reason.rule !== undefined && LIST_RULES.has(reason.rule) ? reason.hint : hintForHost(reason);
}

function joined(
  { hint, advice = [] }: Advised,
  sentence: (options: readonly OptionAdvice[]) => string,
): string | undefined {
  const options = advice.filter((one) => one.kind === 'option');
  const sentences = [...(hint === undefined ? [] : [hint]), ...(options.length === 0 ? [] : [sentence(options)])];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** As it stands in the options of a host. */
function inCode({ name, value }: OptionAdvice): string {
  // The first root is where commands start.
  if (name === 'roots') return `\`roots: [..., ${literal(value)}]\``;
  if (LISTS.includes(name)) return `\`${name}: [${literal(value)}, ...]\``;
  const [option = '', key] = name.split('.');
  return key === undefined ? `\`${option}: ${literal(value)}\`` : `\`${option}: { ${key}: ${literal(value)} }\``;
}

function literal(value: string | AdvisedUse): string {
  if (typeof value === 'string') return quoted(value);
  return `{ program: ${quoted(value.program)}, args: [${value.args.map(quoted).join(', ')}] }`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The flags of these options; the others have none. */
const FLAGS: Readonly<Partial<Record<OptionName, string>>> = {
  allow: '--allow',
  trustInterpreters: '--trust',
  roots: '--root',
  'confine.exec': '--exec',
  'confine.writes': '--writes',
  'confine.network': '--network',
  'confine.remove': '--remove',
};

function asFlag({ name, value }: OptionAdvice): string {
  if (name !== 'allow') return `${FLAGS[name]} ${inShell(typeof value === 'string' ? value : value.program)}`;
  // An entry is read as words, like a line of a shell.
  const words = typeof value === 'string' ? [value] : [value.program, ...value.args];
  return `--allow ${inShell(words.map(inShell).join(' '))}`;
}

/** Quoted where a shell would take it for more than one word. */
function inShell(text: string): string {
  const isPlain = [...text].every((character) => PLAIN.includes(character));
  return isPlain ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=-';

/** The call that a model can make in place of the refused one. `cwd` is seen from the workspace. */
export function callForModel(call: { readonly command: string; readonly cwd?: string | undefined }): string {
  return `instead: ${JSON.stringify({ command: call.command, ...(call.cwd === undefined ? {} : { cwd: call.cwd }) })}`;
}

/** What of a limit a model can ask for. `asked`: what it asked for. */
export function limitForModel({ name, value }: LimitAdvice, asked: number): string {
  return `[the limit was ${name} ${asked}; up to ${value} can be asked for]`;
}
