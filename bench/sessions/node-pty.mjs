// node-pty, the rival of sessions. It is built once, in a cache folder: the package does not depend on it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { stampFolder } from '../../scripts/lib/paths.mjs';

const VERSION = '1.1.0';
const FOLDER = join(stampFolder, `bench-node-pty-${VERSION}`);

/** @returns {{pty: object | undefined, problem: string}} `pty` is undefined where node-pty cannot be built; `problem` says why */
export function installNodePty() {
  const addon = join(FOLDER, 'node_modules', 'node-pty', 'build', 'Release', 'pty.node');
  try {
    if (!existsSync(addon)) {
      mkdirSync(FOLDER, { recursive: true });
      const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', FOLDER, `node-pty@${VERSION}`];
      execFileSync('npm', args, { cwd: FOLDER, stdio: 'pipe' });
    }
    if (!existsSync(addon)) throw new Error('its native part was not built');
    return { pty: createRequire(join(FOLDER, 'x.js'))('node-pty'), problem: '' };
  } catch (error) {
    return { pty: undefined, problem: String(error.message).split('\n', 1)[0] };
  }
}

/** A shell on a node-pty terminal that can be read up to its next prompt, as a session can. */
export class NodePtyShell {
  #text = '';
  #prompt;
  #resolveRead;

  constructor(pty, file, args, { prompt, env }) {
    this.#prompt = prompt;
    this.process = pty.spawn(file, args, { cols: 200, rows: 50, env });
    this.process.onData((text) => {
      this.#text += text;
      if (this.#text.endsWith(this.#prompt)) this.#resolveRead?.();
    });
  }

  /** The output since the last read, up to and including the next prompt. */
  async read() {
    if (!this.#text.endsWith(this.#prompt)) {
      await new Promise((resolve) => {
        this.#resolveRead = resolve;
      });
    }
    const text = this.#text;
    this.#text = '';
    return text;
  }

  send(line) {
    this.#text = '';
    this.process.write(`${line}\r`);
    return this.read();
  }

  close() {
    const exit = new Promise((resolve) => {
      this.process.onExit(resolve);
    });
    this.process.kill('SIGKILL');
    return exit;
  }
}
