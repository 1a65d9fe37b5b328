/** What a model can ask instead of a command that was refused, as far as that follows from the command itself. */
import path from 'node:path';
import { nearest } from '../config/nearest.js';
import type { Files } from '../files/files.js';
import type { Decision, Reason } from '../report/decision.js';
import type { CommandResult } from '../report/result.js';
import type { Rule } from '../terminal/rule.js';
import { MAX_ECHOED_NAME_CHARS } from './limits.js';

/** What the tool was asked. */
export interface AskedCommand {
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly timeout_ms?: number | undefined;
}

/** What the answer may name. */
export interface CommandPlaces {
  /** The directories that commands may start in. */
  readonly roots: readonly string[];
  /** What may run; undefined where everything but a few may. */
  readonly allow: readonly Rule[] | undefined;
}

/** What advice is made with. */
export interface Adviser {
  readonly places: CommandPlaces;
  /** Time a command gets, and the most that can be asked for, in milliseconds. */
  readonly timeoutMs: number;
  /** What is said about a directory. */
  readonly files: Pick<Files, 'list'>;
  /** What would be said of another command. */
  readonly terminal: { explain(command: string): Decision };
}

/** Longest command that is written out anew. */
const MAX_SHOWN_COMMAND_CHARS = 300;
/** A command is changed so often until it is allowed, or not proposed. */
const MAX_CHANGES = 4;
/** Directories that are named where one was not found. */
const MAX_NAMED_DIRECTORIES = 8;
/** `cd folder`, the folder with or without quotes. */
const CHANGE_DIRECTORY = /^cd\s+(?:--\s+)?(?:"([^"$`\\]+)"|'([^']+)'|([^\s"'$`\\;&|<>*?[\]{}~]+))$/;
/** `> file`, `2>&1` and the like at the end of a command. */
const REDIRECTION = /\s*\d*(?:>>?|<|>&|&>)\s*(?:&?[^\s<>&|;]+)?\s*$/;
/** `< file` at the end of a command. */
const INPUT = /^(.*?)\s*<\s*([^\s<>&|;"']+)\s*$/s;
const DID_YOU_MEAN = /did you mean '([^']+)'\?/;

/** Lines to be put behind a refusal. */
export async function nextCall(result: CommandResult, asked: AskedCommand, adviser: Adviser): Promise<string[]> {
  switch (result.status) {
    case 'denied':
      return [...deniedAdvice(result.decision, asked, adviser), ...outsideAdvice(result.decision, asked, adviser)];
    case 'timed_out':
      return [timeoutAdvice(asked, adviser)];
    case 'spawn_failed':
      return await directoryAdvice(result.failure?.code, asked, adviser);
    default:
      return [];
  }
}

/** A call that is allowed, if a few changes lead to one. */
function deniedAdvice(decision: Decision, asked: AskedCommand, { terminal, places }: Adviser): string[] {
  const writes = wouldWrite(decision, asked) ? ['A file is written with file_write.'] : [];
  let call: AskedCommand | undefined = asked;
  let judged = decision;
  for (let change = 0; change < MAX_CHANGES; change += 1) {
    call = changed(judged, call, places);
    if (call === undefined || call.command.length > MAX_SHOWN_COMMAND_CHARS) return writes;
    judged = terminal.explain(call.command);
    if (judged.decision === 'allow') return [instead(call), ...writes];
  }
  return writes;
}

/** A redirection to a file, or a text for a program that may as well lie in one. */
function wouldWrite({ reasons }: Decision, { command }: AskedCommand): boolean {
  return reasons.some(({ rule }) => rule === 'syntax.redirection') && /<<|>/.test(command);
}

/** The command without what one of the reasons is about: the first that says what to change. */
function changed({ reasons }: Decision, asked: AskedCommand, places: CommandPlaces): AskedCommand | undefined {
  for (const reason of reasons) {
    const call = meantBy(reason, asked) ?? withoutReason(reason, asked, places);
    if (call !== undefined) return call;
  }
  return undefined;
}

function withoutReason(reason: Reason, asked: AskedCommand, places: CommandPlaces): AskedCommand | undefined {
  switch (reason.rule) {
    case 'syntax.operator':
      return firstCommand(asked, reason.span);
    case 'syntax.redirection':
      return withoutRedirection(asked);
    case 'list.not_allowed':
      return withListedProgram(reason.program, asked, places);
    default:
      return undefined;
  }
}

/** A reason may name the word that was probably meant in the place of the one it is about. */
function meantBy({ message, span: [start, end] }: Reason, { command, cwd }: AskedCommand): AskedCommand | undefined {
  const [, word] = DID_YOU_MEAN.exec(message) ?? [];
  return word === undefined ? undefined : { command: command.slice(0, start) + word + command.slice(end), cwd };
}

/** The first of several commands; what follows a `cd` is a call in that directory. */
function firstCommand({ command, cwd }: AskedCommand, [start, end]: Reason['span']): AskedCommand | undefined {
  const first = command.slice(0, start).trim();
  const rest = command.slice(end).trim();
  const change = CHANGE_DIRECTORY.exec(first);
  const folder = change?.[1] ?? change?.[2] ?? change?.[3];
  if (folder !== undefined && rest !== '') {
    return { command: rest, cwd: cwd === undefined ? folder : path.join(cwd, folder) };
  }
  return first === '' ? undefined : { command: first, cwd };
}

/** A file to read from is an argument for most programs; what is written is captured. */
function withoutRedirection({ command, cwd }: AskedCommand): AskedCommand | undefined {
  if (command.includes('<<')) return;
  const [, before, file] = INPUT.exec(command) ?? [];
  if (before !== undefined && file !== undefined) return { command: `${before} ${file}`, cwd };
  const kept = command.replace(REDIRECTION, '');
  return kept === command || kept === '' ? undefined : { command: kept, cwd };
}

function withListedProgram(
  program: string | undefined,
  { command, cwd }: AskedCommand,
  { allow = [] }: CommandPlaces,
): AskedCommand | undefined {
  if (program === undefined || !command.startsWith(program)) return;
  const names = allow.map((rule) => (typeof rule === 'string' ? rule : rule.program));
  const meant = nearest(program, names);
  return meant === undefined ? undefined : { command: meant + command.slice(program.length), cwd };
}

function timeoutAdvice({ timeout_ms: asked }: AskedCommand, { timeoutMs }: Adviser): string {
  if (asked !== undefined && asked < timeoutMs) {
    return `[the limit was timeout_ms ${asked}; up to ${timeoutMs} can be asked for]`;
  }
  return `[the limit is ${timeoutMs} ms and cannot be raised by timeout_ms; do less in one call, or use session_start for what goes on]`;
}

function outsideAdvice({ reasons: [first] }: Decision, { cwd }: AskedCommand, { places }: Adviser): string[] {
  if (first?.rule !== 'outside_root' || cwd === undefined) return [];
  return [`hint: cwd ${shownName(cwd)} is outside of ${places.roots.join(', ')}; give one beneath it.`];
}

/** Names the directory that was asked for, and those that there are, as far as files are listed. */
async function directoryAdvice(code: string | undefined, { cwd }: AskedCommand, { files }: Adviser): Promise<string[]> {
  if (cwd === undefined || (code !== 'not_found' && code !== 'not_a_directory')) return [];
  const above = path.dirname(cwd);
  const listed = await files.list(above);
  const entries = listed.ok ? listed.entries : [];
  const folders = entries.filter(({ type, name }) => type === 'dir' && !name.startsWith('.')).map(({ name }) => name);
  const meant = nearest(path.basename(cwd), folders);
  const call = (folder: string) => JSON.stringify(path.join(above, folder));
  const named = folders.slice(0, MAX_NAMED_DIRECTORIES).map(call).join(', ');
  const problem = code === 'not_found' ? 'does not exist' : 'is no directory';
  const place = above === '.' ? 'the workspace' : shownName(above);
  const choice =
    meant === undefined ? `Directories in ${place}: ${named === '' ? 'none' : named}.` : `Give cwd ${call(meant)}.`;
  return [`hint: cwd ${shownName(cwd)} ${problem}. ${choice}`];
}

function shownName(name: string): string {
  return JSON.stringify(name.length > MAX_ECHOED_NAME_CHARS ? `${name.slice(0, MAX_ECHOED_NAME_CHARS)}...` : name);
}

/** The call as its arguments. */
function instead({ command, cwd }: AskedCommand): string {
  return `instead: ${JSON.stringify({ command, ...(cwd === undefined ? {} : { cwd }) })}`;
}
