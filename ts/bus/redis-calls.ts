import { setTimeout as pause } from 'node:timers/promises';
import { HandrailError } from '../errors.js';
import { busError } from './errors.js';
import { LinkFailure, type RedisLink } from './redis-link.js';
import type { Script } from './redis-scripts.js';

/** Between two tries of the same command. */
const RETRY_MS = 25;

/** Of the time there is, the part that one try gets: a connection that went silent leaves room for a second one. */
const TRY_SHARE = 0.5;

/** Commands that may be carried out twice, sent until one was answered or the time is over. */
export class RedisCalls {
  readonly link: RedisLink;
  readonly #timeoutMs: number;

  constructor(link: RedisLink, timeoutMs: number) {
    this.link = link;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * @param extraMs Time that the command itself may wait.
   * @throws HandrailError `ERR_BUS`: `unavailable`, `refused`, or `unknown` where that makes a difference.
   */
  async repeat<Answer>(send: (link: RedisLink, deadline: number) => Promise<Answer>, extraMs = 0): Promise<Answer> {
    const end = performance.now() + this.#timeoutMs + extraMs;
    for (let wasSent = false; ; ) {
      try {
        const tryEnd = performance.now() + this.#timeoutMs * TRY_SHARE + extraMs;
        return await send(this.link, Math.min(end, tryEnd));
      } catch (error) {
        if (!(error instanceof LinkFailure)) throw error;
        if (error.fate === 'answered') throw refusal(error.reason);
        wasSent ||= error.fate === 'lost';
        if (performance.now() + RETRY_MS >= end) throw outage(error.reason, wasSent);
      }
      await pause(RETRY_MS);
    }
  }

  async run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return await this.repeat((link, deadline) => link.run(script, keys, args, deadline));
  }
}

/** Whether the server has no such group any more: it was emptied, or began anew. */
export function isGroupMissing(error: unknown): boolean {
  return error instanceof HandrailError && error.data?.['code'] === 'NOGROUP';
}

/** Whether nobody knows what became of a message. */
export function isUnknown(error: unknown): boolean {
  return error instanceof HandrailError && error.data?.['reason'] === 'unknown';
}

function refusal(code: string): HandrailError {
  return busError('refused', `Redis has refused the command (${code})`, { code });
}

function outage(code: string, wasSent: boolean): HandrailError {
  return wasSent
    ? busError('unknown', `Redis was asked and has not answered in time (${code})`, { code })
    : busError('unavailable', `Redis cannot be reached (${code}): nothing was sent`, { code });
}
