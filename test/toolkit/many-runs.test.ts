import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToolkit, type Toolkit } from '../../ts/toolkit.js';
import { soak } from '../support/soak.js';

const FULL_COUNT = 100_000;
/** Full count on a busy machine. */
const TIMEOUT_MS = 3_600_000;
const AT_ONCE = 8;
const PATIENCE = { interval: 100 };

/** What an agent does, denied and failed things included, and how each has to end. */
const CALLS: readonly { readonly args: object; readonly status: string }[] = [
  { args: { command: 'true' }, status: 'exited' },
  { args: { command: 'echo hello' }, status: 'exited' },
  { args: { command: 'false' }, status: 'exited' },
  { args: { command: 'seq 1 20000' }, status: 'exited' },
  { args: { command: 'setsid sleep 300' }, status: 'exited' },
  { args: { command: 'sleep 20', timeout_ms: 20 }, status: 'timed_out' },
  { args: { command: 'rm -rf .' }, status: 'denied' },
  { args: { command: 'pwd', cwd: '..' }, status: 'denied' },
];

let workspace: string;
let toolkit: Toolkit;

beforeAll(async () => {
  workspace = mkdtempSync(path.join(tmpdir(), 'handrail-runs-'));
  const allow = ['true', 'false', 'echo', 'seq', 'setsid', 'sleep', 'pwd'];
  toolkit = await createToolkit({ workspace, terminal: { allow, graceMs: 0 }, limits: { resultChars: 1_000 } });
});
afterAll(async () => {
  await toolkit.close();
  rmSync(workspace, { recursive: true, force: true });
});

async function call(index: number): Promise<void> {
  const { args, status } = CALLS[index % CALLS.length] ?? { args: {}, status: 'never' };
  const { data } = await toolkit.execute('terminal_run', args);
  expect(data).toMatchObject({ status, survivors: [] });
}

/** What could pile up: our descriptors, and the processes below this one. */
function held(): { descriptors: number; processes: number } {
  return { descriptors: readdirSync('/proc/self/fd').length, processes: descendants(process.pid) };
}

/** Processes started by `pid` and by those it started. */
function descendants(pid: number): number {
  const children = new Map<number, number[]>();
  for (const child of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = parentOf(child);
    children.set(parent, [...(children.get(parent) ?? []), Number(child)]);
  }
  const count = (of: number): number => (children.get(of) ?? []).reduce((sum, child) => sum + 1 + count(child), 0);
  return count(pid);
}

/** 0 for a process that ends while it is looked at. */
function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

it(
  'leaves no descriptor, process or file behind',
  async () => {
    // The first ones start what is kept: the supervisor and as many workers as run at once.
    await Promise.all(Array.from({ length: CALLS.length * AT_ONCE }, (_, index) => call(index)));
    const before = held();
    const done = await soak(FULL_COUNT / AT_ONCE, async (round) => {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => call(round + index)));
    });
    expect(done * AT_ONCE).toBeGreaterThanOrEqual(1_000);
    // A result is there before the last of its descriptors is closed; what is lost is never closed.
    await expect.poll(() => held().descriptors, PATIENCE).toBeLessThanOrEqual(before.descriptors);
    await expect.poll(() => held().processes, PATIENCE).toBeLessThanOrEqual(before.processes);
    expect(readdirSync(workspace)).toEqual([]);
  },
  TIMEOUT_MS,
);
