// The floor program (bench/floor): built here, and driven one measurement at a time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { buildProgram } from './program.mjs';

export const FLOOR_NAME = 'handrail-bench-floor';

/** @returns {Promise<string>} the path of the program */
export const buildFloor = () => buildProgram(FLOOR_NAME);

/** A running floor program. Asked for one thing at a time. */
export class Floor {
  #child;
  #answers;

  /** @param {string} program as `buildFloor` gave it */
  constructor(program) {
    this.program = program;
    this.folder = dirname(program);
    this.#child = spawn(program, ['serve'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Milliseconds of one `posix_spawn` with `waitpid` of an absolute path. */
  spawn(path) {
    return this.#ask(`spawn ${path}`);
  }

  /** Milliseconds of reading what `write BYTES` writes, and how much that was. */
  read(bytes) {
    return this.#ask(`read ${bytes}`);
  }

  /** The same on a terminal, which makes two bytes of a newline. */
  terminal(bytes) {
    return this.#ask(`terminal ${bytes}`);
  }

  /** Makes the program as large as the host it is compared with. */
  hold(bytes) {
    return this.#ask(`hold ${bytes}`);
  }

  async close() {
    const ended = once(this.#child, 'exit');
    this.#child.stdin.end();
    await ended;
  }

  async #ask(question) {
    this.#child.stdin.write(`${question}\n`);
    const { value } = await this.#answers.next();
    const [ok, nanoseconds, bytes] = String(value).split(' ');
    if (ok !== 'ok') throw new Error(`the floor program could not do '${question}'`);
    return { ms: Number(nanoseconds) / 1e6, bytes: Number(bytes) };
  }
}
