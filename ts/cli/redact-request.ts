import { hostEnvironment } from '../config/host-environment.js';
import { isHandrailError } from '../errors.js';
import type { RedactorOptions } from '../redaction/options.js';
import { readRuleFile } from '../redaction/read-rule-file.js';
import { Redactor } from '../redaction/redactor.js';
import type { RuleFile } from '../redaction/rule-file.js';
import { type CommandLine, lastValue, listEntries, optionLabel } from './arguments.js';
import { FINDING_FORMATS, REDACT } from './redact-options.js';
import { secretVariables } from './secret-variables.js';
import { readLineWithSettings } from './settings.js';
import { readablePath } from './shown-path.js';
import { UsageError } from './usage-error.js';

/** Whether the texts are copied, replaced in place, or only checked. */
export type RedactMode = 'copy' | 'in-place' | 'check' | 'staged';

/** The arguments of `handrail redact`. */
export interface RedactRequest {
  readonly mode: RedactMode;
  /** The files, with `-` for the standard input. Empty only in the mode `staged`. */
  readonly files: readonly string[];
  /** The format of the list of findings. */
  readonly format: (typeof FINDING_FORMATS)[number];
  readonly options: RedactorOptions;
  /** Paths of rule files. */
  readonly rules: readonly string[];
  readonly report: 'none' | 'text' | 'json';
  readonly failOnFind: boolean;
  /** Whether remarks are left out. */
  readonly quiet: boolean;
  /** The name of an option in messages. */
  readonly optionLabel: (name: string) => string;
}

/** The word that stands for the standard input. */
export const STANDARD_INPUT = '-';

/** Reads the arguments of `handrail redact`. @throws UsageError */
export function readRequest(args: readonly string[]): RedactRequest {
  const line = readLineWithSettings(args, REDACT);
  const mode = modeOf(line);
  const text = line.flags.has('report') ? 'text' : 'none';
  return {
    mode,
    files: filesOf(line, mode),
    format: formatOf(line, mode),
    options: {
      secrets: secretVariables(listEntries(line, 'secret-env'), hostEnvironment(), optionLabel(line, 'secret-env')),
      patterns: line.values.get('pattern') ?? [],
      label: line.flags.has('label'),
    },
    rules: line.values.get('rules') ?? [],
    report: line.flags.has('json') ? 'json' : text,
    failOnFind: line.flags.has('fail-on-find') || mode === 'check' || mode === 'staged',
    quiet: line.flags.has('quiet') || line.flags.has('json'),
    optionLabel: (name) => optionLabel(line, name),
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
  const formatName = lastValue(line, 'format');
  if (formatName === undefined) return 'text';
  const format = FINDING_FORMATS.find((name) => name === formatName);
  if (format === undefined) throw new UsageError(`--format takes ${FINDING_FORMATS.join(' or ')}`);
  if (mode !== 'check' && mode !== 'staged') throw new UsageError('--format is for --check and --staged');
  return format;
}

/** Codes of errors that a wrong option of the command line causes. */
const USAGE_ERROR_CODES: ReadonlySet<string> = new Set([
  'ERR_INVALID_ARGUMENT',
  'ERR_INVALID_PATTERN',
  'ERR_INVALID_RULE_FILE',
]);

/** Reads the rule file at `path`. */
function ruleFile(path: string, name: string): RuleFile {
  try {
    return readRuleFile(path);
  } catch (error) {
    if (!isHandrailError(error) || !USAGE_ERROR_CODES.has(error.code)) throw error;
    throw new UsageError(`${name} ${readablePath(path)}: ${error.message}`, error.code);
  }
}

/** Creates the redactor. An option that it refuses is a mistake on the command line. */
export function createRedactor({ options, rules, optionLabel: said }: RedactRequest): Redactor {
  try {
    return new Redactor({ ...options, ruleFiles: rules.map((file) => ruleFile(file, said('rules'))) });
  } catch (error) {
    if (!isHandrailError(error) || !USAGE_ERROR_CODES.has(error.code)) throw error;
    const message = error.message
      .replace('`ruleFiles`', said('rules'))
      .replace(/`?patterns\[(\d+)\]`?/, (_name, index) => `${said('pattern')} number ${Number(index) + 1}`)
      .replace('the secret named', `${said('secret-env')}: the value of`);
    throw new UsageError(message, error.code);
  }
}
