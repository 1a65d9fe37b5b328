import { constants } from 'node:os';
import type { CommandResult } from '../terminal/result.js';

/** What the command line exits with when it is not the command's own code. */
export const EXIT = Object.freeze({
  ok: 0,
  failure: 1,
  usage: 2,
  /** A secret was found, and that was to fail. */
  found: 3,
  /** Nobody has decided yet. */
  open: 3,
  timedOut: 124,
  denied: 126,
  notStarted: 127,
  /** What a shell gives for SIGPIPE: nobody read the output any more. */
  unread: 141,
});

/** As shells have it. */
const SIGNAL_BASE = 128;

/**
 * The exit code for a result: the command's own wherever it has one.
 *
 * @param endedBy Signal that ended the command line, and the command with it.
 */
export function exitCodeOf(result: CommandResult, endedBy: NodeJS.Signals | null): number {
  switch (result.status) {
    case 'exited':
      return result.exitCode ?? EXIT.failure;
    case 'signaled':
      return signalCode(result.signal);
    case 'timed_out':
      return EXIT.timedOut;
    case 'denied':
      return EXIT.denied;
    case 'spawn_failed':
      return EXIT.notStarted;
    case 'cancelled':
      return signalCode(endedBy);
  }
}

/** What ends with a signal exits with this: 128 and the signal's number. */
export function signalCode(signal: string | null): number {
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
  return number === undefined ? EXIT.failure : SIGNAL_BASE + number;
}
