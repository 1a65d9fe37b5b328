import { expect, test } from 'vitest';

import type { CommandResult } from '../../ts/index.js';
import { beforeDeadline } from '../support/deadlines.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { end, living, marker, until } from '../support/processes.js';
import { supervisorsOf, viewsOf, workersOf } from './family.js';
import { looseTerminal } from './run-escape.js';

/** Long enough to end what is going to be ended. */
const SHORT_MS = 1_000;

/** What becomes of a run whose supervisor and workers are stopped from outside, and of the next one. */
async function stopAll(
  confine: boolean,
  limitMs: number,
): Promise<{ result: CommandResult; next: CommandResult; gone: boolean; mark: string }> {
  const { terminal, close } = looseTerminal({ confine });
  try {
    const mark = marker();
    const result = await beforeDeadline(
      (timeoutMs) => terminal.run(['bash', '-c', `setsid sleep ${mark} & sleep ${mark}`], { timeoutMs }),
      () => living(mark).length >= 3,
      () => {
        for (const supervisor of supervisorsOf()) {
          for (const pid of [supervisor, ...viewsOf(supervisor), ...workersOf(supervisor)])
            process.kill(pid, 'SIGSTOP');
        }
      },
    );
    const gone = (await until(() => living(mark).length === 0, limitMs)) !== undefined;
    const next = await terminal.run(['bash', '-c', 'echo next']);
    return { result, next, gone, mark };
  } finally {
    await close();
  }
}

test('when the supervisor and all workers are stopped, their runs are ended and the next one works', async () => {
  const { result, next, gone } = await stopAll(true, LIVENESS_MS);
  expect(result).toMatchObject({ status: 'timed_out', failure: { code: 'supervisor_lost' } });
  expect(gone).toBe(true);
  expect(next).toMatchObject({ ok: true, stdout: 'next\n' });
});

test('without the watchdog the result says that something may still live', async () => {
  const { result, next, gone, mark } = await stopAll(false, SHORT_MS);
  end(living(mark));
  expect(gone).toBe(false);
  expect(result.failure?.message).toMatch(/unless they were killed as well/);
  expect(next).toMatchObject({ ok: true, stdout: 'next\n' });
});
