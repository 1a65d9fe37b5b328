/** No command attaches to a session, whatever holds it, and none takes the place of the host. */
import { describe, expect, test } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';
import type { AttachAnswer, AttachRequest } from './attach-host.js';
import { hostProgram, USERS } from './hosts.js';

const host = await hostProgram<AttachRequest, AttachAnswer>('attach-host.ts');

const OPEN = { writes: 'any', exec: 'any', network: 'any', reads: 'any', remove: 'yes' } as const;
const WITHOUT_NAMESPACES = { landlock: 99, filters: true, namespaces: false } as const;

/** What an ordinary user is tried with, beside root. */
const PLANS_OF_OTHERS: readonly string[] = ['the default plan', 'an open plan without namespaces'];

type Plan = Omit<AttachRequest, 'guard'>;
const PLANS: Readonly<Record<string, Plan>> = {
  'the default plan': { by: 'run' },
  'an open plan': { by: 'run', confine: OPEN },
  'an open plan without namespaces': { by: 'run', confine: OPEN, kernel: WITHOUT_NAMESPACES },
  'a plan without a network': { by: 'run', confine: { network: 'none' } },
  'no plan': { by: 'run', sandbox: 'off' },
  'a session with an open plan': { by: 'session', confine: OPEN },
  'a job with an open plan': { by: 'job', confine: OPEN },
};

const reached = (answer: AttachAnswer): readonly string[] => Object.keys(answer).filter((way) => answer[way]?.reached);

describe.each(USERS)('as user %i', (uid) => {
  const plans = Object.entries(PLANS).filter(([name]) => uid === USERS[0] || PLANS_OF_OTHERS.includes(name));

  test.each(plans)('nothing is reached by a command under %s', { timeout: LIVENESS_MS }, async (_, plan) => {
    expect(reached(await host(uid, { ...plan, guard: true }))).toEqual([]);
  });

  test('without the guard what is open lets commands attach', { timeout: LIVENESS_MS }, async () => {
    const found = reached(await host(uid, { by: 'run', confine: OPEN, kernel: WITHOUT_NAMESPACES, guard: false }));
    expect(found).toEqual(expect.arrayContaining(['by its path', 'as a daemon', 'under another name']));
  });
});
