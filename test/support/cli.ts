/** The command line as a real process, as it was built. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { REPOSITORY } from './copy.js';

/** What a process did. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAIN = path.join(REPOSITORY, 'dist/cli/main.js');

/** Starts a Node program; `ended` settles when it has ended and everything it wrote was read. */
export function startNode(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string | undefined> } = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, args, {
    cwd: options.cwd ?? REPOSITORY,
    env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...output }));
  });
  return { child, ended };
}

/** Runs `handrail` with these arguments to its end. */
export function handrail(...args: readonly string[]): Promise<Ended> {
  return startNode([MAIN, ...args]).ended;
}

/** Starts `handrail` with these arguments. */
export function startHandrail(...args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
  return startNode([MAIN, ...args]);
}
