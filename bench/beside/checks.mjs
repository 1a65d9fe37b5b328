// The effects of tool calls. Each check makes one call of a runner, looks for its effect, and gives a cell of the table.
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { interleave } from '../lib/interleave.mjs';
import { timed } from '../lib/runners.mjs';
import { mapValues, median } from '../lib/statistics.mjs';

const numbers = new Intl.NumberFormat('en-US');
const SECRETS = ['tea4two-tea4two', 'hunter2-hunter2'];
const TIMEOUT_MS = 20_000;
const SHORT_TIMEOUT_MS = 500;
/** Processes that are already ending when a call returns have this long before they are counted. */
const EXIT_GRACE_MS = 1_000;

function pidsWorkingIn(folder) {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(join('/proc', pid, 'cwd')) === folder;
    } catch {
      return false;
    }
  });
}

/** How many of the secrets in a file the caller reads. */
async function countSecretsRead({ run, folder }) {
  writeFileSync(join(folder, '.env'), `DB_URL=redis://shop:${SECRETS[0]}@db\nAPI_PASSWORD=${SECRETS[1]}\n`);
  const text = await run('cat .env', TIMEOUT_MS);
  if (!text.includes('API_PASSWORD')) throw new Error(`cat printed nothing: ${text}`);
  return `${SECRETS.filter((secret) => text.includes(secret)).length} of ${SECRETS.length}`;
}

/** Kills a process, which may have ended already. */
function kill(pid) {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** How many processes of a process tree survive the timeout of their command. Kills the survivors. */
async function countSurvivors({ run, folder }) {
  await run('setsid sleep 300 & sleep 300 | cat', SHORT_TIMEOUT_MS);
  await sleep(EXIT_GRACE_MS);
  const pids = pidsWorkingIn(folder);
  for (const pid of pids) kill(pid);
  return String(pids.length);
}

/** How many characters of a large output the caller reads, and whether its end is among them. */
async function countOutputRead({ run }) {
  const text = await run('seq 1 3000000', TIMEOUT_MS);
  return `${numbers.format(text.length)}${text.includes('3000000') ? '' : ', cut'}`;
}

/** Whether the command can create a file in the parent folder, outside of the workspace. */
async function writeOutside({ run, folder }) {
  const file = join(folder, '..', 'outside');
  await run('touch ../outside', TIMEOUT_MS);
  const exists = existsSync(file);
  rmSync(file, { force: true });
  return exists ? 'done' : 'refused';
}

/** Whether the command can remove the git repository. */
async function removeRepository({ run, folder }) {
  const git = join(folder, '.git');
  mkdirSync(git);
  await run('rm -rf .git', TIMEOUT_MS);
  const exists = existsSync(git);
  rmSync(git, { recursive: true, force: true });
  return exists ? 'refused' : 'done';
}

/** Whether the command can connect to a server on this machine. */
async function connectToServer({ run }) {
  const server = createServer((socket) => socket.end());
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
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
  return connections > 0 ? 'done' : 'refused';
}

/** Whether the runner can keep a Python prompt open and send it a line. */
async function askRepl({ ask }) {
  if (ask === undefined) return 'no';
  const text = await ask('6 * 7');
  if (!text.includes('42')) throw new Error(`python3 did not answer: ${text}`);
  return 'yes';
}

/** Checks of one runner by their labels in the table. */
export const CHECKS = {
  'secrets read': countSecretsRead,
  'processes left': countSurvivors,
  'of 23 MB, chars': countOutputRead,
  'rm -rf .git': removeRepository,
  'a write outside': writeOutside,
  'a connection': connectToServer,
  'a REPL': askRepl,
};

export const LATENCY = {
  label: 'true, p50 ms',
  async measure(runners, rounds) {
    const timers = mapValues(
      runners,
      ({ run }) =>
        () =>
          timed(() => run('true', TIMEOUT_MS)),
    );
    return mapValues(await interleave(timers, { rounds }), (ms) => median(ms).toFixed(1));
  },
};
