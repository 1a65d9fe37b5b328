/**
 * Attacks on the kernel plan itself: each works without it and fails with it, for root and for an ordinary user. What is
 * harmless works with it too: a plan that stops everything stops nothing in particular.
 */
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

import { hostProgram, programsForAll, USERS } from './hosts.js';
import type { KernelAttack } from './kernel-attack.js';
import { HARMLESS, KERNEL_ATTACKS } from './kernel-attacks.js';
import type { KernelAnswer, KernelRequest } from './kernel-host.js';

const ALL_TIMEOUT_MS = 1_200_000;

type Answers = Readonly<Record<string, KernelAnswer>>;

const EVERYTHING = [...KERNEL_ATTACKS, ...HARMLESS];
const isHeldAnywhere = ({ anywhere }: KernelAttack): boolean => anywhere;
const host = await hostProgram<KernelRequest, Answers>('kernel-host.ts');
const programs = programsForAll();
/** With Landlock as it was at first, and no namespace for anybody. */
const OLDEST_KERNEL = [path.join(programs ?? '', 'older'), '1'];
const ATTACKS: ReadonlySet<string> = new Set(KERNEL_ATTACKS.map(({ id }) => id));

test('everything that is needed is here', () => {
  const isWhole = programs !== undefined && USERS.length > 1;
  expect(isWhole || process.env['CI'] === undefined).toBe(true);
});

test('no two rows have one name', () => {
  expect(new Set(EVERYTHING.map(({ id }) => id)).size).toBe(EVERYTHING.length);
});

describe.skipIf(programs === undefined).each(USERS)('as uid %i', (uid) => {
  const possible = ({ root }: KernelAttack): boolean => uid === 0 || !root;
  const rows = EVERYTHING.filter(possible);
  let off: Answers = {};
  let on: Answers = {};
  let older: Answers = {};
  beforeAll(async () => {
    off = await host(uid, { guard: 'off', programs: programs ?? '', rows });
    on = await host(uid, { guard: 'on', programs: programs ?? '', rows });
    const request = { guard: 'on', programs: programs ?? '', rows: rows.filter(isHeldAnywhere) } as const;
    older = await host(uid, request, OLDEST_KERNEL);
  }, ALL_TIMEOUT_MS);

  test.for(KERNEL_ATTACKS.filter(possible).map((row) => [row.id, row] as const))('%s', ([id, { why }], context) => {
    const without = off[id];
    context.skip(without !== undefined && without.lacks.length > 0, `missing: ${without?.lacks.join(', ')}`);
    expect({ why, without }).toMatchObject({ without: { happened: true } });
    expect({ why, with: on[id] }).toMatchObject({ with: { happened: false } });
  });

  test.for(rows.filter(isHeldAnywhere).map((row) => [row.id, row] as const))(
    'on the oldest kernel, without namespaces: %s',
    ([id, { why }], context) => {
      const without = off[id];
      context.skip(without !== undefined && without.lacks.length > 0, `missing: ${without?.lacks.join(', ')}`);
      expect({ why, with: older[id] }).toMatchObject({ with: { happened: !ATTACKS.has(id) } });
    },
  );

  test.for(HARMLESS.filter(possible).map((row) => [row.id, row] as const))('harmless: %s', ([id, { why }], context) => {
    const without = off[id];
    context.skip(without !== undefined && without.lacks.length > 0, `missing: ${without?.lacks.join(', ')}`);
    expect({ why, without }).toMatchObject({ without: { happened: true } });
    expect({ why, with: on[id] }).toMatchObject({ with: { happened: true } });
  });
});
