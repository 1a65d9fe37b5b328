/**
 * What commands reach under `network: { allow: [...] }`: what the list names and nothing else. The same attempts with an open
 * network show that each works there. As root and as an ordinary user.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';

import { hostProgram, USERS } from './hosts.js';
import type { NetworkAnswer, NetworkRequest } from './network-host.js';
import { ALLOWED_HOSTS, NETWORK_ATTEMPTS, NETWORK_USES } from './network-rows.js';

const ALL_TIMEOUT_MS = 600_000;
const EVERYTHING = [...NETWORK_ATTEMPTS, ...NETWORK_USES];
const host = await hostProgram<NetworkRequest, Record<string, NetworkAnswer>>('network-host.ts');
const program = readFileSync(new URL('programs/network.py', import.meta.url), 'utf8');

test('no two rows have one name', () => {
  expect(new Set(EVERYTHING.map(({ id }) => id)).size).toBe(EVERYTHING.length);
});

describe.each(USERS)('as uid %i', (uid) => {
  let list: Record<string, NetworkAnswer>;
  let any: Record<string, NetworkAnswer>;
  beforeAll(async () => {
    const request = { allow: ALLOWED_HOSTS, rows: EVERYTHING, program };
    list = await host(uid, { ...request, network: 'list' });
    any = await host(uid, { ...request, network: 'any' });
  }, ALL_TIMEOUT_MS);

  test.for(NETWORK_ATTEMPTS.map((row) => [row.id, row] as const))('%s', ([id, { never }], context) => {
    expect({ with: list[id] }).toMatchObject({ with: { worked: false } });
    context.skip(any[id]?.said === 'lacks', 'this kernel lacks the call');
    if (never === undefined) expect({ without: any[id] }).toMatchObject({ without: { worked: true } });
  });

  test.for(NETWORK_USES.map((row) => [row.id, row] as const))('%s', ([id]) => {
    expect(list[id]).toMatchObject({ worked: true });
    expect(any[id]).toMatchObject({ worked: true });
  });
});
