// The floor program (bench/floor) does only the system calls that a runner cannot avoid. Its times are the lower bound that
// runners are compared with.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { buildProgram } from './program.mjs';

export const FLOOR_NAME = 'handrail-bench-floor';

/** @returns {Promise<string>} the path of the program */
export const buildFloor = () => buildProgram(FLOOR_NAME);

/** A running floor program, which takes one request at a time. */
export class Floor {
  #child;
  #replies;

  /** @param {string} program as `buildFloor` gave it */
  constructor(program) {
    this.program = program;
    this.folder = dirname(program);
    this.#child = spawn(program, ['serve'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#replies = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Milliseconds of one `posix_spawn` with `waitpid` of an absolute path. */
  spawn(path) {
    return this.#request(`spawn ${path}`);
  }

  /** Milliseconds to read the output of `write BYTES` from a pipe, and the number of bytes read. */
  read(bytes) {
    return this.#request(`read ${bytes}`);
  }

  /** The same from a terminal, which turns a newline into two bytes. */
  terminal(bytes) {
    return this.#request(`terminal ${bytes}`);
  }

  /** Makes the program hold `bytes` of memory, as many as the host that it is compared with. */
  hold(bytes) {
    return this.#request(`hold ${bytes}`);
  }

  async close() {
    const exit = once(this.#child, 'exit');
    this.#child.stdin.end();
    await exit;
  }

  async #request(request) {
    this.#child.stdin.write(`${request}\n`);
    const { value } = await this.#replies.next();
    const [ok, nanoseconds, bytes] = String(value).split(' ');
    if (ok !== 'ok') throw new Error(`the floor program failed at '${request}'`);
    return { ms: Number(nanoseconds) / 1e6, bytes: Number(bytes) };
  }
}
