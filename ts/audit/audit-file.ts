import { closeSync, constants, fstatSync, writeSync } from 'node:fs';
import { HandrailError } from '../errors.js';
import { openPrivateFile } from '../terminal/private-file.js';
import { type Link, linkedLine, MAX_LINK_BYTES, readBytes, sha256 } from './chain.js';
import type { AuditRecord } from './record.js';

const LINE_FEED = 0x0a;

/** Most looks at a line that another process is in the middle of writing, and the pause between them. What stays so is torn. */
const MAX_LOOKS = 20;
const PAUSE_MS = 1;

interface Look {
  /** What the next line names. */
  readonly link: Link;
  /** Whether the file ends within a line, as after a crash. */
  readonly isMidLine: boolean;
}

/** A file to which each audit record is added as a line of JSON, which names what stands before it: see `chain.ts`. */
export class AuditFile implements Disposable {
  readonly #descriptor: number;
  /** How long the file was when this writer last looked. Undefined: it has not. */
  #seen: number | undefined;

  /**
   * @param roots Folders that commands can write to. The file may not lie in them.
   * @param shownOption The option in messages.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when it does, is no regular file with a single name, or cannot be
   * opened. Nothing is created then.
   */
  constructor(file: string, roots: readonly string[], shownOption: string) {
    const flag = constants.O_RDWR | constants.O_APPEND;
    this.#descriptor = openPrivateFile({ file, roots, flag, option: 'audit', shownOption });
  }

  /**
   * Adds a record as a whole line, also when several processes write to the file.
   *
   * @throws HandrailError `ERR_SYSTEM` when the file took a part of it only, and the error of the system when it took none.
   */
  readonly add = (record: AuditRecord): void => {
    const { link, isMidLine } = this.#lookAtLines();
    const line = Buffer.from(`${isMidLine ? '\n' : ''}${linkedLine(record, link)}\n`);
    if (writeSync(this.#descriptor, line) < line.length) {
      throw new HandrailError('ERR_SYSTEM', 'The audit file took a part of a line only');
    }
  };

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }

  #lookAtLines(): Look {
    const seen = this.#seen ?? 0;
    for (let looks = 1; ; looks++) {
      const look = this.#lookFrom(seen);
      if (!look.isMidLine || looks === MAX_LOOKS) return look;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, PAUSE_MS);
    }
  }

  #lookFrom(seen: number): Look {
    const { size } = fstatSync(this.#descriptor);
    this.#seen = size;
    // Lines were cut off: the next one goes on to name what was there, which a check then misses.
    if (size < seen) return { link: { from: seen, to: seen, prevHash: sha256('') }, isMidLine: false };
    const from = Math.max(seen, size - MAX_LINK_BYTES);
    const bytes = readBytes(this.#descriptor, from, size - from);
    const isMidLine = bytes.length > 0 && bytes.at(-1) !== LINE_FEED;
    return { link: { from, to: from + bytes.length, prevHash: sha256(bytes) }, isMidLine };
  }
}
