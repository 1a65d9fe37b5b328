import { type Checked, checkedOptions, invalidArgument, list, oneOf, textValue } from '../config/validate.js';
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

/** The options of a `Terminal` that a judgement needs. Paths are those of Linux. */
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
  /**
   * Uses of programs that are a question, although `allow` has the program. A rule of `allow` with the same arguments, or
   * more, answers it. Up to 1,000. Default: none.
   */
  readonly ask?: readonly Rule[] | undefined;
  /** Interpreters whose code is not judged. They must also be allowed. Up to 1,000. Default: none. */
  readonly trustInterpreters?: readonly string[] | undefined;
  /**
   * Working directory, absolute. Default: the first root. Without either, a script that writes to a relative path is a
   * question.
   */
  readonly cwd?: string | undefined;
  /**
   * Directories beneath which a script may write, except for protected places; absolute. Up to 1,000. Default: none,
   * and each write is a question.
   */
  readonly roots?: readonly string[] | undefined;
  /** Folders that programs are found in beside the system's, absolute. Up to 1,000. Default: none. */
  readonly path?: readonly string[] | undefined;
  /** Home folder of the user, absolute. Some protected places lie in it. Default: none. */
  readonly home?: string | undefined;
  /** Masks secrets in the parts of the command that the decision quotes. Default: a redactor with the built-in rules. */
  readonly redactor?: TextRedactor | undefined;
}

const CHECKS = {
  shell: oneOf(['none', 'bash']),
  allow: list(MAX_LIST_ENTRIES, ruleValue),
  deny: list(MAX_LIST_ENTRIES, ruleValue),
  ask: list(MAX_LIST_ENTRIES, ruleValue),
  trustInterpreters: list(MAX_LIST_ENTRIES, textValue),
  cwd: optionalPath,
  roots: list(MAX_LIST_ENTRIES, absolutePath),
  path: list(MAX_LIST_ENTRIES, absolutePath),
  home: optionalPath,
  redactor: redactorOption,
};

/** The redactor of calls that give none. Created on first use, because that takes milliseconds. */
let defaultRedactor: TextRedactor | undefined;

/**
 * Judges a command as a `Terminal` with these options does, without a terminal and without looking at this machine: no
 * program is searched, no link is followed, and nothing runs. It also works where commands cannot run: on a platform
 * without Handrail's native files, and in `handrail/wasm`.
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
    const checked = checkedOptions(options, 'options', CHECKS);
    const question = jsonOf(questionOf(checkCommand(command), checked));
    const redactor = TextRedactor.nativeOf(checked.redactor);
    return decisionOf(read(callNative(() => textBinding().explain(question, redactor))));
  });
}

function questionOf(command: string | string[], options: Checked<typeof CHECKS>): NativeQuestion {
  const { allow, deny, ask, roots, home, cwd: directory = roots?.[0] } = options;
  return {
    command,
    script: options.shell === 'bash',
    trustInterpreters: [...(options.trustInterpreters ?? [])],
    path: [...SYSTEM_PATH, ...(options.path ?? [])],
    environment: variableNames(),
    ...(allow === undefined ? {} : { allow: allow.map(nativeRule) }),
    ...(deny === undefined ? {} : { deny: deny.map(nativeRule) }),
    ...(ask === undefined ? {} : { ask: ask.map(nativeRule) }),
    ...(home === undefined ? {} : { home }),
    ...(directory === undefined ? {} : { directory }),
    ...(roots === undefined ? {} : { roots: [...roots] }),
  };
}

function optionalPath(value: unknown, name: string): string | undefined {
  return value === undefined ? undefined : absolutePath(value, name);
}

/** A path of Linux, on whatever machine this is: commands run on Linux only. */
function absolutePath(value: unknown, name: string): string {
  const text = textValue(value, name);
  if (!text.startsWith('/')) throw invalidArgument(name, 'an absolute path', value);
  return text;
}

function redactorOption(value: unknown, name: string): TextRedactor {
  if (value === undefined) {
    if (defaultRedactor === undefined || TextRedactor.nativeOf(defaultRedactor).isLost)
      defaultRedactor = new TextRedactor();
    return defaultRedactor;
  }
  if (TextRedactor.isRedactor(value)) return value;
  throw invalidArgument(name, 'a Redactor made by this copy of handrail', value);
}
