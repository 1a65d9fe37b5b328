import { countChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { type Failure, startFailureIn } from '../report/end.js';
import { limitText } from '../report/limit.js';
import { reasonText, shownText } from './clean.js';
import { ConnectError } from './connection.js';
import { MAX_QUOTED_STDERR_CHARS } from './limits.js';
import type { TransportEnd } from './link.js';

/** A clause about how a server ended, such as `it exited with code 3`. */
export function endText({ end, breach }: TransportEnd): string {
  if (breach !== undefined) return breach;
  if (end?.failure !== undefined && end.status !== 'spawn_failed') return end.failure.message;
  switch (end?.status) {
    case undefined:
      return 'it ended';
    case 'exited':
      return `it exited with code ${end.exitCode ?? 'unknown'}`;
    case 'signaled':
      return `it was ended by ${end.signal ?? 'a signal'}`;
    case 'limited':
      return `it was ended because it ${limitText(end.limit)}`;
    case 'cancelled':
      return 'it was closed';
    case 'spawn_failed':
      return `it could not be started: ${end.failure?.message ?? 'no reason is known'}`;
  }
}

/** A clause about why a server could not be connected. */
export function connectFailure(redactor: Redactor, error: unknown): string {
  if (!(error instanceof ConnectError)) return 'it could not be started';
  if (error.end !== undefined && !error.end.isOurs) return endText(error.end);
  return error.isLate ? 'it did not answer in time' : reasonText(redactor, error.message);
}

/** The failure of Handrail or the system because of which a server could not be connected. */
export function failureIn(error: unknown): Failure | undefined {
  const end = error instanceof ConnectError ? error.end?.end : undefined;
  return end?.failure ?? startFailureIn(error);
}

/** A quote of the end of standard error, on lines of its own. Empty when nothing was written. */
export function stderrQuote(redactor: Redactor, end: TransportEnd | undefined): string {
  const text = redactor.redact(shownText(end?.stderr ?? '')).trimEnd();
  if (text === '') return '';
  return `\nIts standard error ended with:\n${lastChars(text, MAX_QUOTED_STDERR_CHARS)}`;
}

/** The last `maximum` characters of a text; from the first beginning of a line among them, if there is one. */
function lastChars(text: string, maximum: number): string {
  if (countChars(text) <= maximum) return text;
  const tail = [...text.slice(-2 * maximum)].slice(-maximum).join('');
  const lineEnd = tail.indexOf('\n');
  return lineEnd === -1 ? tail : tail.slice(lineEnd + 1);
}
