// A host that holds memory: Buffers whose every page was written to.
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

export function residentMiB() {
  return process.memoryUsage.rss() / 2 ** 20;
}
