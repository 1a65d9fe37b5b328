import { type ExecException, exec } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { createToolkit } from '../../toolkit.js';
import { UsageError } from '../usage-error.js';
import type { Rival } from './rivals.js';

/** One call of a model. */
export interface Call {
  readonly command: string;
  readonly timeoutMs: number;
}

/** Somebody who runs the calls of a model in a folder. */
export interface Side {
  readonly name: string;
  /** What the model would read. Never rejects for what a command does. */
  run(call: Call, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** How much longer than its time a call is waited for. */
const PATIENCE_MS = 2_000;

/** The commands in `folder` with the tools that agents are usually given. */
export async function rivalSide(rival: Rival, folder: string): Promise<Side> {
  const start = rival === 'execa' ? await execaRunner() : execRunner;
  const ended = new AbortController();
  return {
    name: rival === 'execa' ? 'execa' : 'node:child_process',
    run: (call, signal) => {
      const text = start(call, folder, AbortSignal.any([signal, ended.signal]));
      const late = after(call.timeoutMs + PATIENCE_MS, 'no answer, 2 s after its time', { ref: false });
      return Promise.race([text, late]);
    },
    close: async () => ended.abort(),
  };
}

type Runner = (call: Call, cwd: string, signal: AbortSignal) => Promise<string>;

const execRunner: Runner = ({ command, timeoutMs }, cwd, signal) =>
  new Promise((resolve) => {
    exec(command, { cwd, timeout: timeoutMs, signal }, (error, stdout, stderr) => {
      resolve(error === null ? stdout : `${briefly(error)}\n${stdout}${stderr}`);
    });
  });

function briefly({ message, code }: ExecException): string {
  return typeof code === 'string' ? code : `Error: ${message}`;
}

async function execaRunner(): Promise<Runner> {
  const { execa } = await import('execa').catch(() => {
    throw new UsageError('--beside execa needs execa beside handrail: npm install execa', 'ERR_PEER_MISSING');
  });
  return async ({ command, timeoutMs }, cwd, cancelSignal) => {
    const { failed, shortMessage, stdout, stderr } = await execa({
      ...{ cwd, cancelSignal, shell: true, timeout: timeoutMs, reject: false },
    })(command);
    return failed ? `Error: ${shortMessage}\n${stdout}${stderr}` : stdout;
  };
}

/** The commands in `folder` with the toolkit. */
export async function guardedSide(folder: string): Promise<Side> {
  const toolkit = await createToolkit({ workspace: folder, terminal: { shell: 'bash', allow: ['cat', 'sleep'] } });
  return {
    name: 'handrail',
    run: async ({ command, timeoutMs }, signal) => {
      const args = { command, timeout_ms: timeoutMs };
      return (await toolkit.execute('terminal_run', args, { signal })).content;
    },
    close: () => toolkit.close(),
  };
}
