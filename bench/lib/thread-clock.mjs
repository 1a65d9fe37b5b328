// Time as the main thread sees it: how long, how much of that it ran, and how much it only waited for a processor.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const NS_PER_MS = 1e6;
/** Three decimal numbers: time on a processor, time ready to run, turns. */
const MAX_BYTES = 128;
const ZERO = 0x30;
const NINE = 0x39;
const TASK = `/proc/self/task/${process.pid}`;

export class ThreadClock {
  #descriptor = openSync(`${TASK}/schedstat`, 'r');
  #buffer = Buffer.alloc(MAX_BYTES);

  /** Milliseconds. Read in every turn, so it makes next to no garbage that a turn would have to collect. */
  read() {
    // The kernel brings the thread's account up to date for this call, and else only at its own ticks.
    process.cpuUsage();
    readSync(this.#descriptor, this.#buffer, 0, MAX_BYTES, 0);
    const ran = this.#number(0);
    const waited = this.#number(ran.end + 1);
    return { wall: performance.now(), ran: ran.value / NS_PER_MS, waited: waited.value / NS_PER_MS };
  }

  /** How often the thread went to sleep by itself: in a call that blocks, on a lock, for a page. */
  sleeps() {
    return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(readFileSync(`${TASK}/status`, 'utf8'))?.[1]);
  }

  close() {
    closeSync(this.#descriptor);
  }

  #number(start) {
    let value = 0;
    let end = start;
    for (; this.#buffer[end] >= ZERO && this.#buffer[end] <= NINE; end += 1) {
      value = value * 10 + this.#buffer[end] - ZERO;
    }
    return { value, end };
  }
}
