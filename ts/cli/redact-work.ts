import type { Redactor } from '../redaction/redactor.js';
import type { Outputs } from './outputs.js';
import type { RedactRequest } from './redact-request.js';
import type { Tally } from './redact-tally.js';

/** What each way of redacting works with. */
export interface RedactWork {
  readonly request: RedactRequest;
  readonly redactor: Redactor;
  readonly outputs: Outputs;
  readonly tally: Tally;
  /** Fires when there is nobody to work for. */
  readonly stop: AbortSignal;
}
