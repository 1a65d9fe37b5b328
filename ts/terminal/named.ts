import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, opendirSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import type { CheckedCall } from './call.js';
import { wordsOf } from './words.js';

/** Words of one command that are looked at, and files of the folders that it may name them in. */
const MAX_PATHS = 16_384;
/** Content that is read for one question, in bytes; of files beyond it the times of change are taken. */
export const MAX_DIGEST_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
/** Bytes of a digest's key. */
const KEY_BYTES = 32;

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
    const read = texts.map(wordsOf);
    const words = [...new Set(read.flatMap((text) => text.words))].filter((word) => word !== '');
    // Each word of a list is passed on as it is.
    const areAll = typeof command !== 'string' || read.every((text) => text.areAll);
    const folders = areAll && words.length <= MAX_PATHS ? [] : ['.', ...new Set(words.flatMap(foldersOf))];
    return new Named(this.#key, words.slice(0, MAX_PATHS), folders, path.resolve(this.#base, cwd));
  }
}

/** What a question was about. Held by identity and content, from the question to the start. */
export class Named {
  /** Another value is another question. */
  readonly fingerprint: string;
  readonly #key: Uint8Array;
  readonly #paths: readonly string[];
  /** Folders in which a word may name any file: a variable or a pattern does. */
  readonly #folders: readonly string[];
  readonly #cwd: string;
  readonly #states: readonly string[];

  constructor(key: Uint8Array, words: readonly string[], folders: readonly string[], cwd: string) {
    this.#key = key;
    this.#cwd = cwd;
    this.#paths = ['.', ...words];
    this.#folders = folders;
    this.#states = this.#look();
    this.fingerprint = createHmac('sha256', key).update(JSON.stringify(this.#states)).digest('hex');
  }

  /** Why this is not what was asked about any more; undefined while it is. */
  changed(): string | undefined {
    const now = this.#look();
    const index = this.#states.findIndex((state, at) => state !== now[at]);
    if (index === -1) return undefined;
    const word = this.#paths[index];
    const named = word === undefined ? 'A file that it may name' : `\`${word}\``;
    const what = index === 0 ? 'The working directory' : named;
    return `${what} was changed while somebody was asked about this command, so it did not run: look at it, and send the command again, which asks again`;
  }

  #look(): string[] {
    let left = MAX_DIGEST_BYTES;
    const named = this.#paths.map((name) => {
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
    return this.#folders.length === 0 ? named : [...named, this.#listed()];
  }

  /** The files of the folders, by identity and times. Of folders with more than can be looked at nothing is the same. */
  #listed(): string {
    const states: string[] = [];
    for (const name of this.#folders) {
      const folder = path.resolve(this.#cwd, name);
      for (const entry of entriesOf(folder, MAX_PATHS - states.length)) {
        const status = statSync(path.join(folder, entry), { throwIfNoEntry: false });
        const times = status?.isFile() === true ? timesOf(status) : '';
        states.push(JSON.stringify([name, entry, status?.dev, status?.ino, times]));
      }
      if (states.length >= MAX_PATHS) return randomBytes(KEY_BYTES).toString('hex');
    }
    return states.toSorted().join();
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

/** The folders that the parts of a path may lie in: what stands before a variable is none, what is behind it may be one. */
function foldersOf(word: string): string[] {
  const parts = word.split('/').slice(0, -1);
  return parts.map((_, first) => parts.slice(first).join('/')).concat(word.startsWith('/') ? [path.dirname(word)] : []);
}

/** The names in a folder, so many at most. None where it is no folder. */
function entriesOf(folder: string, most: number): string[] {
  try {
    const opened = opendirSync(folder);
    try {
      const names: string[] = [];
      for (let entry = opened.readSync(); entry !== null && names.length < most; entry = opened.readSync()) {
        names.push(entry.name);
      }
      return names;
    } finally {
      opened.closeSync();
    }
  } catch {
    return [];
  }
}

function timesOf({ size, mtimeMs, ctimeMs }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs}`;
}
