import type { Redis } from 'ioredis';
import { HandrailError } from '../errors.js';

const COMMAND = 'npm install ioredis@6';

/**
 * Loads the class of the Redis client. Called with the first bus that needs it.
 *
 * @throws HandrailError `ERR_PEER_MISSING` where it is not installed.
 */
export async function loadRedis(): Promise<typeof Redis> {
  try {
    return (await import('ioredis')).Redis;
  } catch (cause) {
    throw new HandrailError('ERR_PEER_MISSING', `RedisBus needs the package ioredis: ${COMMAND}`, {
      data: { package: 'ioredis', command: COMMAND },
      cause,
    });
  }
}
