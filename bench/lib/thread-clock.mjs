// A clock of the main thread: wall-clock time, the time it ran on a processor, and the time it waited for one.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const NS_PER_MS = 1e6;
/** schedstat holds three decimal numbers: nanoseconds on a processor, nanoseconds of waiting for one, time slices. */
const MAX_BYTES = 128;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const TASK_FOLDER = `/proc/self/task/${process.pid}`;

export class ThreadClock {
  #descriptor = openSync(`${TASK_FOLDER}/schedstat`, 'r');
  #buffer = Buffer.alloc(MAX_BYTES);

  /** Milliseconds of each kind. It allocates almost nothing, as it is called in every turn of the event loop. */
  read() {
    // For this call the kernel updates the times of the thread, which it otherwise does only at its timer ticks.
    process.cpuUsage();
    readSync(this.#descriptor, this.#buffer, 0, MAX_BYTES, 0);
    const ran = this.#parseNumber(0);
    const waited = this.#parseNumber(ran.end + 1);
    return { wall: performance.now(), ran: ran.value / NS_PER_MS, waited: waited.value / NS_PER_MS };
  }

  /** How often the thread has gone to sleep: in a blocking call, on a lock, or for a page of memory. */
  sleeps() {
    return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(readFileSync(`${TASK_FOLDER}/status`, 'utf8'))?.[1]);
  }

  close() {
    closeSync(this.#descriptor);
  }

  #parseNumber(start) {
    let value = 0;
    let end = start;
    for (; this.#buffer[end] >= DIGIT_ZERO && this.#buffer[end] <= DIGIT_NINE; end += 1) {
      value = value * 10 + this.#buffer[end] - DIGIT_ZERO;
    }
    return { value, end };
  }
}
