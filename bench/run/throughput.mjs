// The speed of reading 1 GB of log lines from a command, with the floor (a loop that only reads) as the baseline; and of lines
// full of names that secrets may follow, which are the most work for the redactor.
import { readFileSync, writeFileSync } from 'node:fs';
import { Redactor } from '../../dist/index.js';
import { assertEqual } from '../lib/assert.mjs';
import { collectGarbage } from '../lib/ballast.mjs';
import { FLOOR_NAME } from '../lib/floor.mjs';
import { interleave } from '../lib/interleave.mjs';
import { withTerminal } from '../lib/runners.mjs';
import { mapValues, median, megabytesPerSecond, rounded, summary } from '../lib/statistics.mjs';

const BYTES = { full: 1_000_000_000, quick: 32_000_000 };
/** Lines of names and values take longer, so a smaller share of the bytes is written. */
const ASSIGNMENTS_SHARE = 0.1;
const ROUNDS = { full: 5, quick: 1 };
const TIMEOUT_MS = 600_000;

/** Resident memory of this process in MiB: now, and the peak since the last reset. */
function residentMemory() {
  const status = readFileSync('/proc/self/status', 'utf8');
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: field('VmRSS'), peak: field('VmHWM') };
}

/** Written to `clear_refs`, this resets the peak. */
const RESET_PEAK = '5';

async function measureTerminal(terminal, program, bytes, writer = 'write') {
  collectGarbage();
  writeFileSync('/proc/self/clear_refs', RESET_PEAK);
  const before = residentMemory();
  const started = performance.now();
  const result = await terminal.run([program, writer, String(bytes)], { timeoutMs: TIMEOUT_MS });
  const ms = performance.now() - started;
  const grownMiB = residentMemory().peak - before.now;
  const kept = result.bytes.kept + result.bytes.omitted;
  if (!result.ok || result.bytes.stdout !== bytes || kept !== bytes || result.bytes.stderr !== 0) {
    throw new Error(`expected ${bytes} bytes and exit code 0: ${result.status} ${JSON.stringify(result.bytes)}`);
  }
  return { ms, grownMiB };
}

async function measureFloor(floor, bytes) {
  const { ms, bytes: bytesRead } = await floor.read(bytes);
  assertEqual('bytes that the floor read', bytes, bytesRead);
  return { ms, grownMiB: 0 };
}

function figures(samples, bytes, floorSpeed) {
  const speeds = samples.map(({ ms }) => megabytesPerSecond(bytes, ms));
  return {
    megabytesPerSecond: summary(speeds, 0),
    partOfFloor: rounded(median(speeds) / floorSpeed, 2),
    grownMiB: summary(
      samples.map(({ grownMiB }) => grownMiB),
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
      for (const terminal of [plain, masked]) await measureTerminal(terminal, FLOOR_NAME, BYTES.quick);
      const runners = {
        reader: () => measureFloor(floor, bytes),
        noRules: () => measureTerminal(plain, FLOOR_NAME, bytes),
        defaultRules: () => measureTerminal(masked, FLOOR_NAME, bytes),
        assignments: () => measureTerminal(masked, FLOOR_NAME, bytes * ASSIGNMENTS_SHARE, 'assign'),
      };
      return interleave(runners, { rounds: quick ? ROUNDS.quick : ROUNDS.full });
    }),
  );
  const floorSpeed = median(samples.reader.map(({ ms }) => megabytesPerSecond(bytes, ms)));
  const bytesOf = (name) => (name === 'assignments' ? bytes * ASSIGNMENTS_SHARE : bytes);
  return { bytes, ...mapValues(samples, (values, name) => figures(values, bytesOf(name), floorSpeed)) };
}
