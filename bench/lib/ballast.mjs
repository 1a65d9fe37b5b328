// A host that holds memory: Buffers whose every page was written to.
import { setTimeout as pause } from 'node:timers/promises';

const MAX_COLLECTIONS = 50;
const COLLECTION_PAUSE_MS = 20;
/** More than a host without ballast ever has here. */
const SMALL_MIB = 250;
const CHUNK_BYTES = 16 * 2 ** 20;

/** Buffers of `bytes` altogether. They stay touched as long as the caller keeps them. */
export function touchedBuffers(bytes) {
  const buffers = [];
  for (let left = bytes; left > 0; left -= CHUNK_BYTES) {
    // Filled with something else than zero, which could be left to the kernel's zero page.
    buffers.push(Buffer.alloc(Math.min(CHUNK_BYTES, left), 1));
  }
  return buffers;
}

/** Gives back what nobody holds any more; needs `--expose-gc`, which `npm run bench` passes. */
export function collectGarbage() {
  if (globalThis.gc === undefined) throw new Error('run this through `npm run bench`: it needs --expose-gc');
  globalThis.gc();
}

/** Drops what `touchedBuffers` gave and waits until this process is small again. */
export async function release(buffers) {
  buffers.length = 0;
  for (let tries = 0; tries < MAX_COLLECTIONS; tries += 1) {
    collectGarbage();
    if (residentMiB() < SMALL_MIB) return;
    // Buffers are given back by another thread, and only when no frame of this turn can still see them.
    await pause(COLLECTION_PAUSE_MS);
  }
  throw new Error(`${Math.round(residentMiB())} MiB are still resident`);
}

export function residentMiB() {
  return process.memoryUsage.rss() / 2 ** 20;
}
