/** What other kernels hold: those whose Landlock knows no signals, and those that filter no system calls. */
import { beforeAll, describe, expect, test } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';
import { end, living, marker } from '../support/processes.js';
import { hostProgram, programsForAll, USERS } from './hosts.js';
import type { KernelAnswer, KernelRequest } from './kernel-host.js';
import { OTHER_ATTACKS } from './kernel-rows/others.js';
import type { KillingAnswer, KillingRequest } from './killing-host.js';

/** The last version of Landlock without signals, of Linux 6.10. */
const OLDER = 5;
const NEWEST = 2 ** 31;
/** What a command sets of a process of the host by a call. Root has given up the capability that the others take. */
const callsOf = (uid: number) => {
  const names = uid === 0 ? ['limit'] : ['limit', 'affinity', 'scheduler', 'attributes', 'nice'];
  return OTHER_ATTACKS.filter(({ id }) => names.includes(id));
};

const killing = await hostProgram<KillingRequest, KillingAnswer>('killing-host.ts');
const rows = await hostProgram<KernelRequest, Readonly<Record<string, KernelAnswer>>>('kernel-host.ts');
const programs = programsForAll();

describe.each(USERS)('as uid %i, on Linux 6.10', (uid) => {
  const kill = async (namespaces: boolean): Promise<KillingAnswer & { readonly left: number }> => {
    const mark = marker();
    const answer = await killing(uid, { mark, kernel: { landlock: OLDER, filters: true, namespaces } });
    // Nobody ends it by now: it lives or it does not.
    const left = living(mark);
    end(left);
    return { ...answer, left: left.length };
  };

  test(
    'a command in a PID namespace ends nothing but itself',
    async () => {
      const { left, survivors, levels, worker } = await kill(true);
      expect({ left, survivors, worker }).toEqual({ left: 0, survivors: [], worker: 'lives' });
      expect(levels).toMatchObject({ kill: 'enforced', signals: 'enforced', writes: 'enforced' });
    },
    LIVENESS_MS,
  );

  test(
    'without a namespace it ends those who would end it, lives on, and nobody says that nothing does',
    async () => {
      const { left, survivors, levels, worker } = await kill(false);
      expect({ left: left > 0, survivors, worker }).toEqual({ left: true, survivors: 'unknown', worker: 'lost' });
      expect(levels).toMatchObject({ kill: 'best-effort', signals: 'unavailable', writes: 'best-effort' });
    },
    LIVENESS_MS,
  );
});

test.each([true, false])(
  'a terminal that requires `host` starts where system calls are filtered: %s',
  async (filters) => {
    const { host, levels } = await killing(USERS.at(-1) ?? 0, {
      mark: marker(),
      kernel: { landlock: NEWEST, filters, namespaces: true },
    });
    expect({ host, level: levels['host'] }).toEqual({ host: filters, level: filters ? 'enforced' : 'unavailable' });
  },
  LIVENESS_MS,
);

describe.skipIf(programs === undefined).each(USERS)('as uid %i, calls on a process of the host', (uid) => {
  const tried = (filters: boolean) =>
    rows(uid, {
      guard: 'on',
      kernel: { landlock: NEWEST, filters, namespaces: false },
      programs: programs ?? '',
      rows: callsOf(uid),
    });
  let on: Readonly<Record<string, KernelAnswer>> = {};
  let off: Readonly<Record<string, KernelAnswer>> = {};
  beforeAll(async () => {
    on = await tried(true);
    off = await tried(false);
  }, LIVENESS_MS);

  test.each(callsOf(uid).map(({ id, why }) => [why, id]))(
    '%s is refused by the filter, and not without it',
    (_, id) => {
      expect(off[id]).toMatchObject({ happened: true });
      expect(on[id]).toMatchObject({ happened: false });
    },
  );
});
