import { HandrailError, type HandrailErrorData } from '../errors.js';

/** The reason of an `ERR_BUS`, in `data.reason`. */
export type BusReason = 'unavailable' | 'unknown' | 'refused' | 'cursor_lost' | 'id_reused';

/** The error of a bus. Its message and data hold nothing of a message, of an address or of a cursor. */
export function busError(reason: BusReason, message: string, data: HandrailErrorData = {}): HandrailError {
  return new HandrailError('ERR_BUS', message, { data: { reason, ...data } });
}

/** A cursor that points nowhere: to read on from anywhere else would lose messages, or give them twice. */
export function cursorLost(oldest: string | undefined): HandrailError {
  return busError(
    'cursor_lost',
    'The topic has no message with the id in `after`: it was never there, or it was trimmed away. ' +
      "Read without `after`, or from the oldest that is kept with `after: '0-0'`",
    oldest === undefined ? {} : { oldest },
  );
}

/** The same id with another content is another message, and may not be taken for a second try. */
export function idReused(): HandrailError {
  return busError('id_reused', 'A message with this id and another content is stored already: nothing was stored');
}

/** A bound on things going on at once. */
export function busBusy(message: string, limit: number): HandrailError {
  return new HandrailError('ERR_BUSY', message, { data: { limit } });
}

export function busClosed(): HandrailError {
  return new HandrailError('ERR_CLOSED', 'This bus was closed');
}
