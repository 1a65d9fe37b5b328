// npm run bench -- jobs [--quick] [--output FILE]: how soon the end of a job wakes its waiter. No gate depends on these figures.
import { createToolkit } from '../dist/index.js';
import { assertEqual } from './lib/assert.mjs';
import { runRow } from './lib/row.mjs';
import { summary } from './lib/statistics.mjs';

const JOBS = { full: 10_000, quick: 500 };
const JOBS_PER_ROW = 100;
/** A job says the time right before it ends, in microseconds, once it is told to. */
const COMMAND = ['bash', '-c', 'read word; echo $EPOCHREALTIME'];

async function prepare({ quick }) {
  const terminal = { allow: ['bash'], trustInterpreters: ['bash'] };
  const options = { workspace: process.cwd(), terminal, limits: { jobs: JOBS_PER_ROW } };
  return { toolkit: await createToolkit(options), quick };
}

/** Milliseconds from the last word of a job to the moment at which its waiter goes on; the other jobs of its row run. */
async function wake({ toolkit, quick }) {
  const count = quick ? JOBS.quick : JOBS.full;
  const delays = [];
  let told = 0;
  toolkit.on('job', () => {
    told += 1;
  });
  for (let row = 0; row < count / JOBS_PER_ROW; row += 1) {
    const jobs = await Promise.all(Array.from({ length: JOBS_PER_ROW }, () => toolkit.jobs.start(COMMAND)));
    for (const job of jobs) {
      const waiting = job.wait({ timeoutMs: 60_000 });
      await job.send('end\n');
      const { reason, text } = await waiting;
      const woken = performance.timeOrigin + performance.now();
      assertEqual('why the wait was over', 'exited', reason);
      delays.push(woken - Number(text.trim().replace(',', '.')) * 1_000);
    }
  }
  assertEqual('jobs that were told of', count, told);
  assertEqual('jobs that run on', 0, toolkit.jobs.list().filter(({ state }) => state === 'running').length);
  return summary(delays);
}

function table({ wake: { count, median, p99, max } }) {
  const rows = [
    [`${count} jobs in rows of ${JOBS_PER_ROW}: end to wake, p50 ms`, String(median)],
    ['p99 ms', String(p99)],
    ['longest ms', String(max)],
  ];
  return { columns: ['', 'handrail'], rows };
}

await runRow({ name: 'jobs', parts: { wake }, prepare, cleanUp: ({ toolkit }) => toolkit.close(), table });
