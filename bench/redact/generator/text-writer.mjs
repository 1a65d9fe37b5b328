// Writes text and records the offsets of its planted secrets.

/**
 * A planted secret: its context, its format, whether a vendor publishes that format (`named`), and its byte ranges
 * `[start, end)`. A line break in the middle of the secret divides it into two ranges.
 *
 * @typedef {{context: string, format: string, named: boolean, ranges: [number, number][]}} PlantedSecret
 */

/** Collects the pieces of a line: harmless text, and pieces of one secret. */
export class Line {
  /** @type {{text: string, secret: boolean}[]} */
  pieces = [];

  text(text) {
    this.pieces.push({ text, secret: false });
    return this;
  }

  secret(text) {
    this.pieces.push({ text, secret: true });
    return this;
  }
}

/** Writes lines into one buffer and records the planted secrets. */
export class TextWriter {
  /** @type {PlantedSecret[]} */
  plantedSecrets = [];
  #buffer;
  #length = 0;

  /** @param {number} bytes the most bytes that will be written */
  constructor(bytes) {
    this.#buffer = Buffer.allocUnsafe(bytes);
  }

  get length() {
    return this.#length;
  }

  text(text) {
    const writtenBytes = this.#buffer.write(text, this.#length);
    this.#length += writtenBytes;
    return writtenBytes;
  }

  bytes(bytes) {
    this.#length += bytes.copy(this.#buffer, this.#length);
  }

  /** @param {Line} line its secret pieces form one secret */
  plant(line, { context, format, named }) {
    const ranges = [];
    for (const { text, secret } of line.pieces) {
      const start = this.#length;
      const end = start + this.text(text);
      if (secret) ranges.push([start, end]);
    }
    this.plantedSecrets.push({ context, format, named, ranges });
  }

  finish() {
    return { text: this.#buffer.subarray(0, this.#length), plantedSecrets: this.plantedSecrets };
  }
}
