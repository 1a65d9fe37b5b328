import { type ExecException, exec } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { createToolkit } from '../../toolkit.js';
import { UsageError } from '../usage-error.js';
import type { Rival } from './rivals.js';

/** A call of a model. */
export interface Call {
  readonly command: string;
  readonly timeoutMs: number;
}

/** Runs the calls of a model in a folder. */
export interface Side {
  readonly name: string;
  /** Runs a call and returns the text for the model. Never rejects because of a command. */
  run(call: Call, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** How long a call is waited for after its time limit, in milliseconds. */
const EXTRA_WAIT_MS = 2_000;

/** A side that runs commands with the tools that agents usually get. */
export async function rivalSide(rival: Rival, folder: string): Promise<Side> {
  const start = rival === 'execa' ? await execaRunner() : execRunner;
  const ended = new AbortController();
  return {
    name: rival === 'execa' ? 'execa' : 'node:child_process',
    run: (call, signal) => {
      const text = start(call, folder, AbortSignal.any([signal, ended.signal]));
      const timeout = after(call.timeoutMs + EXTRA_WAIT_MS, 'no answer, 2 s after its time', { ref: false });
      return Promise.race([text, timeout]);
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

/** A side that runs commands with a toolkit of Handrail. */
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
