// node-pty, which is built once, in a folder of its own: it is no dependency of ours.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { stampFolder } from '../../scripts/lib/paths.mjs';

const VERSION = '1.1.0';
const FOLDER = join(stampFolder, `bench-node-pty-${VERSION}`);

/** @returns {{pty: object | undefined, why: string}} `pty` is undefined where it cannot be built */
export function installNodePty() {
  const built = join(FOLDER, 'node_modules', 'node-pty', 'build', 'Release', 'pty.node');
  try {
    if (!existsSync(built)) {
      mkdirSync(FOLDER, { recursive: true });
      const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', FOLDER, `node-pty@${VERSION}`];
      execFileSync('npm', args, { cwd: FOLDER, stdio: 'pipe' });
    }
    if (!existsSync(built)) throw new Error('its native part was not built');
    return { pty: createRequire(join(FOLDER, 'x.js'))('node-pty'), why: '' };
  } catch (error) {
    return { pty: undefined, why: String(error.message).split('\n', 1)[0] };
  }
}

/** What one of its terminals wrote, as far as somebody waits for it. */
export class RivalShell {
  #text = '';
  #prompt;
  #ready;

  constructor(pty, file, args, { prompt, env }) {
    this.#prompt = prompt;
    this.process = pty.spawn(file, args, { cols: 200, rows: 50, env });
    this.process.onData((text) => {
      this.#text += text;
      if (this.#text.endsWith(this.#prompt)) this.#ready?.();
    });
  }

  /** What comes until the prompt is at the end. */
  async read() {
    if (!this.#text.endsWith(this.#prompt)) {
      await new Promise((resolve) => {
        this.#ready = resolve;
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
    const ended = new Promise((resolve) => {
      this.process.onExit(resolve);
    });
    this.process.kill('SIGKILL');
    return ended;
  }
}
