import type { Readable } from 'node:stream';

/** Time without input that counts as a pause, in milliseconds: a program may wait for an answer to its prompt. */
const PAUSE_MS = 150;

/** The chunks of a stream, with undefined for each pause. */
export async function* withPauses(stream: Readable): AsyncGenerator<Uint8Array | undefined> {
  const chunks = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = chunks.next();
      if (await isLate(next)) yield;
      const { done, value } = await next;
      if (done === true) return;
      yield value;
    }
  } finally {
    stream.destroy();
  }
}

/** Whether a promise takes longer than a pause. A rejected promise counts as settled. */
function isLate(promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), PAUSE_MS);
    const inTime = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    promise.then(inTime, inTime);
  });
}
