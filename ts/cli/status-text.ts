import path from 'node:path';

import type { Project } from '../presets/project.js';
import { hintForCommandLine } from '../report/advice.js';
import { renderStatus } from '../report/render.js';
import type { CommandResult } from '../report/result.js';
import type { TerminalOptions } from '../terminal/options.js';
import { projectText } from './project-options.js';
import { styleFor } from './style.js';
import { wrap } from './wrap.js';

/** Longest status text, in Unicode characters. A denial names programs and hints. */
const STATUS_CHARS = 2_000;

const LABEL = 'handrail:';

/** Codes of failures of the search for a program. */
const SEARCH_FAILURES: ReadonlySet<string> = new Set(['program_not_found', 'interpreter_not_found']);

/** Facts about a run that its result does not have. */
export interface Circumstances {
  /** Whether there was a standard input that the command did not get. */
  readonly inputOffered: boolean;
  /** The name of the settings file that was used. */
  readonly file: string | undefined;
  /** Why nobody was asked, in a sentence. Undefined: somebody would have been. */
  readonly unasked: string | undefined;
  /** Advice for a script that was taken for the name of a program. */
  readonly script: string | undefined;
  /** The project whose presets were used. */
  readonly project: Project | undefined;
  /** The hosts that a person was asked about and agreed to. */
  readonly approvedHosts: readonly string[];
  /** What became of the changes of a command that was tried, in lines. */
  readonly trial: readonly string[];
}

/** A text about the result for the user. The output was shown already. */
export function statusText(
  result: CommandResult,
  options: TerminalOptions,
  { inputOffered, file, unasked, script, project, approvedHosts, trial }: Circumstances,
): string {
  const style = styleFor(process.stderr);
  const lists = listsAdvice(options, project);
  // A hint about the lists leads nowhere for a script that was taken for one name.
  const hintFor = script === undefined ? hintForCommandLine : () => undefined;
  const text = renderStatus(result, { maxChars: STATUS_CHARS, lists, hintFor });
  const [first = '', ...rest] = text.split('\n');
  rest.push(...trial);
  if (unasked !== undefined && result.decision.reasons[0]?.rule === 'no_approver') rest.push(unasked);
  if (script !== undefined) rest.push(`hint: ${script}`);
  else if (SEARCH_FAILURES.has(result.failure?.code ?? ''))
    rest.push('hint: --path names a further folder for programs.');
  if (inputOffered && hasRun(result)) rest.push('It was not given the standard input; see --stdin.');
  if (approvedHosts.length > 0) rest.push(`You agreed to --allow-host ${approvedHosts.join(',')}.`);
  if (file !== undefined) rest.push(`With the settings of ${file}.`);
  if (project !== undefined) rest.push(...projectLines(project, options));
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

/** What the project was taken for, where the user did not say all of it. */
function projectLines(project: Project, { roots: [root] = [] }: TerminalOptions): readonly string[] {
  const folder = typeof root === 'string' ? path.resolve(root) : root?.path;
  const isImplied = project.decidedBy.length > 0 || folder !== process.cwd();
  return isImplied ? [`project: ${projectText(project, folder)}`] : [];
}

/** The line width: that of the terminal, and none when a program reads the text. */
function columns(): number {
  return process.stderr.isTTY === true ? Math.max(40, process.stderr.columns || 80) : Number.POSITIVE_INFINITY;
}

/** Whether the command was started. */
export function hasRun({ status }: CommandResult): boolean {
  return status !== 'denied' && status !== 'spawn_failed';
}

function listsAdvice({ allow, deny }: TerminalOptions, project: Project | undefined): string {
  if (project !== undefined) {
    const names = project.kinds.length === 0 ? 'auto' : project.kinds.join(',');
    return `What may run: handrail explain --project ${names} --list. More: --allow.`;
  }
  if (allow === undefined && deny === undefined) return 'Name what may run with --allow.';
  return 'See --allow and --deny.';
}
