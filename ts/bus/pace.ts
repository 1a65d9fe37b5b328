import type { Bus } from './bus.js';
import { busError } from './errors.js';

/** The time within which messages of one sender are counted. */
const MINUTE_MS = 60_000;

const MS_PER_SECOND = 1_000;

/** When each sender has sent over a bus, oldest first. Toolkits of one agent that share a bus share its pace. */
const sendingTimes = new WeakMap<Bus, Map<string, number[]>>();

/**
 * Counts a message of a sender.
 *
 * @param messagesPerMinute The most within any 60 s. Undefined: any number.
 * @throws HandrailError `ERR_BUS` with the reason `rate_limited`, and `retryAfterMs`. A refused message does not count.
 */
export function countMessage(bus: Bus, sender: string, messagesPerMinute: number | undefined): void {
  if (messagesPerMinute === undefined) return;
  const now = performance.now();
  const senders = sendingTimes.get(bus) ?? new Map<string, number[]>();
  const times = (senders.get(sender) ?? []).filter((time) => now - time < MINUTE_MS);
  const blocking = times.at(-messagesPerMinute);
  if (blocking !== undefined) {
    const retryAfterMs = Math.ceil(blocking + MINUTE_MS - now);
    throw busError(
      'rate_limited',
      `${messagesPerMinute} messages were sent within a minute, which is the most: nothing was stored. Send again in ` +
        `${Math.ceil(retryAfterMs / MS_PER_SECOND)} s`,
      { limit: messagesPerMinute, retryAfterMs },
    );
  }
  times.push(now);
  senders.set(sender, times);
  sendingTimes.set(bus, senders);
}
