/** What lifts a refusal, and the sentences that each reader is told of it. Nothing reads these sentences back. */

/** One more entry of `allow`: a program, or a program with the arguments it must begin with. */
export type AdvisedRule = string | { readonly program: string; readonly args: readonly string[] };

/**
 * An option of the host that lifts a refusal. Of `allow`, `trustInterpreters`, `path` and `roots`, which are lists, `value` is one
 * more entry.
 */
export type OptionAdvice =
  | { readonly kind: 'option'; readonly name: 'allow'; readonly value: AdvisedRule }
  | { readonly kind: 'option'; readonly name: 'trustInterpreters' | 'path' | 'roots'; readonly value: string }
  | { readonly kind: 'option'; readonly name: 'confine.exec' | 'confine.writes' | 'confine.network'; readonly value: 'any' }
  | { readonly kind: 'option'; readonly name: 'confine.remove'; readonly value: 'yes' }
  | { readonly kind: 'option'; readonly name: 'sandbox'; readonly value: 'off' };

/**
 * What lifts a refusal. Each piece was tried before it is given.
 *
 * | kind | what it says |
 * | --- | --- |
 * | `replace` | this call is allowed: `command`, in `cwd` seen from the directory of the refused call. Secrets masked. Only the first reason has it, and it lifts all of them |
 * | `option` | with this option of the host the reason is gone, and with one for each reason that has one the command is allowed, or asked about |
 * | `limit` | up to `value` can be asked for |
 * | `approve` | it runs once somebody agrees |
 */
export type Advice =
  | { readonly kind: 'replace'; readonly command: string; readonly cwd?: string }
  | OptionAdvice
  | { readonly kind: 'limit'; readonly name: 'timeout_ms'; readonly value: number }
  | { readonly kind: 'approve' };

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
  const advice = advised.advice?.filter((one) => one.kind !== 'option' || one.name !== 'sandbox');
  return joined({ ...advised, advice }, (options) => `${options.filter(isFlag).map(asFlag).join(' or ')} lifts this.`);
}

type FlagAdvice = Exclude<OptionAdvice, { readonly name: 'sandbox' }>;

function isFlag(option: OptionAdvice): option is FlagAdvice {
  return option.name !== 'sandbox';
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
function inCode(option: OptionAdvice): string {
  switch (option.name) {
    case 'allow':
      return `\`allow: [${literal(option.value)}, ...]\``;
    case 'trustInterpreters':
    case 'path':
    case 'roots':
      return `\`${option.name}: [${quoted(option.value)}, ...]\``;
    case 'sandbox':
      return `\`sandbox: ${quoted(option.value)}\``;
    default: {
      const [, key = ''] = option.name.split('.');
      return `\`confine: { ${key}: ${quoted(option.value)} }\``;
    }
  }
}

function literal(rule: AdvisedRule): string {
  if (typeof rule === 'string') return quoted(rule);
  return `{ program: ${quoted(rule.program)}, args: [${rule.args.map(quoted).join(', ')}] }`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** `sandbox` has no flag. */
const FLAGS: Readonly<Record<Exclude<OptionAdvice['name'], 'allow' | 'sandbox'>, string>> = {
  trustInterpreters: '--trust',
  path: '--path',
  roots: '--root',
  'confine.exec': '--exec',
  'confine.writes': '--writes',
  'confine.network': '--network',
  'confine.remove': '--remove',
};

function asFlag(option: FlagAdvice): string {
  if (option.name !== 'allow') return `${FLAGS[option.name]} ${inShell(option.value)}`;
  const { value } = option;
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
export function limitForModel({ name, value }: Extract<Advice, { kind: 'limit' }>, asked: number): string {
  return `[the limit was ${name} ${asked}; up to ${value} can be asked for]`;
}
