/** A worker in workerd, on a free port of this machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { REPOSITORY } from '../../support/copy.js';

/** Old enough to have nothing of Node, and no `FinalizationRegistry`, which came with 2025-05-05. */
const COMPATIBILITY_DATE = '2024-01-01';

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "answers.mjs", esModule = embed "answers.mjs"),
    (name = "handrail/workerd.js", esModule = embed "workerd.js"),
    (name = "handrail/handrail.wasm", wasm = embed "handrail.wasm"),
  ],
  compatibilityDate = "${COMPATIBILITY_DATE}",
);
`;

/** One server. */
export class Workerd {
  readonly #program: string;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  /** @param folder a folder for it alone; it need not be there yet */
  constructor(program: string, folder: string) {
    this.#program = program;
    this.#folder = folder;
  }

  /**
   * @param files the folder of the package that has the bundles
   * @returns its address, once it listens
   */
  async start(files: string): Promise<string> {
    const test = path.join(REPOSITORY, 'test/wasm');
    const taken = [
      ...['worker.mjs', 'answers.mjs'].map((name) => path.join(test, name)),
      ...['workerd.js', 'handrail.wasm'].map((name) => path.join(files, name)),
    ];
    mkdirSync(this.#folder);
    for (const file of taken) copyFileSync(file, path.join(this.#folder, path.basename(file)));
    writeFileSync(path.join(this.#folder, 'config.capnp'), CONFIG);
    // It says on the third descriptor which port it has.
    const child = spawn(this.#program, ['serve', '--control-fd=3', 'config.capnp'], {
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const said: string[] = [];
    child.stderr?.setEncoding('utf8').on('data', (text: string) => said.push(text));
    const ended = new Promise<never>((_, reject) => {
      child.on('error', reject);
      child.on('close', () => reject(new Error(`workerd ended: ${said.join('')}`)));
    });
    const port = await Promise.race([portIn(child.stdio[3] as Readable), ended]);
    ended.catch(() => undefined);
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
  }
}

function portIn(control: Readable): Promise<number> {
  return new Promise((resolve) => {
    createInterface(control).once('line', (line) => resolve((JSON.parse(line) as { port: number }).port));
  });
}
