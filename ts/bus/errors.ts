import { HandrailError, type HandrailErrorData } from '../errors.js';

/** The reason of an `ERR_BUS`, in `data.reason`. */
export type BusReason =
  | 'unavailable'
  | 'unknown'
  | 'refused'
  | 'cursor_lost'
  | 'id_reused'
  | 'rate_limited'
  | 'too_many_hops';

/** An `ERR_BUS`. Its message and data hold no part of a message, an address or a cursor. */
export function busError(reason: BusReason, message: string, data: HandrailErrorData = {}): HandrailError {
  return new HandrailError('ERR_BUS', message, { data: { reason, ...data } });
}

/** The error for a cursor without its message: reading from elsewhere would lose messages or repeat them. */
export function cursorLost(oldest: string | undefined): HandrailError {
  return busError(
    'cursor_lost',
    'The topic has no message with the id in `after`: it was never there, or it was trimmed away. ' +
      "Read without `after`, or from the oldest that is kept with `after: '0-0'`",
    oldest === undefined ? {} : { oldest },
  );
}

/** The error for an id that another message has: the call is no repetition of an earlier one. */
export function idReused(): HandrailError {
  return busError('id_reused', 'A message with this id and another content is stored already: nothing was stored');
}

/** The error for a limit that is reached. */
export function busBusy(message: string, limit: number): HandrailError {
  return new HandrailError('ERR_BUSY', message, { data: { limit } });
}

/** The error for a bus that was closed. */
export function busClosed(): HandrailError {
  return new HandrailError('ERR_CLOSED', 'This bus was closed');
}
