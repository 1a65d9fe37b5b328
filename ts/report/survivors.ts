import type { NativeEnd, NativeProcess } from '../native/binding.js';
import type { Redactor } from '../redaction/redactor.js';

/** A process by its id and name. */
export interface ProcessNote {
  /** Process id; another process may have it by now. */
  readonly pid: number;
  /** The process name of the kernel, secrets masked. */
  readonly program: string;
}

/** Processes that could not be ended, or `'unknown'` where Handrail's own processes were killed, so that nobody has looked. */
export type Survivors = readonly ProcessNote[] | 'unknown';

/** The processes of a program that could not be ended. */
export function survivorsOf({ survivors }: NativeEnd, redactor: Redactor): Survivors {
  return survivors === null ? 'unknown' : survivors.map((process) => processNote(process, redactor));
}

/** A process with its name masked. */
export function processNote({ pid, program }: NativeProcess, redactor: Redactor): ProcessNote {
  return { pid, program: redactor.redact(program) };
}
