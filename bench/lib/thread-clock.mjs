// Time as the main thread sees it: how long, and how much of that it only waited for a processor.
import { closeSync, openSync, readSync } from 'node:fs';

const NS_PER_MS = 1e6;
/** Three decimal numbers: time on a processor, time ready to run, turns. */
const MAX_BYTES = 128;
const SPACE = 0x20;
const ZERO = 0x30;

export class ThreadClock {
  #descriptor = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  #buffer = Buffer.alloc(MAX_BYTES);

  /** Milliseconds. Read in every turn, so it makes no garbage that a turn would have to collect. */
  read() {
    readSync(this.#descriptor, this.#buffer, 0, MAX_BYTES, 0);
    let waited = 0;
    for (let at = this.#buffer.indexOf(SPACE) + 1; this.#buffer[at] !== SPACE; at += 1) {
      waited = waited * 10 + this.#buffer[at] - ZERO;
    }
    return { wall: performance.now(), waited: waited / NS_PER_MS };
  }

  close() {
    closeSync(this.#descriptor);
  }
}
