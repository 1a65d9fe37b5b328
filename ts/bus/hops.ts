import { AsyncLocalStorage } from 'node:async_hooks';
import { busError } from './errors.js';

/** The hops of the message whose handler runs, so that what the handler sends counts on without being told. */
const handledHops = new AsyncLocalStorage<number>();

/** Runs the handler of a message. What is sent while it runs is caused by that message. */
export function handlingMessage<Value>(payload: object, handle: () => Value): Value {
  return handledHops.run(hopsOf(payload), handle);
}

/**
 * The hops of a message that is sent now: one more than its cause has, 0 where it has none.
 *
 * @param cause The message that is answered. Default: the one whose handler runs.
 * @throws HandrailError `ERR_BUS` with the reason `too_many_hops` above `maxHops`.
 */
export function nextHops(maxHops: number, cause: object | undefined): number {
  const causeHops = cause === undefined ? handledHops.getStore() : hopsOf(cause);
  const hops = causeHops === undefined ? 0 : causeHops + 1;
  if (hops <= maxHops) return hops;
  throw busError(
    'too_many_hops',
    `This message would answer a message that answers another, and so on, more than ${maxHops} times: nothing was ` +
      'stored. End the exchange here, or let a person go on with it',
    { limit: maxHops },
  );
}

/** The hops in an envelope, or in a message of a bus. What is no count is 0: other programs write none. */
function hopsOf(message: object): number {
  const envelope = memberOf(message, 'payload') ?? message;
  const hops = memberOf(memberOf(memberOf(envelope, 'metadata'), '_bus'), 'hops');
  return typeof hops === 'number' && hops >= 0 ? hops : 0;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
