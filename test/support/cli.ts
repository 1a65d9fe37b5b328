/** Runs the built command line: in a new process, or together with other calls in a shared one. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import path from 'node:path';
import { REPOSITORY } from './copy.js';

/** The result of a process. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Working directory (by default the repository) and additional environment variables of a process. */
interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const MAIN = path.join(REPOSITORY, 'dist/cli/main.js');
const BATCH = path.join(REPOSITORY, 'test/cli/batch.mjs');

const environment = (env: Surroundings['env']): Record<string, string | undefined> => ({
  ...process.env,
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
  ...env,
});

/** Starts a Node program; `ended` settles when it has ended and everything it wrote was read. */
export function startNode(
  args: readonly string[],
  { cwd = REPOSITORY, env }: Surroundings = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, args, { cwd, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] });
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

/** Starts `handrail` with these arguments in a process of its own. */
export function startHandrail(...args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
  return startNode([MAIN, ...args]);
}

/** Runs command lines one after the other in one process, as the start of Node takes longer than most of them. */
class Batch {
  readonly #child = fork(BATCH, [MAIN], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  readonly #pendingRuns: { resolve(ended: Ended): void; reject(error: Error): void }[] = [];

  constructor() {
    this.#child.on('message', (ended) => this.#pendingRuns.shift()?.resolve(ended as Ended));
    this.#child.on('close', (code, signal) => {
      for (const { reject } of this.#pendingRuns) reject(new Error(`the batch has ended: ${code ?? signal}`));
    });
    // The child must not keep this process alive.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  run(args: readonly string[], { cwd = REPOSITORY, env }: Surroundings): Promise<Ended> {
    const variables = Object.entries(environment(env)).filter(([, value]) => value !== undefined);
    return new Promise((resolve, reject) => {
      this.#pendingRuns.push({ resolve, reject });
      this.#child.send({ args, cwd, env: Object.fromEntries(variables) });
    });
  }
}

let batch: Batch | undefined;

/** Runs `handrail` with these arguments to its end, in a process that others use too. */
export function runCommandLine(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  batch ??= new Batch();
  return batch.run(args, surroundings);
}

/** Runs `handrail` with these arguments in the repository to its end, in a process that others use too. */
export function handrail(...args: readonly string[]): Promise<Ended> {
  return runCommandLine(args);
}
