/** What a model can ask instead of a command that was refused or failed. */
import path from 'node:path';
import { nearest } from '../config/nearest.js';
import type { Files } from '../files/files.js';
import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { callForModel, limitForModel } from '../report/advice.js';
import type { Decision } from '../report/decision.js';
import type { CommandResult } from '../report/result.js';
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
}

/** What advice is made with. */
export interface Adviser {
  readonly places: CommandPlaces;
  /** Time a command gets, and the most that can be asked for, in milliseconds. */
  readonly timeoutMs: number;
  /** What is said about a directory. */
  readonly files: Pick<Files, 'list'>;
  readonly redactor: Pick<Redactor, 'redact'>;
}

/** Directories that are named where one was not found. */
const MAX_NAMED_DIRECTORIES = 8;
const WRITTEN_BY_TOOL = 'A file is written with file_write.';

/** Lines to be put behind a refusal. */
export async function nextCall(result: CommandResult, asked: AskedCommand, adviser: Adviser): Promise<string[]> {
  switch (result.status) {
    case 'denied':
      return [
        ...(await deniedAdvice(result.decision, asked, adviser)),
        ...outsideAdvice(result.decision, asked, adviser),
      ];
    case 'timed_out':
      return [timeoutAdvice(asked, adviser)];
    case 'spawn_failed':
      return await directoryAdvice(result.failure?.code, asked, adviser);
    default:
      return [];
  }
}

/** The call that was found with the refusal; where it is for another directory, only if there is that directory. */
async function deniedAdvice({ reasons }: Decision, asked: AskedCommand, { files }: Adviser): Promise<string[]> {
  const writes = reasons.some(({ rule }) => rule === 'syntax.redirection') ? [WRITTEN_BY_TOOL] : [];
  const call = reasons.flatMap(({ advice = [] }) => advice).find((one) => one.kind === 'replace');
  if (call === undefined) return writes;
  if (call.cwd === undefined) return [callForModel({ command: call.command, cwd: asked.cwd }), ...writes];
  const cwd = asked.cwd === undefined ? call.cwd : path.join(asked.cwd, call.cwd);
  const { ok } = await files.list(cwd);
  return ok ? [callForModel({ command: call.command, cwd }), ...writes] : writes;
}

function timeoutAdvice({ timeout_ms: asked }: AskedCommand, { timeoutMs }: Adviser): string {
  if (asked !== undefined && asked < timeoutMs) {
    return limitForModel({ kind: 'limit', name: 'timeout_ms', value: timeoutMs }, asked);
  }
  return `[the limit is ${timeoutMs} ms and cannot be raised by timeout_ms; do less in one call, or use session_start for what goes on]`;
}

function outsideAdvice({ reasons: [first] }: Decision, { cwd }: AskedCommand, { places, redactor }: Adviser): string[] {
  if (first?.rule !== 'outside_root' || cwd === undefined) return [];
  return [`hint: cwd ${shownName(cwd, redactor)} is outside of ${places.roots.join(', ')}; give one beneath it.`];
}

/** Names the directory that was asked for, and those that there are, as far as files are listed. */
async function directoryAdvice(
  code: string | undefined,
  { cwd }: AskedCommand,
  { files, redactor }: Adviser,
): Promise<string[]> {
  if (cwd === undefined || (code !== 'not_found' && code !== 'not_a_directory')) return [];
  const above = path.dirname(cwd);
  const listed = await files.list(above);
  const entries = listed.ok ? listed.entries : [];
  const folders = entries.filter(({ type, name }) => type === 'dir' && !name.startsWith('.')).map(({ name }) => name);
  const meant = nearest(path.basename(cwd), folders);
  const call = (folder: string) => JSON.stringify(path.join(above, folder));
  const named = folders.slice(0, MAX_NAMED_DIRECTORIES).map(call).join(', ');
  const problem = code === 'not_found' ? 'does not exist' : 'is no directory';
  const place = above === '.' ? 'the workspace' : shownName(above, redactor);
  const choice =
    meant === undefined ? `Directories in ${place}: ${named === '' ? 'none' : named}.` : `Give cwd ${call(meant)}.`;
  return [`hint: cwd ${shownName(cwd, redactor)} ${problem}. ${choice}`];
}

/** Masked before it is cut: of half a secret no rule knows anything. */
function shownName(name: string, redactor: Adviser['redactor']): string {
  const masked = redactor.redact(name);
  const shown = firstChars(masked, MAX_ECHOED_NAME_CHARS);
  return JSON.stringify(shown === masked ? masked : `${shown}...`);
}
