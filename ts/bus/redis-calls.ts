import { setTimeout as pause } from 'node:timers/promises';
import { HandrailError } from '../errors.js';
import { busError } from './errors.js';
import { LinkFailure, type RedisLink } from './redis-link.js';
import type { Script } from './redis-scripts.js';

/** Time between two attempts of a command, in milliseconds. */
const RETRY_MS = 25;

/** The share of the time limit that one attempt gets, so that a silent connection leaves time for a second attempt. */
const ATTEMPT_SHARE = 0.5;

/** Sends commands that may run twice, and repeats them until Redis answers or the time is over. */
export class RedisCalls {
  readonly link: RedisLink;
  readonly #timeoutMs: number;

  constructor(link: RedisLink, timeoutMs: number) {
    this.link = link;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends a command until it is answered.
   *
   * @param extraMs Time that the command itself may wait, in milliseconds.
   * @throws HandrailError `ERR_BUS` with the reason `unavailable`, `refused`, or `unknown` when a command was sent
   * without answer.
   */
  async repeat<Answer>(send: (link: RedisLink, deadline: number) => Promise<Answer>, extraMs = 0): Promise<Answer> {
    const end = performance.now() + this.#timeoutMs + extraMs;
    for (let wasSent = false; ; ) {
      try {
        const tryEnd = performance.now() + this.#timeoutMs * ATTEMPT_SHARE + extraMs;
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

/** Whether the group does not exist any more, because Redis was emptied or restarted without its data. */
export function isGroupMissing(error: unknown): boolean {
  return error instanceof HandrailError && error.data?.['code'] === 'NOGROUP';
}

/** Whether it is not known if a message was stored. */
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
