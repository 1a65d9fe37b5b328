import type { Redactor } from '../redaction/redactor.js';
import type { Outputs } from './outputs.js';
import type { RedactRequest } from './redact-request.js';
import type { Tally } from './redact-tally.js';

/** What each mode of `handrail redact` needs. */
export interface RedactWork {
  readonly request: RedactRequest;
  readonly redactor: Redactor;
  readonly outputs: Outputs;
  readonly tally: Tally;
  /** Fires when a signal came or nobody reads the output any more. */
  readonly stop: AbortSignal;
}
