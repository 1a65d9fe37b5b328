/** Descriptors on their way between processes are counted for a user: a command leaves room for what hosts send. */
import { expect, test } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';
import { hostProgram, USERS } from './hosts.js';
import type { TransitAnswer, TransitRequest } from './transit-host.js';

/** `bin`, as whom nothing runs: what it has on its way costs nobody else. Root has a capability that no limit holds for. */
const ALONE = 2;
const isRoot = USERS.includes(0);

const host = await hostProgram<TransitRequest, TransitAnswer>('transit-host.ts');

test(
  'a command that leaves descriptors on their way stops no other run of the user',
  async () => {
    const { sent, other, same } = await host(isRoot ? ALONE : (USERS[0] ?? 0), { guard: 'on' });
    expect({ sent: sent > 0, other, same }).toEqual({ sent: true, other: 'ran\n', same: 'ran\n' });
  },
  LIVENESS_MS,
);

test(
  'with the guard off it stops them all, and the refusal says why',
  async (context) => {
    context.skip(!isRoot, 'needs a user of its own: other tests of this user would be stopped');
    const { sent, other } = await host(ALONE, { guard: 'off' });
    expect(sent).toBeGreaterThan(0);
    expect(other).toContain('descriptors that nobody has taken yet');
    expect(other).not.toContain('install handrail');
  },
  LIVENESS_MS,
);
