import { accessSync, constants as fileConstants, statSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import type { CommandResult } from '../report/result.js';
import type { TerminalOptions } from '../terminal/options.js';

/**
 * What the command line exits with when it is not the command's own code. From 124 on the numbers are those
 * of `timeout`, `env` and `docker run`; a denial has one that none of them uses.
 */
export const EXIT = Object.freeze({
  ok: 0,
  /** A secret was found, and that was to fail. */
  found: 1,
  /** Nobody has decided yet. */
  open: 3,
  denied: 123,
  timedOut: 124,
  /** Handrail itself failed: wrong usage, a configuration or file that cannot be used, a machine that is short of something. */
  failure: 125,
  notExecutable: 126,
  notFound: 127,
  /** What a shell gives for SIGPIPE: nobody read the output any more. */
  unread: 141,
});

/** As shells have it. */
const SIGNAL_BASE = 128;

/** What was to run, and what it was looked for in. */
export interface Asked {
  readonly command: string | readonly string[];
  readonly options: Pick<TerminalOptions, 'cwd' | 'path'>;
}

/**
 * The exit code for a result: the command's own wherever it has one.
 *
 * @param endedBy Signal that ended the command line, and the command with it.
 */
export function exitCodeOf(result: CommandResult, asked: Asked, endedBy: NodeJS.Signals | null): number {
  switch (result.status) {
    case 'exited':
      return result.exitCode;
    case 'signaled':
      return signalCode(result.signal);
    case 'timed_out':
      return EXIT.timedOut;
    case 'denied':
      return EXIT.denied;
    case 'spawn_failed':
      return startFailureCode(result, asked);
    case 'cancelled':
      return signalCode(endedBy);
  }
}

function startFailureCode({ failure }: CommandResult, asked: Asked): number {
  switch (failure?.code) {
    case 'program_not_found':
      return isThere(asked) ? EXIT.notExecutable : EXIT.notFound;
    case 'interpreter_not_found':
      return EXIT.notExecutable;
    case 'spawn':
      return failure.stage === 'execute' ? EXIT.notExecutable : EXIT.failure;
    default:
      return EXIT.failure;
  }
}

/** Whether the program is a file that may not be executed; the search passes over such a file. */
function isThere({ command, options }: Asked): boolean {
  const [program = ''] = typeof command === 'string' ? [] : command;
  const folders = program.includes('/') ? [options.cwd ?? '.'] : (options.path ?? []);
  return folders.some((folder) => isUnexecutable(path.resolve(folder, program)));
}

function isUnexecutable(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  try {
    accessSync(file, fileConstants.X_OK);
    return false;
  } catch {
    return true;
  }
}

/** What ends with a signal exits with this: 128 and the signal's number. */
export function signalCode(signal: string | null): number {
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
  return number === undefined ? EXIT.failure : SIGNAL_BASE + number;
}
