/** Many jobs that end at the same time: no end is lost, no output, and nothing is left. */
import { expect, it } from 'vitest';
import { living, marker } from '../support/processes.js';
import { soak } from '../support/soak.js';
import { toolkits } from '../support/toolkits.js';

const { make } = toolkits();

const FULL_ROWS = 100;
const JOBS_PER_ROW = 100;
const TIMEOUT_MS = 20 * 60_000;

it(
  'each end wakes its waiter once, a row of 100 after the other',
  async () => {
    const toolkit = await make({
      terminal: { allow: ['echo', 'sleep'], shell: 'bash' },
      limits: { jobs: JOBS_PER_ROW },
    });
    const listened: string[] = [];
    toolkit.on('job', ({ id }) => listened.push(id));
    const looped: string[] = [];
    const loop = (async () => {
      for await (const { id } of toolkit.jobs) looped.push(id);
    })();
    const mark = marker();
    const rows = await soak(FULL_ROWS, async (row) => {
      const numbers = Array.from({ length: JOBS_PER_ROW }, (_, index) => index);
      const outputs = await Promise.all(
        numbers.map(async (number) => {
          const job = await toolkit.jobs.start(
            `echo ${row} ${number}; sleep ${mark} & sleep 0.0${number % 7}; echo end`,
          );
          return await job.wait({ timeoutMs: TIMEOUT_MS });
        }),
      );
      expect(outputs.map(({ reason, text }) => `${reason} ${text}`)).toEqual(
        numbers.map((number) => `exited ${row} ${number}\nend\n`),
      );
      expect(living(mark)).toEqual([]);
    });
    await toolkit.close();
    await loop;
    const ids = Array.from({ length: rows * JOBS_PER_ROW }, (_, index) => `j${index + 1}`).sort();
    expect(listened.toSorted()).toEqual(ids);
    expect(looped.toSorted()).toEqual(ids);
    process.stdout.write(`${ids.length} ends of jobs, none lost, none told twice\n`);
  },
  TIMEOUT_MS,
);
