// A gigabyte of a server's log through `Terminal.run`, beside a loop that only reads it and Rust's stream on such a log.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { stampFolder } from '../../scripts/lib/paths.mjs';
import { FLOOR_NAME, Floor } from '../lib/floor.mjs';
import { withTerminal } from '../lib/rivals.mjs';
import { median, rounded, summary } from '../lib/statistics.mjs';
import { mustBe } from './answer.mjs';
import { runRust } from './rust.mjs';

const BYTES = { full: 1_000_000_000, quick: 32_000_000 };
const FILE_BYTES = 64_000_000;
const ROUNDS = { full: 5, quick: 1 };
const TIMEOUT_MS = 600_000;
const NS_PER_MS = 1e6;
/** What redacts. Another thread reads and cleans meanwhile. */
const THREAD = 'handrail-io';
const TASKS = '/proc/self/task';

/** The log as a file, made once. */
function logFile(program) {
  const folder = join(stampFolder, 'bench');
  const path = join(folder, `floor-log-${FILE_BYTES}`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const unfinished = openSync(`${path}.${process.pid}`, 'w');
  const { status } = spawnSync(program, ['write', String(FILE_BYTES)], { stdio: ['ignore', unfinished, 'inherit'] });
  closeSync(unfinished);
  mustBe('exit code of the writer', 0, status);
  renameSync(`${path}.${process.pid}`, path);
  return path;
}

/** Milliseconds that the thread which redacts has computed. */
function computed() {
  const ofTask = (task) => {
    if (readFileSync(join(TASKS, task, 'comm'), 'utf8').trim() !== THREAD) return 0;
    return Number(readFileSync(join(TASKS, task, 'schedstat'), 'utf8').split(' ', 1)[0]) / NS_PER_MS;
  };
  return readdirSync(TASKS).reduce((sum, task) => sum + ofTask(task), 0);
}

/** Speeds by the clock, and by what the thread computed. */
async function runTerminal(terminal, bytes) {
  const [begun, before] = [performance.now(), computed()];
  const { ok, bytes: counts } = await terminal.run([FLOOR_NAME, 'write', String(bytes)], { timeoutMs: TIMEOUT_MS });
  const [taken, busy] = [performance.now() - begun, computed() - before];
  mustBe('the command ended well', true, ok);
  mustBe('bytes of the command', bytes, counts.stdout);
  mustBe('bytes kept or counted', bytes, counts.kept + counts.omitted);
  return { terminal: bytes / 1e3 / taken, thread: bytes / 1e3 / busy };
}

async function runFloor(floor, bytes) {
  const taken = await floor.read(bytes);
  mustBe('bytes that the floor read', bytes, taken.bytes);
  return bytes / 1e3 / taken.ms;
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
        rates.rust.push(runRust(program, path).streamed);
      }
    });
  } finally {
    await floor.close();
  }
  const ratio = (one, other) => rounded(median(rates[one].map((rate, round) => rate / rates[other][round])), 2);
  const figures = Object.entries(rates).map(([name, values]) => [name, summary(values, 0)]);
  return {
    bytes,
    megabytesPerSecond: Object.fromEntries(figures),
    toReader: ratio('terminal', 'reader'),
    threadToRust: ratio('thread', 'rust'),
  };
}
