// What a call comes to, by looking. Each check takes all runners and gives a cell for each.
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../lib/statistics.mjs';

const numbers = new Intl.NumberFormat('en-US');
const SECRETS = ['tea4two-tea4two', 'hunter2-hunter2'];
const TIMEOUT_MS = 20_000;
const SHORT_MS = 500;
/** What is on its way out when a call returns has this long. */
const GRACE_MS = 1_000;

async function each(runners, check) {
  const cells = {};
  for (const [name, runner] of Object.entries(runners)) cells[name] = await check(runner);
  return cells;
}

function processesIn(folder) {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(join('/proc', pid, 'cwd')) === folder;
    } catch {
      return false;
    }
  });
}

/** How many secrets of a file the caller reads. */
async function secrets({ run, folder }) {
  writeFileSync(join(folder, '.env'), `DB_URL=redis://shop:${SECRETS[0]}@db\nAPI_PASSWORD=${SECRETS[1]}\n`);
  const text = await run('cat .env', TIMEOUT_MS);
  if (!text.includes('API_PASSWORD')) throw new Error(`cat has shown nothing: ${text}`);
  return `${SECRETS.filter((secret) => text.includes(secret)).length} of ${SECRETS.length}`;
}

/** A process that ended on its way is no failure. */
function end(pid) {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** What is left of a tree when its time is over. Those that are left are ended. */
async function left({ run, folder }) {
  await run('setsid sleep 300 & sleep 300 | cat', SHORT_MS);
  await sleep(GRACE_MS);
  const pids = processesIn(folder);
  for (const pid of pids) end(pid);
  return String(pids.length);
}

/** How much of an output the caller reads. Some lose its end. */
async function flood({ run }) {
  const text = await run('seq 1 3000000', TIMEOUT_MS);
  return `${numbers.format(text.length)}${text.includes('3000000') ? '' : ', cut'}`;
}

/** Whether a file appears in the folder above. */
async function outside({ run, folder }) {
  const file = join(folder, '..', 'outside');
  await run('touch ../outside', TIMEOUT_MS);
  const made = existsSync(file);
  rmSync(file, { force: true });
  return made ? 'done' : 'refused';
}

async function removal({ run, folder }) {
  const git = join(folder, '.git');
  mkdirSync(git);
  await run('rm -rf .git', TIMEOUT_MS);
  const there = existsSync(git);
  rmSync(git, { recursive: true, force: true });
  return there ? 'refused' : 'done';
}

/** Whether a server of this machine is reached. */
async function network({ run }) {
  const server = createServer((socket) => socket.end());
  let reached = 0;
  server.on('connection', () => {
    reached += 1;
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const connect = `print("tried", flush=True); import socket; socket.create_connection(("127.0.0.1", ${server.address().port}), 5)`;
  const text = await run(`python3 -c '${connect}'`, TIMEOUT_MS);
  if (!text.includes('tried')) throw new Error(`python3 did not run: ${text}`);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return reached > 0 ? 'done' : 'refused';
}

async function repl({ ask }) {
  if (ask === undefined) return 'no';
  const text = await ask('6 * 7');
  if (!text.includes('42')) throw new Error(`python3 did not answer: ${text}`);
  return 'yes';
}

export const CHECKS = [
  ['secrets read', (runners) => each(runners, secrets)],
  ['processes left', (runners) => each(runners, left)],
  ['of 23 MB, chars', (runners) => each(runners, flood)],
  ['rm -rf .git', (runners) => each(runners, removal)],
  ['a write outside', (runners) => each(runners, outside)],
  ['a connection', (runners) => each(runners, network)],
  ['a REPL', (runners) => each(runners, repl)],
];

export const LATENCY = {
  label: 'true, p50 ms',
  /** Interleaved, so that all share what the machine does. */
  async measure(runners, rounds) {
    const times = Object.fromEntries(Object.keys(runners).map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, { run }] of Object.entries(runners)) {
        const begun = performance.now();
        await run('true', TIMEOUT_MS);
        times[name].push(performance.now() - begun);
      }
    }
    return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all).toFixed(1)]));
  },
};
