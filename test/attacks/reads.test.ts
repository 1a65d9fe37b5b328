/** Attempts to read protected places, for root and for an ordinary user, with a namespace and without: each works with `reads: 'any'`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';
import { hostProgram, USERS } from './hosts.js';
import type { ReadsAnswer, ReadsRequest } from './reads-host.js';
import { READ_ATTEMPTS, READABLE } from './reads-rows.js';

const NEWEST = 2 ** 31;
const NO_NAMESPACE = { landlock: NEWEST, filters: true, namespaces: false };

const host = await hostProgram<ReadsRequest, ReadsAnswer>('reads-host.ts');
const isHere = ({ program }: { readonly program: string }): boolean =>
  ['/usr/bin', '/bin', '/usr/local/bin'].some((folder) => existsSync(path.join(folder, program)));
const rows = [...READ_ATTEMPTS, ...READABLE].filter(isHere);

test('there are enough attempts', () => {
  expect(READ_ATTEMPTS.length).toBeGreaterThanOrEqual(80);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

describe.each(USERS)('as uid %i', (uid) => {
  let any: ReadsAnswer;
  let held: ReadsAnswer;
  let without: ReadsAnswer;
  let roots: ReadsAnswer;
  /** Those that move and link, where commands write everywhere: with a namespace, and without. */
  let moved: readonly ReadsAnswer[];
  beforeAll(async () => {
    any = await host(uid, { confine: { reads: 'any', writes: 'any' }, rows });
    held = await host(uid, { confine: {}, rows });
    without = await host(uid, { confine: {}, rows, kernel: NO_NAMESPACE });
    roots = await host(uid, { confine: { reads: 'roots' }, rows });
    const moving = {
      confine: { writes: 'any' },
      rows: rows.filter(({ program }) => ['ln', 'mv', 'cp'].includes(program)),
    } as const;
    moved = [await host(uid, moving), await host(uid, { ...moving, kernel: NO_NAMESPACE })];
  }, LIVENESS_MS);

  const happened = ({ rows: answers }: ReadsAnswer): string[] =>
    Object.entries(answers)
      .filter(([, answer]) => answer.happened)
      .map(([id]) => id)
      .sort();
  const ids = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id).sort();

  test('each attempt works where all is read', () => {
    expect(happened(any)).toEqual(ids(rows));
    expect(any.levels).toMatchObject({ reads: 'unavailable', sockets: 'unavailable' });
  });

  test('none works with protected places, and the rest does', () => {
    expect(happened(held)).toEqual(ids(READABLE.filter(isHere)));
    expect(held.levels).toMatchObject({ reads: 'enforced', sockets: 'enforced' });
  });

  test('nor without a namespace', () => {
    const readable = READABLE.filter((row) => isHere(row) && row.namespaceOnly === undefined);
    // A worker that starts later grants what has been made by then.
    const later = ids(READABLE.filter((row) => row.namespaceOnly === true));
    expect(happened(without).filter((id) => !later.includes(id))).toEqual(ids(readable));
    expect(without.levels).toMatchObject({ reads: 'enforced', sockets: 'unavailable' });
  });

  test('only the root is read where nothing else is', () => {
    expect(happened(roots)).toEqual(ids(READABLE.filter((row) => isHere(row) && row.file.startsWith('work/'))));
    expect(roots.levels).toMatchObject({ reads: 'enforced', sockets: 'enforced' });
  });

  test('nor is anything moved or linked where commands write everywhere', () => {
    for (const answer of moved) expect(happened(answer)).toEqual(['a file that was made in the root']);
    expect(moved.map(({ levels }) => levels['reads'])).toEqual(['best-effort', 'best-effort']);
  });

  test('a socket of the user is reached only where all is read, or there is no namespace', () => {
    expect([any, held, without, roots].map(({ socket }) => socket !== '')).toEqual([true, false, true, false]);
    expect([any, held, without, roots].map(({ agent }) => agent !== '')).toEqual([true, false, true, false]);
  });
});
