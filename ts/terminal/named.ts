import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import type { CheckedCall } from './call.js';

/** Words of one command that are looked at; what is named after them is not held. */
const MAX_WORDS = 256;
/** Content that is read for one question, in bytes; of files beyond it the times of change are taken. */
export const MAX_DIGEST_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
/** Bytes of a digest's key. */
const KEY_BYTES = 32;

/** What divides the words of a script, and a path from its option: a word that is no path is no file either. */
const BETWEEN_WORDS = /[\s'"`;&|()<>$={}]+/;

/** Looks at what commands name. Its digests say nothing about content to anybody else. */
export class Naming {
  readonly #key = randomBytes(KEY_BYTES);
  readonly #base: string;

  /** @param base What working directories are relative to. */
  constructor(base: string) {
    this.#base = base;
  }

  /** The working directory of a command, and the files and folders that its words name, as they are now. */
  of({ command, cwd }: Pick<CheckedCall, 'command' | 'cwd'>): Named {
    const texts = typeof command === 'string' ? [command] : command;
    const words = texts.flatMap((text) => [text, ...text.split(BETWEEN_WORDS)]).filter((word) => word !== '');
    return new Named(this.#key, [...new Set(words)].slice(0, MAX_WORDS), path.resolve(this.#base, cwd));
  }
}

/** What a question was about. Held by identity and content, from the question to the start. */
export class Named {
  /** Another value is another question. */
  readonly fingerprint: string;
  readonly #key: Uint8Array;
  readonly #paths: readonly string[];
  readonly #cwd: string;
  readonly #states: readonly string[];

  constructor(key: Uint8Array, words: readonly string[], cwd: string) {
    this.#key = key;
    this.#cwd = cwd;
    this.#paths = ['.', ...words];
    this.#states = this.#look();
    this.fingerprint = createHmac('sha256', key).update(JSON.stringify(this.#states)).digest('hex');
  }

  /** Why this is not what was asked about any more; undefined while it is. */
  changed(): string | undefined {
    const now = this.#look();
    const index = this.#states.findIndex((state, at) => state !== now[at]);
    if (index === -1) return undefined;
    const what = index === 0 ? 'The working directory' : `\`${this.#paths[index]}\``;
    return `${what} was changed while somebody was asked about this command, so it did not run: look at it, and send the command again, which asks again`;
  }

  #look(): string[] {
    let left = MAX_DIGEST_BYTES;
    return this.#paths.map((name) => {
      const file = path.resolve(this.#cwd, name);
      try {
        const status = statSync(file);
        const identity = `${status.dev} ${status.ino}`;
        if (!status.isFile()) return identity;
        left -= status.size;
        return `${identity} ${left < 0 ? timesOf(status) : this.#digest(file, status)}`;
      } catch (error) {
        // What is not there is nothing, and so is what is no path at all.
        return (error as NodeJS.ErrnoException).code ?? 'none';
      }
    });
  }

  #digest(file: string, { size }: Stats): string {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const opened = fstatSync(descriptor);
      // Another file by now, which cannot be what it was; or a growing one, of which the start says nothing.
      if (!opened.isFile() || opened.size !== size) return timesOf(opened);
      const hash = createHmac('sha256', this.#key);
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      // One that grows meanwhile is read to where it ended.
      for (let left = size; left > 0; ) {
        const read = readSync(descriptor, piece, 0, Math.min(left, piece.length), null);
        if (read === 0) break;
        hash.update(piece.subarray(0, read));
        left -= read;
      }
      return hash.digest('hex');
    } finally {
      closeSync(descriptor);
    }
  }
}

function timesOf({ size, mtimeMs, ctimeMs }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs}`;
}
