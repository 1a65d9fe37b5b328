import { invalidArgument, listOption, nameOption, optionsObject, textOption, textValue } from '../config/validate.js';
import type { NativeQuestion } from '../native/binding.js';
import { jsonOf, read } from '../native/json.js';
import { textBinding } from '../native/text-binding.js';
import { callNative } from '../native/unwrap.js';
import { TextRedactor } from '../redaction/text-redactor.js';
import { type Decision, decisionOf } from '../report/decision.js';
import { checkCommand } from './command.js';
import { variableNames } from './environment.js';
import { MAX_LIST_ENTRIES, SYSTEM_PATH } from './limits.js';
import { givenRedactor, withMaskedErrors } from './masked-errors.js';
import { nativeRule, type Rule, ruleValue } from './rule.js';

/** What `explain` judges a command by: those options of a `Terminal` that a judgement needs. Paths are those of Linux. */
export interface ExplainOptions {
  /** Whether a string is one plain command (`'none'`), or may be a script of bash. Default: `'none'`. */
  readonly shell?: 'none' | 'bash' | undefined;
  /**
   * Programs that may run; no other may. Default: absent. With neither `allow` nor `deny`, and with an empty `allow`,
   * nothing runs. Up to 1,000.
   */
  readonly allow?: readonly Rule[] | undefined;
  /** Programs that may not run. Wins over `allow`. Alone: every other may. Up to 1,000. Default: absent. */
  readonly deny?: readonly Rule[] | undefined;
  /** Interpreters whose code is not judged. They must also be allowed. Up to 1,000. Default: none. */
  readonly trustInterpreters?: readonly string[] | undefined;
  /**
   * Working directory, absolute. Default: the first root; without roots none, and what a relative path of a script means is a
   * question then.
   */
  readonly cwd?: string | undefined;
  /** Directories that a script may write beneath, but in protected places; absolute. Up to 1,000. Default: absent, and each write is a question. */
  readonly roots?: readonly string[] | undefined;
  /** Folders that programs are found in beside the system's, absolute. Up to 1,000. Default: none. */
  readonly path?: readonly string[] | undefined;
  /** Home folder of the user, absolute. Protected places lie in it. Default: none. */
  readonly home?: string | undefined;
  /** Masks what the decision quotes of the command. Default: one with the built-in rules. */
  readonly redactor?: TextRedactor | undefined;
}

const KEYS = ['shell', 'allow', 'deny', 'trustInterpreters', 'cwd', 'roots', 'path', 'home', 'redactor'] as const;

/** Made on first use; making one takes milliseconds. */
let ownRedactor: TextRedactor | undefined;

/**
 * How a command would be judged: as a `Terminal` with these options judges it, without one and without looking at this
 * machine. No program is searched, no link is followed, and nothing runs. Works where commands cannot run as well: on a platform without
 * Handrail's native files, and in `handrail/wasm`.
 *
 * @param command A string, or a program with its arguments.
 * @param options See `ExplainOptions`.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong command, an unknown or wrong option, or a list that
 * contradicts itself.
 * @example
 * ```ts
 * import { explain } from 'handrail';
 *
 * const { decision, reasons } = explain('git log | xargs rm', { allow: ['git', 'xargs'], shell: 'bash' });
 * console.log(decision, reasons[0]?.program); // deny rm
 * ```
 */
export function explain(command: string | readonly string[], options: ExplainOptions = {}): Decision {
  return withMaskedErrors(givenRedactor(options), () => {
    const { question, redactor } = checked(command, options);
    const asked = jsonOf(question);
    return decisionOf(read(callNative(() => textBinding().explain(asked, TextRedactor.nativeOf(redactor)))));
  });
}

function checked(command: unknown, options: unknown): { question: NativeQuestion; redactor: TextRedactor } {
  const given = optionsObject(options, 'options', KEYS);
  const list = <Entry>(name: (typeof KEYS)[number], check: (value: unknown, name: string) => Entry) =>
    listOption(given[name], name, MAX_LIST_ENTRIES, check);
  const allow = list('allow', ruleValue)?.map(nativeRule);
  const deny = list('deny', ruleValue)?.map(nativeRule);
  const roots = list('roots', absolutePath);
  const home = given['home'] === undefined ? undefined : absolutePath(given['home'], 'home');
  const directory = textOption(given['cwd'], 'cwd') === undefined ? roots?.[0] : absolutePath(given['cwd'], 'cwd');
  const question: NativeQuestion = {
    command: checkCommand(command),
    script: nameOption(given['shell'], 'shell', ['none', 'bash']) === 'bash',
    trustInterpreters: [...(list('trustInterpreters', textValue) ?? [])],
    path: [...SYSTEM_PATH, ...(list('path', absolutePath) ?? [])],
    environment: variableNames(),
    ...(allow === undefined ? {} : { allow }),
    ...(deny === undefined ? {} : { deny }),
    ...(home === undefined ? {} : { home }),
    ...(directory === undefined ? {} : { directory }),
    ...(roots === undefined ? {} : { roots: [...roots] }),
  };
  return { question, redactor: redactorOption(given['redactor']) };
}

/** Whatever this machine is: commands run on Linux. */
function absolutePath(value: unknown, name: string): string {
  const text = textValue(value, name);
  if (!text.startsWith('/')) throw invalidArgument(name, 'an absolute path', value);
  return text;
}

function redactorOption(value: unknown): TextRedactor {
  if (value === undefined) {
    if (ownRedactor === undefined || TextRedactor.nativeOf(ownRedactor).isLost) ownRedactor = new TextRedactor();
    return ownRedactor;
  }
  if (TextRedactor.isRedactor(value)) return value;
  throw invalidArgument('redactor', 'a Redactor made by this copy of handrail', value);
}
