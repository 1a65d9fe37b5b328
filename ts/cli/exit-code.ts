import { accessSync, constants as fileConstants, statSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import type { CommandResult } from '../report/result.js';
import type { TerminalOptions } from '../terminal/options.js';

/**
 * The exit codes of the command line itself. From 124 on they are those of `timeout`, `env` and `docker run`; a denial
 * has a code that none of them uses.
 */
export const EXIT = Object.freeze({
  ok: 0,
  /** A secret was found, and the user asked to fail then. */
  found: 1,
  /** An approver would have to decide. */
  open: 3,
  /** The command met a limit of what it may use. */
  limited: 122,
  denied: 123,
  timedOut: 124,
  /** Handrail itself failed: wrong usage, a configuration or file that cannot be used, or a machine without enough resources. */
  failure: 125,
  notExecutable: 126,
  notFound: 127,
  /** The code of a shell for SIGPIPE: nobody read the output any more. */
  unread: 141,
});

/** Added to the number of the signal that ended a program, as shells do. */
const SIGNAL_BASE = 128;

/** The command, and the options that say where its program is searched. */
export interface RequestedCommand {
  readonly command: string | readonly string[];
  readonly options: Pick<TerminalOptions, 'cwd' | 'path'>;
}

/**
 * The exit code for a result: the command's own code wherever it has one.
 *
 * @param endedBy The signal that ended the command line, and the command with it.
 */
export function exitCodeOf(result: CommandResult, requested: RequestedCommand, endedBy: NodeJS.Signals | null): number {
  switch (result.status) {
    case 'exited':
      return result.exitCode;
    case 'signaled':
      return signalCode(result.signal);
    case 'timed_out':
      return EXIT.timedOut;
    case 'limited':
      return EXIT.limited;
    case 'denied':
      return EXIT.denied;
    case 'spawn_failed':
      return startFailureCode(result, requested);
    case 'cancelled':
      return signalCode(endedBy);
  }
}

function startFailureCode({ failure }: CommandResult, requested: RequestedCommand): number {
  switch (failure?.code) {
    case 'program_not_found':
      return isUnexecutableProgram(requested) ? EXIT.notExecutable : EXIT.notFound;
    case 'interpreter_not_found':
      return EXIT.notExecutable;
    case 'spawn':
      return failure.stage === 'execute' ? EXIT.notExecutable : EXIT.failure;
    default:
      return EXIT.failure;
  }
}

/** Whether there is a file of this name that may not be executed. The search for programs passes over such files. */
function isUnexecutableProgram({ command, options }: RequestedCommand): boolean {
  const [program = ''] = typeof command === 'string' ? [] : command;
  const added = options.path ?? [];
  const searched = 'length' in added ? added : [...(added.first ?? []), ...(added.last ?? [])];
  const folders = program.includes('/') ? [options.cwd ?? '.'] : searched;
  return folders.some((folder) => isUnexecutableFile(path.resolve(folder, program)));
}

function isUnexecutableFile(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  try {
    accessSync(file, fileConstants.X_OK);
    return false;
  } catch {
    return true;
  }
}

/** The exit code after a signal: 128 plus its number. */
export function signalCode(signal: string | null): number {
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
  return number === undefined ? EXIT.failure : SIGNAL_BASE + number;
}
