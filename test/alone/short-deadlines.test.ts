import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { soak } from '../support/soak.js';
import { toolkits } from '../support/toolkits.js';

const FULL_ROUNDS = 5_000;
/** Full count on a busy machine. */
const TIMEOUT_MS = 3_600_000;
/** More than there are processors, so that the engine's thread is often made to wait. */
const BURNERS = 8;
/** A missed deadline shows when the command ends by itself; long against any delay. */
const SLEEP_SECONDS = 60;

/** Everything around the deadlines keeps the engine's thread busy. */
const ROUND = [
  { command: `sleep ${SLEEP_SECONDS}`, timeout_ms: 1 },
  { command: 'seq 1 20000' },
  { command: 'pwd' },
  { command: `sleep ${SLEEP_SECONDS}`, timeout_ms: 3 },
  { command: 'echo hello' },
  { command: 'seq 1 20000' },
] as const;

const { make } = toolkits();
let burners: ChildProcess[] = [];

beforeAll(() => {
  burners = Array.from({ length: BURNERS }, () => spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }));
});
afterAll(() => {
  for (const burner of burners) burner.kill('SIGKILL');
});

it(
  'a deadline that passes while its run begins is kept, however busy the machine is',
  async () => {
    const toolkit = await make({ terminal: { allow: ['sleep', 'seq', 'pwd', 'echo'], graceMs: 0 } });
    await soak(FULL_ROUNDS, async () => {
      const results = await Promise.all(ROUND.map((args) => toolkit.execute('terminal_run', args)));
      const statuses = results.map(({ data }) => (data.kind === 'command' ? data.status : data.kind));
      expect(statuses).toEqual(ROUND.map((args) => ('timeout_ms' in args ? 'timed_out' : 'exited')));
    });
  },
  TIMEOUT_MS,
);
