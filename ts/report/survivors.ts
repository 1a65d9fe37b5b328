import type { NativeEnd, NativeProcess } from '../native/binding.js';
import type { Redactor } from '../redaction/redactor.js';

/** A process as results name it. */
export interface ProcessNote {
  /** Process id; may be in use by another process by now. */
  readonly pid: number;
  /** Name the kernel knew it by, secrets masked. */
  readonly program: string;
}

/** Processes that could not be ended, or `'unknown'` where nobody has looked: those who end runs were killed themselves. */
export type Survivors = readonly ProcessNote[] | 'unknown';

/** What is known of the processes that a run left. */
export function survivorsOf({ survivors }: NativeEnd, redactor: Redactor): Survivors {
  return survivors === null ? 'unknown' : survivors.map((process) => processNote(process, redactor));
}

/** A process by its number and its masked name. */
export function processNote({ pid, program }: NativeProcess, redactor: Redactor): ProcessNote {
  return { pid, program: redactor.redact(program) };
}
