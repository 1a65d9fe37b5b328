// What the programs of this folder share. They run where handrail was installed, with nothing of its repository around them.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

let count = 0;

/** Far longer than any program takes. It keeps none alive: one that waits for nothing ends with Node's own code for that. */
const LIMIT_MS = 300_000;
/** How long what has to come is waited for: it ends what hangs, on a machine far slower than usual. */
const LIVENESS_MS = 120_000;
setTimeout(() => {
  process.stderr.write(`not ok: line ${count} does not end\n`);
  process.exit(1);
}, LIMIT_MS).unref();

/** Checks one line of the list and says that it is true; the first that is not ends the program with its error. */
export async function line(sentence, check) {
  count += 1;
  try {
    await check();
  } catch (error) {
    process.stderr.write(`not ok ${count} ${sentence}\n`);
    throw error;
  }
  process.stdout.write(`ok ${count} ${sentence}\n`);
}

/** A line of the list that is not met yet. The day it is, this fails, and the line becomes one like the others. */
export async function gap(sentence, check) {
  await assert.rejects(async () => await check(), undefined, `it is met now: ${sentence}`);
  process.stdout.write(`gap: ${sentence}\n`);
}

/** Says loudly what was not looked at; where `variable` is 1 that is a failure. */
export function skipped(what, variable) {
  process.stdout.write(`skipped: ${what}\n`);
  if (variable !== undefined) assert.notEqual(process.env[variable], '1', `${variable}=1, but ${what}`);
}

/** A folder that goes away with the program. */
export function temporaryFolder(name) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `checklist-${name}-`)));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Variables for the time of a call; undefined unsets one. */
export async function withVariables(variables, call) {
  const before = Object.keys(variables).map((name) => [name, process.env[name]]);
  setVariables(Object.entries(variables));
  try {
    return await call();
  } finally {
    setVariables(before);
  }
}

function setVariables(entries) {
  for (const [name, value] of entries) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

let marks = 0;

/** A `sleep` argument that nothing else on this machine uses, about a day long. */
export function marker() {
  marks += 1;
  return `8${process.pid % 10_000}.${String(marks).padStart(4, '0')}${Date.now() % 100_000}`;
}

/** Processes that live and have the text in their command line, by /proc alone. */
export function living(text) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        const state = stat[stat.lastIndexOf(')') + 2];
        return state !== 'Z' && state !== 'X' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false; // It ended while we looked.
      }
    });
}

export function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits until a check holds. */
export async function until(check) {
  for (const started = performance.now(); performance.now() - started < LIVENESS_MS; await sleep(10)) {
    if (await check()) return;
  }
  assert.fail('it did not come true in time');
}

/** Runs another program of Node to its end: the code it is given, as a module in a folder. */
export async function runNode(args, cwd, env = {}) {
  const child = spawn(process.execPath, ['--no-warnings', ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIVENESS_MS,
    killSignal: 'SIGKILL',
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text;
    });
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, ...output };
}

/** Whether a program of the machine can be started. */
export function hasProgram(name) {
  return spawnSync('/bin/sh', ['-c', `command -v ${name}`]).status === 0;
}

/** What looks like a secret, from parts. */
export const SECRET = ['hunter2', 'hunter2'].join('-');
export const API_KEY = ['sk', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('-');
