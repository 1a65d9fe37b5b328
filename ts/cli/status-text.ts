import { hintForCommandLine } from '../report/advice.js';
import { renderStatus } from '../report/render.js';
import type { CommandResult } from '../report/result.js';
import type { TerminalOptions } from '../terminal/options.js';
import { styleFor } from './style.js';
import { wrap } from './wrap.js';

/** Unicode characters of a status text; a denial names programs and hints. */
const STATUS_CHARS = 2_000;

const LABEL = 'handrail:';

/** Failures of the search for a program. */
const SEARCHED: ReadonlySet<string> = new Set(['program_not_found', 'interpreter_not_found']);

/** What a person should know beside the result. */
export interface Circumstances {
  /** Whether there was a standard input that the command was not given. */
  readonly inputOffered: boolean;
  /** The settings file that had a say in it. */
  readonly file: string | undefined;
}

/** What happened, for the person in front of it. The output was shown already. */
export function statusText(
  result: CommandResult,
  options: TerminalOptions,
  { inputOffered, file }: Circumstances,
): string {
  const style = styleFor(process.stderr);
  const lists = listsAdvice(options);
  const text = renderStatus(result, { maxChars: STATUS_CHARS, lists, hintFor: hintForCommandLine });
  const [first = '', ...rest] = text.split('\n');
  if (SEARCHED.has(result.failure?.code ?? '')) rest.push('hint: --path names a further folder for programs.');
  if (inputOffered && hasRun(result)) rest.push('It was not given the standard input; see --stdin.');
  if (file !== undefined) rest.push(`With the settings of ${file}.`);
  const width = columns() - LABEL.length - 1;
  const [head = '', ...more] = wrap(first, width);
  const paint = result.ok ? style.good : style.bad;
  const indent = ' '.repeat(LABEL.length);
  return [
    `${style.dim(LABEL)} ${paint(head)}`,
    ...more.map((line) => `${indent} ${paint(line)}`),
    ...rest.flatMap((line) => wrap(line, width)).map((line) => style.dim(`${indent} ${line}`)),
  ].join('\n');
}

/** Lines are broken for a person's terminal only: a program would have to put them together again. */
function columns(): number {
  return process.stderr.isTTY === true ? Math.max(40, process.stderr.columns || 80) : Number.POSITIVE_INFINITY;
}

/** Whether there was a command that could write something. */
export function hasRun({ status }: CommandResult): boolean {
  return status !== 'denied' && status !== 'spawn_failed';
}

function listsAdvice({ allow, deny }: TerminalOptions): string {
  if (allow === undefined && deny === undefined) return 'Name what may run with --allow.';
  return 'See --allow and --deny.';
}
