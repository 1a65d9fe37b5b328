/**
 * What commands with a loopback of their own reach: each other, and nothing of the host or of another toolkit. The same with an
 * open network shows that each attempt works there. As root and as an ordinary user.
 */
import { beforeAll, describe, expect, test } from 'vitest';

import { hostProgram, USERS } from './hosts.js';
import type { LoopbackAnswer, LoopbackRequest } from './loopback-host.js';

const ALL_TIMEOUT_MS = 600_000;

const host = await hostProgram<LoopbackRequest, LoopbackAnswer>('loopback-host.ts');

const succeeded = (attempts: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(attempts).flatMap(([name, done]) => (done ? [name] : []));

describe.each(USERS)('as uid %i', (uid) => {
  let own: LoopbackAnswer;
  let open: LoopbackAnswer;
  beforeAll(async () => {
    own = await host(uid, { network: 'loopback' });
    open = await host(uid, { network: 'any' });
  }, ALL_TIMEOUT_MS);

  test('it is enforced, and each result says so', () => {
    expect(own.sandbox).toEqual(expect.arrayContaining(['network namespace', 'network: enforced']));
    expect(open.sandbox).not.toContain('network namespace');
  });

  test('no address of the host is reached, by connection or packet', () => {
    expect(succeeded(own.addresses)).toEqual([]);
    expect(succeeded(open.addresses)).toEqual(
      expect.arrayContaining(['127.0.0.1 1', '127.0.0.1 2', '::1 1', '::1 2', '::ffff:127.0.0.1 1', '0.0.0.0 2']),
    );
    expect(succeeded(open.addresses).length).toBeGreaterThan(10);
  });

  test('no socket of another kind is made', () => {
    expect(succeeded(own.sockets)).toEqual([]);
    // Which kinds there are depends on the kernel. Root's commands have no right to raw sockets, whatever the network is.
    expect(succeeded(open.sockets)).toEqual(expect.arrayContaining(['audit of netlink', 'events of devices']));
  });

  test('nothing leads back: no namespace is entered, no ring made, no descriptor inherited', () => {
    expect({ calls: succeeded(own.calls), inherited: own.inherited }).toEqual({ calls: [], inherited: '' });
    expect(succeeded(open.calls)).toContain('io_uring');
  });

  test('a server of one session answers the next run and the forwarded port, and nobody else', () => {
    expect(own.answered).toEqual({
      until: 'matched',
      run: 'hello',
      forwarded: 'hello',
      unforwarded: 'ECONNREFUSED',
      elsewhere: 'ECONNREFUSED',
      host: 'ECONNREFUSED',
    });
    expect(open.answered).toMatchObject({ until: 'matched', run: 'hello', elsewhere: 'hello', host: 'hello' });
  });

  test('a test suite that listens on a port passes', () => {
    expect(own.suite).toBe('0');
  });

  test('an address outside is named, with the limit', () => {
    expect(own.blocked).toEqual([expect.stringMatching(/^network: .*203\.0\.113\.1.* a loopback of their own$/)]);
  });
});
