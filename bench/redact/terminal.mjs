// The speed of 1 GB of a server log through `Terminal.run`. Baselines: the floor, which only reads the log, and the redactor in
// Rust on a part of it.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { stampFolder } from '../../scripts/lib/paths.mjs';
import { assertEqual } from '../lib/assert.mjs';
import { FLOOR_NAME, Floor } from '../lib/floor.mjs';
import { withTerminal } from '../lib/runners.mjs';
import { median, rounded, summary } from '../lib/statistics.mjs';
import { runRustProgram } from './rust-program.mjs';

const BYTES = { full: 1_000_000_000, quick: 32_000_000 };
const FILE_BYTES = 64_000_000;
const ROUNDS = { full: 5, quick: 1 };
const TIMEOUT_MS = 600_000;
const NS_PER_MS = 1e6;
/** The thread that redacts. Another one reads and cleans at the same time. */
const REDACTING_THREAD = 'handrail-io';
const THREADS_FOLDER = '/proc/self/task';

/** The path of a file with such a log, which is written once. */
function logFile(program) {
  const folder = join(stampFolder, 'bench');
  const path = join(folder, `floor-log-${FILE_BYTES}`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const unfinished = openSync(`${path}.${process.pid}`, 'w');
  const { status } = spawnSync(program, ['write', String(FILE_BYTES)], { stdio: ['ignore', unfinished, 'inherit'] });
  closeSync(unfinished);
  assertEqual('exit code of the writer', 0, status);
  renameSync(`${path}.${process.pid}`, path);
  return path;
}

/** CPU milliseconds of the redacting thread so far. */
function redactingThreadMs() {
  const ofTask = (task) => {
    if (readFileSync(join(THREADS_FOLDER, task, 'comm'), 'utf8').trim() !== REDACTING_THREAD) return 0;
    return Number(readFileSync(join(THREADS_FOLDER, task, 'schedstat'), 'utf8').split(' ', 1)[0]) / NS_PER_MS;
  };
  return readdirSync(THREADS_FOLDER).reduce((sum, task) => sum + ofTask(task), 0);
}

/** MB/s by wall-clock time, and by the CPU time of the redacting thread. */
async function runTerminal(terminal, bytes) {
  const [started, before] = [performance.now(), redactingThreadMs()];
  const { ok, bytes: counts } = await terminal.run([FLOOR_NAME, 'write', String(bytes)], { timeoutMs: TIMEOUT_MS });
  const [wallMs, threadMs] = [performance.now() - started, redactingThreadMs() - before];
  assertEqual('the command ended well', true, ok);
  assertEqual('bytes of the command', bytes, counts.stdout);
  assertEqual('bytes kept or counted', bytes, counts.kept + counts.omitted);
  return { terminal: bytes / 1e3 / wallMs, thread: bytes / 1e3 / threadMs };
}

async function runFloor(floor, bytes) {
  const { ms, bytes: bytesRead } = await floor.read(bytes);
  assertEqual('bytes that the floor read', bytes, bytesRead);
  return bytes / 1e3 / ms;
}

/** @param {{quick: boolean, program: string, floorProgram: string}} context */
export async function terminal({ quick, program, floorProgram }) {
  const bytes = quick ? BYTES.quick : BYTES.full;
  const path = logFile(floorProgram);
  const floor = new Floor(floorProgram);
  const rates = { terminal: [], thread: [], reader: [], rust: [] };
  try {
    await withTerminal([FLOOR_NAME], { path: [floor.folder] }, async (masked) => {
      await runTerminal(masked, BYTES.quick);
      for (let round = 0; round < (quick ? ROUNDS.quick : ROUNDS.full); round += 1) {
        rates.reader.push(await runFloor(floor, bytes));
        const { terminal: whole, thread } = await runTerminal(masked, bytes);
        rates.terminal.push(whole);
        rates.thread.push(thread);
        rates.rust.push(runRustProgram(program, path).streamed);
      }
    });
  } finally {
    await floor.close();
  }
  const medianRatio = (one, other) => rounded(median(rates[one].map((rate, round) => rate / rates[other][round])), 2);
  const figures = Object.entries(rates).map(([name, values]) => [name, summary(values, 0)]);
  return {
    bytes,
    megabytesPerSecond: Object.fromEntries(figures),
    toReader: medianRatio('terminal', 'reader'),
    threadToRust: medianRatio('thread', 'rust'),
  };
}
