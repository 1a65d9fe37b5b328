/** Advice for a model about a command that was refused or failed: the next call that it can make. */
import path from 'node:path';
import { nearest } from '../config/nearest.js';
import type { Files } from '../files/files.js';
import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { callForModel, limitForModel } from '../report/advice.js';
import type { Decision } from '../report/decision.js';
import type { CommandResult } from '../report/result.js';
import { MAX_ECHOED_NAME_CHARS } from './limits.js';

/** The arguments of a call of `terminal_run`. */
export interface CommandArguments {
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly timeout_ms?: number | undefined;
}

/** The directories that advice may name. */
export interface CommandPlaces {
  /** The directories that commands may start in. */
  readonly roots: readonly string[];
}

/** What is needed to write advice. */
export interface AdviceContext {
  readonly places: CommandPlaces;
  /** Default and largest time limit of a command, in milliseconds. */
  readonly timeoutMs: number;
  /** Present where a command can go on as a job. */
  readonly jobs?: object | undefined;
  /** Lists directories. */
  readonly files: Pick<Files, 'list'>;
  readonly redactor: Pick<Redactor, 'redact'>;
}

/** Most directories that are named when `cwd` was not found. */
const MAX_NAMED_DIRECTORIES = 8;
const FILE_WRITE_HINT = 'A file is written with file_write.';

/** The lines that follow a refusal or a failure. */
export async function nextCall(
  result: CommandResult,
  commandArguments: CommandArguments,
  context: AdviceContext,
): Promise<string[]> {
  switch (result.status) {
    case 'denied':
      return [
        ...(await deniedAdvice(result.decision, commandArguments, context)),
        ...outsideAdvice(result.decision, commandArguments, context),
      ];
    case 'timed_out':
      return [timeoutAdvice(commandArguments, context)];
    case 'spawn_failed':
      return await directoryAdvice(result.failure?.code, commandArguments, context);
    default:
      return [];
  }
}

/** The replacement call of the decision. A call in another directory is given only when that directory exists. */
async function deniedAdvice(
  { reasons }: Decision,
  commandArguments: CommandArguments,
  { files }: AdviceContext,
): Promise<string[]> {
  const writes = reasons.some(({ rule }) => rule === 'syntax.redirection') ? [FILE_WRITE_HINT] : [];
  const call = reasons.flatMap(({ advice = [] }) => advice).find((piece) => piece.kind === 'replace');
  if (call === undefined) return writes;
  if (call.cwd === undefined) return [callForModel({ command: call.command, cwd: commandArguments.cwd }), ...writes];
  const cwd = commandArguments.cwd === undefined ? call.cwd : path.join(commandArguments.cwd, call.cwd);
  const { ok } = await files.list(cwd);
  return ok ? [callForModel({ command: call.command, cwd }), ...writes] : writes;
}

function timeoutAdvice({ timeout_ms: asked }: CommandArguments, { timeoutMs, jobs }: AdviceContext): string {
  if (asked !== undefined && asked < timeoutMs) {
    return limitForModel({ kind: 'limit', name: 'timeout_ms', value: timeoutMs }, asked);
  }
  return `[the limit is ${timeoutMs} ms and cannot be raised by timeout_ms; do less in one call, or ${jobs === undefined ? 'use session_start' : 'give wait_ms'} for what goes on]`;
}

function outsideAdvice(
  { reasons: [first] }: Decision,
  { cwd }: CommandArguments,
  { places, redactor }: AdviceContext,
): string[] {
  if (first?.rule !== 'outside_root' || cwd === undefined) return [];
  return [`hint: cwd ${shownName(cwd, redactor)} is outside of ${places.roots.join(', ')}; give one beneath it.`];
}

/** Names the directory that was asked for, and the directories that exist beside it. */
async function directoryAdvice(
  code: string | undefined,
  { cwd }: CommandArguments,
  { files, redactor }: AdviceContext,
): Promise<string[]> {
  if (cwd === undefined || (code !== 'not_found' && code !== 'not_a_directory')) return [];
  const parentDirectory = path.dirname(cwd);
  const listing = await files.list(parentDirectory);
  const entries = listing.ok ? listing.entries : [];
  const folders = entries.filter(({ type, name }) => type === 'dir' && !name.startsWith('.')).map(({ name }) => name);
  const probableName = nearest(path.basename(cwd), folders);
  const call = (folder: string) => JSON.stringify(path.join(parentDirectory, folder));
  const directoryNames = folders.slice(0, MAX_NAMED_DIRECTORIES).map(call).join(', ');
  const problem = code === 'not_found' ? 'does not exist' : 'is no directory';
  const parentText = parentDirectory === '.' ? 'the workspace' : shownName(parentDirectory, redactor);
  const choice =
    probableName === undefined
      ? `Directories in ${parentText}: ${directoryNames === '' ? 'none' : directoryNames}.`
      : `Give cwd ${call(probableName)}.`;
  return [`hint: cwd ${shownName(cwd, redactor)} ${problem}. ${choice}`];
}

/** A name with secrets masked, then shortened: no rule recognises a secret that was cut. */
function shownName(name: string, redactor: AdviceContext['redactor']): string {
  const maskedName = redactor.redact(name);
  const shortName = firstChars(maskedName, MAX_ECHOED_NAME_CHARS);
  return JSON.stringify(shortName === maskedName ? maskedName : `${shortName}...`);
}
