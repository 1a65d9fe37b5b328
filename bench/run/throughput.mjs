// A command that writes 1 GB of log lines as fast as it is taken, against a loop that only reads; and one that writes
// names of secrets, the most work for the redactor.
import { readFileSync, writeFileSync } from 'node:fs';
import { Redactor } from '../../dist/index.js';
import { collectGarbage } from '../lib/ballast.mjs';
import { FLOOR_NAME } from '../lib/floor.mjs';
import { inTurns } from '../lib/in-turns.mjs';
import { withTerminal } from '../lib/rivals.mjs';
import { median, rounded, summary } from '../lib/statistics.mjs';

const BYTES = { full: 1_000_000_000, quick: 32_000_000 };
/** Of these, the part that is written as assignments. */
const ASSIGNED_PART = 0.1;
const ROUNDS = { full: 5, quick: 1 };
const TIMEOUT_MS = 600_000;

/** Resident size of this process now, and the largest since the last reset; the kernel keeps count. */
function resident() {
  const status = readFileSync('/proc/self/status', 'utf8');
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: field('VmRSS'), peak: field('VmHWM') };
}

const RESET_PEAK = '5';

async function runTerminal(terminal, program, bytes, lines = 'write') {
  collectGarbage();
  writeFileSync('/proc/self/clear_refs', RESET_PEAK);
  const before = resident();
  const begun = performance.now();
  const result = await terminal.run([program, lines, String(bytes)], { timeoutMs: TIMEOUT_MS });
  const ms = performance.now() - begun;
  const grownMiB = resident().peak - before.now;
  const kept = result.bytes.kept + result.bytes.omitted;
  if (!result.ok || result.bytes.stdout !== bytes || kept !== bytes || result.bytes.stderr !== 0) {
    throw new Error(`expected ${bytes} bytes and exit code 0: ${result.status} ${JSON.stringify(result.bytes)}`);
  }
  return { ms, grownMiB };
}

async function runFloor(floor, bytes) {
  const taken = await floor.read(bytes);
  if (taken.bytes !== bytes) throw new Error(`the floor read ${taken.bytes} bytes instead of ${bytes}`);
  return { ms: taken.ms, grownMiB: 0 };
}

function figures(samples, bytes, floorRate) {
  const rate = (ms) => bytes / 1e3 / ms;
  const ms = samples.map((sample) => sample.ms);
  return {
    megabytesPerSecond: summary(ms.map(rate), 0),
    partOfFloor: rounded(median(ms.map(rate)) / floorRate, 2),
    grownMiB: summary(
      samples.map((sample) => sample.grownMiB),
      1,
    ),
  };
}

/** @param {{floor: import('../lib/floor.mjs').Floor, quick: boolean}} context */
export async function throughput({ floor, quick }) {
  const bytes = quick ? BYTES.quick : BYTES.full;
  const options = { path: [floor.folder] };
  const withoutRules = { ...options, redactor: new Redactor({ rules: 'none' }) };
  const samples = await withTerminal([FLOOR_NAME], withoutRules, (plain) =>
    withTerminal([FLOOR_NAME], options, async (masked) => {
      for (const terminal of [plain, masked]) await runTerminal(terminal, FLOOR_NAME, BYTES.quick);
      const runs = {
        reader: () => runFloor(floor, bytes),
        noRules: () => runTerminal(plain, FLOOR_NAME, bytes),
        defaultRules: () => runTerminal(masked, FLOOR_NAME, bytes),
        assignments: () => runTerminal(masked, FLOOR_NAME, bytes * ASSIGNED_PART, 'assign'),
      };
      return inTurns(runs, quick ? ROUNDS.quick : ROUNDS.full);
    }),
  );
  const floorRate = median(samples.reader.map(({ ms }) => bytes / 1e3 / ms));
  const written = (name) => (name === 'assignments' ? bytes * ASSIGNED_PART : bytes);
  const measured = Object.entries(samples).map(([name, taken]) => [name, figures(taken, written(name), floorRate)]);
  return { bytes, ...Object.fromEntries(measured) };
}
