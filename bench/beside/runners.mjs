// Runners of commands for agents: Handrail and its rivals. `run` gives the text that a model would read, and does not reject
// when a command fails.
import { exec } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { createToolkit } from '../../dist/index.js';
import { sandboxManager } from '../plans/rivals.mjs';
import { installNodePty } from '../sessions/node-pty.mjs';

const PROGRAMS = ['bash', 'cat', 'python3', 'seq', 'setsid', 'sleep', 'touch', 'true'];
const PROMPT = '>>> ';
/** How long after its timeout a command is given up. */
const GIVE_UP_MS = 2_000;

/** `text`, or nothing when it does not come soon after the timeout. */
const textBeforeGivingUp = (text, timeoutMs) =>
  Promise.race([
    text,
    new Promise((resolve) => {
      setTimeout(resolve, timeoutMs + GIVE_UP_MS, '').unref();
    }),
  ]);

function execaRunner(folder) {
  const run = async (command, timeout) => {
    const { stdout, stderr } = await execa({ cwd: folder, shell: true, timeout, reject: false })(command);
    return stdout + stderr;
  };
  return {
    folder,
    run: (command, timeoutMs) => textBeforeGivingUp(run(command, timeoutMs), timeoutMs),
    close: () => undefined,
  };
}

async function sandboxRuntimeRunner(folder, options) {
  const SandboxManager = await sandboxManager(folder, options);
  const run = async (command, timeout) => {
    const wrapped = await SandboxManager.wrapWithSandbox(command);
    const options = { cwd: folder, timeout, maxBuffer: 64 * 2 ** 20 };
    const text = new Promise((resolve) => {
      exec(wrapped, options, (_error, stdout, stderr) => resolve(stdout + stderr));
    });
    return await textBeforeGivingUp(text, timeout);
  };
  await run('true', 10_000);
  return { folder, run, close: () => SandboxManager.reset() };
}

function nodePtyRunner(folder) {
  const { pty, problem } = installNodePty();
  if (pty === undefined) throw new Error(problem);
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
    return textBeforeGivingUp(ended, timeoutMs).finally(() => clearTimeout(timer));
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

async function handrailRunner(folder) {
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

const RUNNER_FACTORIES = {
  handrail: handrailRunner,
  execa: execaRunner,
  'sandbox-runtime': sandboxRuntimeRunner,
  'node-pty': nodePtyRunner,
};

/**
 * @returns {Promise<{runners: object, absent: Record<string, string>, remove: () => Promise<void>}>} `absent` says by name why a
 *   runner is not measured; `remove` closes the runners and removes their folders
 */
export async function prepareRunners(options) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-beside-')));
  const runners = {};
  const absent = {};
  for (const [name, createRunner] of Object.entries(RUNNER_FACTORIES)) {
    // The parent folder is outside of the workspace, so each runner has its own.
    const folder = join(base, name, 'work');
    mkdirSync(folder, { recursive: true });
    try {
      runners[name] = await createRunner(folder, options);
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
