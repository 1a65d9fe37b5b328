// Those who run commands for agents. A runner gives what a model would read, and never rejects for what a command does.
import { exec } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { createToolkit } from '../../dist/index.js';
import { sandboxManager } from '../plans/rivals.mjs';
import { installNodePty } from '../sessions/rival.mjs';

const PROGRAMS = ['bash', 'cat', 'python3', 'seq', 'setsid', 'sleep', 'touch', 'true'];
const PROMPT = '>>> ';
/** How much longer than its time a command is waited for. */
const PATIENCE_MS = 2_000;

const patiently = (text, timeoutMs) =>
  Promise.race([
    text,
    new Promise((resolve) => {
      setTimeout(resolve, timeoutMs + PATIENCE_MS, '').unref();
    }),
  ]);

function execaRunner(folder) {
  const run = async (command, timeout) => {
    const { stdout, stderr } = await execa({ cwd: folder, shell: true, timeout, reject: false })(command);
    return stdout + stderr;
  };
  return { folder, run: (command, timeoutMs) => patiently(run(command, timeoutMs), timeoutMs), close: () => undefined };
}

async function sandboxRuntime(folder, options) {
  const SandboxManager = await sandboxManager(folder, options);
  const run = async (command, timeout) => {
    const wrapped = await SandboxManager.wrapWithSandbox(command);
    const options = { cwd: folder, timeout, maxBuffer: 64 * 2 ** 20 };
    const text = new Promise((resolve) => {
      exec(wrapped, options, (_error, stdout, stderr) => resolve(stdout + stderr));
    });
    return await patiently(text, timeout);
  };
  await run('true', 10_000);
  return { folder, run, close: () => SandboxManager.reset() };
}

function nodePty(folder) {
  const { pty, why } = installNodePty();
  if (pty === undefined) throw new Error(why);
  const start = (file, args) => pty.spawn(file, args, { cols: 200, rows: 50, cwd: folder, env: { ...process.env } });
  const run = (command, timeoutMs) => {
    const child = start('bash', ['-c', command]);
    let text = '';
    child.onData((data) => {
      text += data;
    });
    const timer = setTimeout(() => child.kill(), timeoutMs);
    const ended = new Promise((resolve) => {
      child.onExit(() => resolve(text));
    });
    return patiently(ended, timeoutMs).finally(() => clearTimeout(timer));
  };
  const ask = (line) =>
    new Promise((resolve) => {
      const child = start('python3', ['-q']);
      let text = '';
      let sent = false;
      child.onData((data) => {
        text += data;
        if (!text.endsWith(PROMPT)) return;
        if (sent) {
          child.kill('SIGKILL');
          resolve(text);
        } else {
          sent = true;
          text = '';
          child.write(`${line}\r`);
        }
      });
    });
  return { folder, run, ask, close: () => undefined };
}

async function handrail(folder) {
  const terminal = { shell: 'bash', allow: PROGRAMS, trustInterpreters: ['python3'], confine: { network: 'none' } };
  const toolkit = await createToolkit({ workspace: folder, terminal });
  const call = async (name, args) => (await toolkit.execute(name, args)).content;
  return {
    folder,
    run: (command, timeoutMs) => call('terminal_run', { command, timeout_ms: timeoutMs }),
    ask: async (line) => {
      await call('session_start', { command: 'python3 -q' });
      return await call('session_send', { session: 's1', input: line });
    },
    close: () => toolkit.close(),
  };
}

const MAKERS = { handrail, execa: execaRunner, 'sandbox-runtime': sandboxRuntime, 'node-pty': nodePty };

/** @returns {Promise<{runners: object, absent: Record<string, string>, remove: () => Promise<void>}>} */
export async function prepareRunners(options) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-beside-')));
  const runners = {};
  const absent = {};
  for (const [name, make] of Object.entries(MAKERS)) {
    // The folder above it is outside, and is each one's own too.
    const folder = join(base, name, 'work');
    mkdirSync(folder, { recursive: true });
    try {
      runners[name] = await make(folder, options);
    } catch (error) {
      absent[name] = String(error.message).split('\n', 1)[0];
    }
  }
  const remove = async () => {
    for (const runner of Object.values(runners)) await runner.close();
    rmSync(base, { recursive: true, force: true });
  };
  return { runners, absent, remove };
}
