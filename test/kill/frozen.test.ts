import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { CommandResult } from '../../ts/index.js';
import { beforeDeadline } from '../support/deadlines.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { living, marker, until } from '../support/processes.js';
import { soakSample } from '../support/soak.js';
import { isAlive, supervisorsOf, viewsOf, watchdogsOf, workersOf } from './family.js';
import { type Freezer, makeFreezer } from './freezer.js';
import { looseTerminal } from './run-escape.js';

const TEST_MS = 5 * LIVENESS_MS;

let freezer: Freezer;

beforeEach(() => {
  freezer = makeFreezer();
});
afterEach(() => freezer.thaw());

/** What can be frozen of a run whose command has a child of its own that left its group. */
interface Family {
  readonly supervisor: readonly number[];
  readonly watchdog: readonly number[];
  readonly views: readonly number[];
  readonly workers: readonly number[];
  readonly command: readonly number[];
}

const FROZEN: readonly (readonly [string, (family: Family) => readonly number[]])[] = [
  ['everything', (family) => Object.values(family).flat()],
  ['the supervisor and its workers', ({ supervisor, workers }) => [...supervisor, ...workers]],
  ['the worker and its command', ({ workers, command }) => [...workers, ...command]],
  ['the command', ({ command }) => command],
];

interface Ended {
  readonly closed: boolean;
  readonly result: CommandResult;
  readonly pids: readonly number[];
  readonly mark: string;
}

/** Starts a command, freezes some of its family, and closes the terminal. */
async function closeFrozen(confine: boolean, choose: (family: Family) => readonly number[]): Promise<Ended> {
  const { terminal, close } = looseTerminal({ confine });
  const mark = marker();
  const running = terminal.run(['bash', '-c', `setsid sleep ${mark} & sleep ${mark}`], { timeoutMs: TEST_MS });
  await until(() => living(mark).length >= 3);
  const supervisor = supervisorsOf();
  const family = {
    supervisor,
    watchdog: supervisor.flatMap(watchdogsOf),
    views: supervisor.flatMap(viewsOf),
    workers: supervisor.flatMap(workersOf),
    command: living(mark).map(({ pid }) => pid),
  };
  await freezer.freeze(choose(family));
  let closed = false;
  const closing = close().then(() => {
    closed = true;
  });
  await until(() => closed);
  const isClosed = closed;
  // Without a limit of its own it would come back now, and the test would end.
  if (!isClosed) await freezer.thaw();
  await closing;
  return { closed: isClosed, result: await running, pids: Object.values(family).flat(), mark };
}

/** Without confinement no watchdog ends what is left: the supervisor and this process have to. */
const CASES = FROZEN.flatMap(([name, choose]) =>
  name === 'the command'
    ? [[name, true, choose] as const]
    : [true, false].map((confine) => [name, confine, choose] as const),
);

// The attack: an unbounded wait for the supervisor's end did not come back before the group was thawed.
describe('close() comes back, and nothing survives', () => {
  test.each(soakSample(CASES))(
    'when %s cannot act; confined: %s',
    { timeout: TEST_MS },
    async (_name, confine, choose) => {
      const { closed, result, pids, mark } = await closeFrozen(confine, choose);
      expect(closed).toBe(true);
      expect(result).toMatchObject({ ok: false, status: 'cancelled' });
      await freezer.thaw();
      expect(await until(() => living(mark).length === 0 && !pids.some(isAlive))).toBeDefined();
    },
  );
});

test('a run comes back when all of its family is frozen, and the next one works', { timeout: TEST_MS }, async () => {
  const { terminal, close } = looseTerminal();
  const mark = marker();
  const freezeAll = () => {
    const supervisors = supervisorsOf();
    return freezer.freeze([
      ...supervisors,
      ...supervisors.flatMap(workersOf),
      ...supervisors.flatMap(watchdogsOf),
      ...supervisors.flatMap(viewsOf),
      ...living(mark).map(({ pid }) => pid),
    ]);
  };
  const result = await beforeDeadline(
    (timeoutMs) => terminal.run(['bash', '-c', `sleep ${mark} & sleep ${mark}`], { timeoutMs }),
    () => living(mark).length >= 3,
    freezeAll,
  );
  expect(result).toMatchObject({ status: 'timed_out' });
  // As long as the supervisor is frozen it is given up on: who waits for a worker is told, and a new one serves the next.
  let next: CommandResult | undefined;
  for (let tries = 0; next?.ok !== true && tries < 10; tries += 1) {
    next = await terminal.run(['bash', '-c', 'echo next'], { timeoutMs: LIVENESS_MS });
  }
  expect(next).toMatchObject({ ok: true, stdout: 'next\n' });
  await close();
  await freezer.thaw();
  expect(await until(() => living(mark).length === 0)).toBeDefined();
});
