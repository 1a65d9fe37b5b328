/** A program as people drive it in a session: what is typed, and what each answer must hold. */
import type { SessionOptions, SessionReason } from '../../../ts/index.js';

export interface Step {
  /** A line to send. */
  readonly send?: string;
  /** Keys to press, before a read. Without `send` and `press` the step only reads. */
  readonly press?: string;
  /** What the answer, or the picture in its place, must match. */
  readonly shows: RegExp;
  /** Why the read ends. Default: the program is ready. */
  readonly reason?: SessionReason;
  /** The program writes on by itself: what comes after the answer is no part of it. */
  readonly writesOn?: true;
  /** The time-out of the read. Only where the program is to be read until then. */
  readonly timeoutMs?: number;
}

export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  /** The program that has to be installed. Default: the first word of the command. */
  readonly needs?: string;
  /** Files in the folder that the program is started in, by their names. */
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Pick<SessionOptions, 'readyMarkers' | 'env' | 'rows' | 'cols'>;
  readonly steps: readonly Step[];
}

/** Sends a line. */
export function send(line: string, shows: RegExp, others: Omit<Step, 'shows' | 'send' | 'press'> = {}): Step {
  return { send: line, shows, ...others };
}

/** Presses keys and reads. */
export function press(keys: string, shows: RegExp, others: Omit<Step, 'shows' | 'send' | 'press'> = {}): Step {
  return { press: keys, shows, ...others };
}

/** Reads. */
export function see(shows: RegExp, others: Omit<Step, 'shows' | 'send' | 'press'> = {}): Step {
  return { shows, ...others };
}

/** The program ends with this answer. */
export const END = { reason: 'exited' } as const;
