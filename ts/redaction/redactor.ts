import { Transform, type TransformCallback } from 'node:stream';

import { TextRedactor } from './text-redactor.js';

/**
 * Masks secrets in text, bytes and streams. Only the value is masked, and the text around it stays:
 * `password=[REDACTED]`. Time is linear in the input for every rule and every pattern, and a stream gives the same
 * bytes however the input was cut.
 *
 * Making an instance compiles its rules, so an instance should be kept. `addSecret` adds to what it searches for;
 * nothing is ever removed. What is searched for never changes during a call.
 *
 * @example
 * ```ts
 * import { Redactor } from 'handrail';
 *
 * const redactor = new Redactor({ secrets: { DEPLOY: 'correct horse' } });
 * console.log(redactor.redact('password=hunter2')); // password=[REDACTED]
 * console.log(redactor.redact('using correct horse')); // using [REDACTED]
 * ```
 */
export class Redactor extends TextRedactor {
  /**
   * Makes a Node transform that masks, for `pipeline()`. It takes bytes and strings, and gives bytes.
   *
   * @returns A new transform, for one input. Input that it cannot take gives its `error`.
   * @example
   * ```ts
   * import { pipeline } from 'node:stream/promises';
   * import { Redactor } from 'handrail';
   *
   * await pipeline(process.stdin, new Redactor().transform(), process.stdout, { end: false });
   * ```
   */
  transform(): Transform {
    const stream = this.stream();
    return new Transform({
      decodeStrings: false,
      transform(chunk: string | Uint8Array, encoding, callback) {
        answer(callback, () => stream.write(toWritable(chunk, encoding)));
      },
      flush(callback) {
        answer(callback, () => stream.end());
      },
    });
  }

  /**
   * Whether `value` is a redactor of this copy of the package.
   *
   * @internal
   */
  static override isRedactor(value: unknown): value is Redactor {
    return value instanceof Redactor && TextRedactor.isRedactor(value);
  }
}

/** A chunk for the stream. The stream joins strings that were cut inside a character; other encodings become bytes here. */
function toWritable(chunk: string | Uint8Array, encoding: BufferEncoding): string | Uint8Array {
  if (typeof chunk !== 'string' || encoding === 'utf8' || encoding === 'utf-8') return chunk;
  return Buffer.from(chunk, encoding);
}

function answer(callback: TransformCallback, produce: () => Uint8Array): void {
  let bytes: Uint8Array;
  try {
    bytes = produce();
  } catch (error) {
    callback(error as Error);
    return;
  }
  callback(null, bytes);
}
