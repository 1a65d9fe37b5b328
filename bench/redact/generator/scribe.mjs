// Text with the places of its secrets.

/**
 * A secret that was planted: where (`context`), of what format, whether a rule can know the format (`named`), and the
 * bytes `[start, end)` it has. A terminal's line break in the middle makes two ranges of one.
 *
 * @typedef {{context: string, format: string, named: boolean, ranges: [number, number][]}} Truth
 */

/** Collects pieces of a line: what everybody may see, and secrets. */
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

/** Writes lines into one buffer and keeps the truths. */
export class Scribe {
  /** @type {Truth[]} */
  truths = [];
  #buffer;
  #length = 0;

  /** @param {number} bytes how much will be written at most */
  constructor(bytes) {
    this.#buffer = Buffer.allocUnsafe(bytes);
  }

  get length() {
    return this.#length;
  }

  text(text) {
    const written = this.#buffer.write(text, this.#length);
    this.#length += written;
    return written;
  }

  bytes(bytes) {
    this.#length += bytes.copy(this.#buffer, this.#length);
  }

  /** @param {Line} line all its secrets are one */
  plant(line, { context, format, named }) {
    const ranges = [];
    for (const { text, secret } of line.pieces) {
      const start = this.#length;
      const end = start + this.text(text);
      if (secret) ranges.push([start, end]);
    }
    this.truths.push({ context, format, named, ranges });
  }

  finish() {
    return { text: this.#buffer.subarray(0, this.#length), truths: this.truths };
  }
}
