// Makes this process hold a given amount of memory: Buffers of which every page was written to.
import { setTimeout as pause } from 'node:timers/promises';

const MAX_GC_RUNS = 50;
const GC_PAUSE_MS = 20;
/** The resident memory of this process without ballast is always below this. */
const MAX_MIB_WITHOUT_BALLAST = 250;
/** More than glibc ever takes from its heap, so that each chunk is a mapping of its own and is returned when it is freed. */
const CHUNK_BYTES = 64 * 2 ** 20;

/** Buffers of `bytes` altogether, which stay resident as long as the caller keeps them. */
export function touchedBuffers(bytes) {
  const buffers = [];
  for (let left = bytes; left > 0; left -= CHUNK_BYTES) {
    // Filled with ones: for zeros the kernel could map its shared zero page and use no memory.
    buffers.push(Buffer.alloc(Math.min(CHUNK_BYTES, left), 1));
  }
  return buffers;
}

/** Runs the garbage collector; needs `--expose-gc`, which `npm run bench` passes. */
export function collectGarbage() {
  if (globalThis.gc === undefined) throw new Error('run this through `npm run bench`: it needs --expose-gc');
  globalThis.gc();
}

/** Drops the Buffers of `touchedBuffers` and waits until their memory is returned to the system. */
export async function release(buffers) {
  buffers.length = 0;
  for (let collection = 0; collection < MAX_GC_RUNS; collection += 1) {
    collectGarbage();
    if (residentMiB() < MAX_MIB_WITHOUT_BALLAST) return;
    // Another thread frees Buffers, and only after the current turn of the event loop.
    await pause(GC_PAUSE_MS);
  }
  throw new Error(`${Math.round(residentMiB())} MiB are still resident`);
}

export function residentMiB() {
  return process.memoryUsage.rss() / 2 ** 20;
}
