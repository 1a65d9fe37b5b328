// node-pty, which is installed in a folder of its own: it is no dependency of ours.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION = '1.1.0';

/** @returns {{pty: object | undefined, why: string, remove: () => void}} `pty` is undefined where it cannot be built */
export function installNodePty() {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-node-pty-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `node-pty@${VERSION}`];
    execFileSync('npm', args, { cwd: folder, stdio: 'pipe' });
    const built = join(folder, 'node_modules/node-pty');
    if (!existsSync(join(built, 'build/Release/pty.node'))) throw new Error('its native part was not built');
    return { pty: createRequire(join(folder, 'x.js'))('node-pty'), why: '', remove };
  } catch (error) {
    remove();
    return { pty: undefined, why: String(error.message).split('\n', 1)[0], remove: () => undefined };
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
