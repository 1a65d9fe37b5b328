import { hostEnvironment } from '../config/host-environment.js';
import { isHandrailError } from '../errors.js';
import type { RedactorOptions } from '../redaction/options.js';
import { readRuleFile } from '../redaction/read-rule-file.js';
import { Redactor } from '../redaction/redactor.js';
import type { RuleFile } from '../redaction/rule-file.js';
import { type CommandLine, lastValue, listEntries, said } from './arguments.js';
import { FINDING_FORMATS, REDACT } from './redact-options.js';
import { secretVariables } from './secret-variables.js';
import { readSettled } from './settings.js';
import { readablePath } from './shown-path.js';
import { UsageError } from './usage-error.js';

/** What becomes of the texts: they are copied, replaced, or read only. */
export type RedactMode = 'copy' | 'in-place' | 'check' | 'staged';

/** What `handrail redact` was asked. */
export interface RedactRequest {
  readonly mode: RedactMode;
  /** `-` is the standard input. Empty for `staged` alone. */
  readonly files: readonly string[];
  /** How findings are listed. */
  readonly format: (typeof FINDING_FORMATS)[number];
  readonly options: RedactorOptions;
  /** Paths of rule files. */
  readonly rules: readonly string[];
  readonly report: 'none' | 'text' | 'json';
  readonly failOnFind: boolean;
  /** Whether nothing is said that was not asked for. */
  readonly quiet: boolean;
  /** What messages call an option. */
  readonly said: (name: string) => string;
}

export const STANDARD_INPUT = '-';

/** @throws UsageError */
export function readRequest(args: readonly string[]): RedactRequest {
  const line = readSettled(args, REDACT);
  const mode = modeOf(line);
  const text = line.flags.has('report') ? 'text' : 'none';
  return {
    mode,
    files: filesOf(line, mode),
    format: formatOf(line, mode),
    options: {
      secrets: secretVariables(listEntries(line, 'secret-env'), hostEnvironment(), said(line, 'secret-env')),
      patterns: line.values.get('pattern') ?? [],
      label: line.flags.has('label'),
    },
    rules: line.values.get('rules') ?? [],
    report: line.flags.has('json') ? 'json' : text,
    failOnFind: line.flags.has('fail-on-find') || mode === 'check' || mode === 'staged',
    quiet: line.flags.has('quiet') || line.flags.has('json'),
    said: (name) => said(line, name),
  };
}

function modeOf({ flags }: CommandLine): RedactMode {
  const [mode = 'copy', other] = (['in-place', 'check', 'staged'] as const).filter((name) => flags.has(name));
  if (other !== undefined) throw new UsageError(`--${mode} and --${other} do not go together`);
  return mode;
}

function filesOf({ words }: CommandLine, mode: RedactMode): readonly string[] {
  if (mode === 'staged') {
    if (words.length > 0) throw new UsageError('--staged takes no FILE: git says which there are');
    return [];
  }
  if (words.filter((word) => word === STANDARD_INPUT).length > 1) throw new UsageError('- stands there twice');
  if (mode !== 'in-place') return words.length === 0 ? [STANDARD_INPUT] : words;
  if (words.length === 0 || words.includes(STANDARD_INPUT)) {
    throw new UsageError('--in-place takes files: the standard input cannot be replaced');
  }
  return words;
}

function formatOf(line: CommandLine, mode: RedactMode): RedactRequest['format'] {
  const given = lastValue(line, 'format');
  if (given === undefined) return 'text';
  const format = FINDING_FORMATS.find((name) => name === given);
  if (format === undefined) throw new UsageError(`--format takes ${FINDING_FORMATS.join(' or ')}`);
  if (mode !== 'check' && mode !== 'staged') throw new UsageError('--format is for --check and --staged');
  return format;
}

/** What a redactor says of the options of a command line. */
const MISTAKES: ReadonlySet<string> = new Set(['ERR_INVALID_ARGUMENT', 'ERR_INVALID_PATTERN', 'ERR_INVALID_RULE_FILE']);

/** The rule file at `path`. */
function ruleFile(path: string, name: string): RuleFile {
  try {
    return readRuleFile(path);
  } catch (error) {
    if (!isHandrailError(error) || !MISTAKES.has(error.code)) throw error;
    throw new UsageError(`${name} ${readablePath(path)}: ${error.message}`, error.code);
  }
}

/** The redactor; what it refuses is a mistake on the command line. */
export function compile({ options, rules, said }: RedactRequest): Redactor {
  try {
    return new Redactor({ ...options, ruleFiles: rules.map((file) => ruleFile(file, said('rules'))) });
  } catch (error) {
    if (!isHandrailError(error) || !MISTAKES.has(error.code)) throw error;
    const message = error.message
      .replace('`ruleFiles`', said('rules'))
      .replace(/`?patterns\[(\d+)\]`?/, (_name, index) => `${said('pattern')} number ${Number(index) + 1}`)
      .replace('the secret named', `${said('secret-env')}: the value of`);
    throw new UsageError(message, error.code);
  }
}
