/** What a read of a session gives. */
import { HandrailError } from '../errors.js';
import type { Reply } from '../live/requests.js';
import type { NativeRead } from '../native/binding.js';
import type { Decision } from '../report/decision.js';
import { describeEnd, type LiveEnd } from '../report/end.js';
import type { SessionAwaited } from './options.js';

/** Why a read of a session ended. */
export type SessionReason =
  | 'marker'
  | 'quiet'
  | 'idle'
  | 'matched'
  | 'timeout'
  | 'limit'
  | 'exited'
  | 'available'
  | 'denied';

/** The cursor of a terminal. */
export interface SessionCursor {
  /** The row, counted from 1. */
  readonly row: number;
  /** The column, counted from 1. */
  readonly column: number;
  /** Whether the program shows it. */
  readonly visible: boolean;
}

/** What the terminal of a session shows. */
export interface SessionScreen {
  /**
   * The rows, without blanks at their ends and without empty rows at the end. Secrets are masked as in one text, also
   * such as go over several rows.
   */
  readonly text: string;
  /** Where the cursor is in the terminal, before masking. */
  readonly cursor: SessionCursor;
  /**
   * Whether a full-screen program paints it: one that shows the alternate screen, or that erased the screen and then
   * went to a row. Otherwise it is the end of the output.
   */
  readonly fullScreen: boolean;
  /** Secrets masked in it. */
  readonly redactions: number;
}

/** The output of a session, cleaned and masked, and why the read ended. */
export interface SessionOutput {
  /** The output since the last answer, without the echo of the input. */
  readonly text: string;
  /**
   * `marker`: the output ends with a marker, and the program waits. `quiet`: nothing came for `quietMs`, or for a second
   * without processor time, and the program may wait for input. `idle`: for a second nothing came and no processor time
   * was used, and everything waits for something else than input, as a server that is ready does. `matched`: the text,
   * the pattern or the port of `until` came. `timeout`: the time is over. `limit`: the answer is as long as it may be;
   * the rest is in the history. `exited`: the program has ended. `available`: the read did not wait. `denied`: the
   * policy does not allow the input.
   */
  readonly reason: SessionReason;
  /** What `until` waited for, with `matched`: whether it came. Absent where `until` is a word. */
  readonly until?: SessionAwaited & { readonly matched: boolean };
  /**
   * Whether the kernel confirmed that the program waits for input: for nothing else, or at a marker. Without it the
   * program may also wait for a timer of its own.
   */
  readonly confirmed: boolean;
  /**
   * The command that was sent to a bash, zsh or fish, as the shell itself says it. Absent for other programs, for a read during which
   * no command ended, and for an empty line.
   */
  readonly command?: SessionCommand;
  /** Whether the input was written. False when the program was not ready to take it in time. */
  readonly sent: boolean;
  /** Bytes of output between the last answer and this one, which are in the history only. */
  readonly skippedBytes: number;
  /** Bytes of this answer that are in the history only. */
  readonly omittedBytes: number;
  /**
   * What a full-screen program shows; absent where the program writes lines. What is painted is not in `text` and not in
   * the history.
   */
  readonly screen?: SessionScreen;
  /**
   * `id` of the question that the program asks: it reads a line, such as a password, with the echo of its terminal turned
   * off. `Session.question` says more. Only where the toolkit had a listener of `question` when the session was opened.
   */
  readonly question?: string;
  /** Secrets masked in this answer. */
  readonly redactions: number;
  /** The position in the history where this answer ends. */
  readonly cursor: number;
  /** Why the input was denied. */
  readonly decision?: Decision;
}

/** How a command ended that was sent to a shell. */
export interface SessionCommand {
  /**
   * Its exit status; of several lines, that of the last. `null` where the shell has not said it: the command works on, or
   * reads the terminal itself, as a nested shell, `ssh` and any other REPL do.
   */
  readonly status: number | null;
  /** Time from the input to its end, or to the end of the read where its end is not known; in milliseconds. */
  readonly durationMs: number;
}

/** The output of a session so far. */
export interface SessionHistory {
  /** Cleaned and masked. */
  readonly text: string;
  /** Position of its first byte, counted from the session's start. */
  readonly start: number;
  /** Position of its end. Give it as `since` to get later output. */
  readonly end: number;
  /** Bytes before `start` that were asked for and are not kept any more. */
  readonly droppedBytes: number;
}

/** An output before it is known what its read waited for. */
export type Output = Omit<SessionOutput, 'until'> & { readonly matched?: boolean };

/** The output in the reply to a read. */
export function outputOf({ reply, text }: Reply, question?: string): Output {
  if (reply.answer === undefined) {
    throw new HandrailError('ERR_INTERNAL', 'An answer of a session came without its report');
  }
  const { question: _asked, ...answer } = reply.answer;
  return { ...answer, text, ...(question === undefined ? {} : { question }) };
}

/** The output with what its read waited for. */
export async function sessionOutput(
  output: Promise<Output>,
  awaited: SessionAwaited | undefined,
): Promise<SessionOutput> {
  const { matched = false, ...others } = await output;
  return Object.freeze({ ...others, ...(awaited === undefined ? {} : { until: { ...awaited, matched } }) });
}

/** Whether the program may work on earlier input after this output: nothing says that it waits for its terminal. */
export function mayWork({ reason, confirmed }: Output, { until }: NativeRead): boolean {
  if (reason === 'quiet') return until === 'silence' && !confirmed;
  return reason === 'timeout' || reason === 'limit' || reason === 'idle' || reason === 'matched';
}

/**
 * The last output of a program. A shell that ended during a command ended with the status of that command.
 *
 * @throws As `assertRan()`.
 */
export function withLastStatus(output: Output, end: LiveEnd): Output {
  assertRan(end);
  const { command } = output;
  if (command?.status !== null || end.exitCode === null) return output;
  return { ...output, command: { ...command, status: end.exitCode } };
}

/** @throws HandrailError `ERR_SYSTEM` for the end of a program that could not be started. */
export function assertRan(end: LiveEnd): void {
  if (end.status === 'spawn_failed') throw new HandrailError('ERR_SYSTEM', describeEnd(end));
}
