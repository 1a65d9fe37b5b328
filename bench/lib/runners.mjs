// Runners of one command: Handrail and its rivals. Each checks the exit code and the number of output bytes of every run.
import { spawn } from 'node:child_process';
import { execa } from 'execa';
import { Terminal } from '../../dist/index.js';
import { assertEqual } from './assert.mjs';
import { mapValues, rounded, summary } from './statistics.mjs';

/** The commands that are measured here write nothing and exit with 0. */
function assertSilentSuccess(runner, exitCode, bytes) {
  assertEqual(`exit code of ${runner}`, 0, exitCode);
  assertEqual(`output bytes of ${runner}`, 0, bytes);
}

/** Gives `use` a terminal that may run these programs, and closes it afterwards. */
export async function withTerminal(programs, options, use) {
  const terminal = new Terminal({ allow: programs, ...options });
  try {
    return await use(terminal);
  } finally {
    await terminal.close();
  }
}

export async function runTerminal(terminal, argv) {
  const { exitCode, bytes, status } = await terminal.run(argv);
  assertSilentSuccess(`handrail (${status})`, exitCode, bytes.stdout + bytes.stderr);
}

/** `child_process.spawn` with pipes for both outputs, until the process has ended and both pipes are closed. */
export function runSpawn([program, ...args]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let bytes = 0;
    const count = (chunk) => {
      bytes += chunk.length;
    };
    child.stdout.on('data', count);
    child.stderr.on('data', count);
    child.on('error', reject);
    child.on('close', (code) => {
      try {
        assertSilentSuccess('child_process', code, bytes);
        resolve();
      } catch (error) {
        reject(error);
      }
    });
  });
}

export async function runExeca([program, ...args]) {
  const { exitCode, stdout, stderr } = await execa(program, args, { stdin: 'ignore' });
  assertSilentSuccess('execa', exitCode, stdout.length + stderr.length);
}

/** Milliseconds that `work` takes. */
export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Samples in milliseconds as summaries in microseconds, and each median as a multiple of the baseline's. */
export function compareWithBaseline(samples, baseline) {
  const us = mapValues(samples, (ms) =>
    summary(
      ms.map((value) => value * 1_000),
      1,
    ),
  );
  return { us, timesBaseline: mapValues(us, ({ median }) => rounded(median / us[baseline].median, 2)) };
}
