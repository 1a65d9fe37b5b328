import { describe, expect, it } from 'vitest';
import { MAX_BUS_TIMEOUT_MS } from '../../ts/bus/limits.js';
import { RedisBus, type RedisBusOptions } from '../../ts/bus/redis.js';
import { describeWithRedis } from '../support/redis.js';
import { answersContract } from './answers-contract.js';
import { busContract } from './contract.js';
import { trimmingContract } from './trimming-contract.js';

describeWithRedis('RedisBus', (server) => {
  const reach = () => ({ url: server.url, timeoutMs: MAX_BUS_TIMEOUT_MS });
  busContract(() => new RedisBus(reach()));
  answersContract(() => new RedisBus(reach()));
  trimmingContract((options) => new RedisBus({ ...reach(), ...options }));
});

describe('new RedisBus', () => {
  it.each<unknown>([
    undefined,
    '',
    'localhost:6379',
    'http://localhost',
    'redis://',
    { url: 'redis://h', timeoutMs: 9 },
    { url: 'redis://h', timeoutMs: 60_001 },
    { url: 'redis://h', maxLength: 0 },
    { url: 'redis://h', maxLength: 1_000_001 },
    { url: 'redis://h', client: {} },
  ])('refuses %j, and repeats no address', (options) => {
    expect(() => new RedisBus(options as RedisBusOptions)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT', message: expect.not.stringContaining('localhost') }),
    );
  });
});
