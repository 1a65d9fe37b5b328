import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startNode } from '../support/cli.js';

/** Every plan and every rival runs every command and every attack. */
const BENCH_MS = 600_000;
const PLANS = [
  'none',
  'none again',
  'default',
  "writes 'roots'",
  "exec 'listed'",
  "network 'none'",
  "remove 'no'",
  'all of these',
];

const folder = mkdtempSync(path.join(tmpdir(), 'handrail-bench-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  measured: {
    runs: { commands: { command: string; ms: Record<string, { timesNone: { p50: number } }> }[] };
    starts: { users: { uid: number; ms: Record<string, { count: number }> }[] };
  };
}

it(
  'the benchmark of plans holds each of them to its attacks, and measures all of them with every command',
  async () => {
    const output = path.join(folder, 'plans.json');
    const ended = await startNode(['bench/plans.mjs', '--quick', '--output', output]).ended;
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const { runs, starts } = (JSON.parse(readFileSync(output, 'utf8')) as Result).measured;
    expect(runs.commands.map(({ command }) => command)).toEqual(['true', 'git status', 'cp, 80 files', 'node -e 0']);
    for (const { ms } of runs.commands) {
      expect(Object.keys(ms)).toEqual(expect.arrayContaining([...PLANS, 'child_process']));
      expect(ms['none']?.timesNone.p50).toBe(1);
    }
    expect(starts.users.map(({ uid }) => uid)).toEqual(process.getuid?.() === 0 ? [0, 65_534] : [process.getuid?.()]);
    for (const { ms } of starts.users) expect(Object.keys(ms)).toEqual(PLANS);
    for (const name of ['bwrap', 'sandbox-runtime']) {
      // Measured or said to be missing.
      const isThere = Object.hasOwn(runs.commands[0]?.ms ?? {}, name);
      expect({ name, isSaid: ended.stdout.includes(`without ${name}: `) }).toEqual({ name, isSaid: !isThere });
    }
  },
  BENCH_MS,
);
