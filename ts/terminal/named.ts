import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, opendirSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { read as readReport } from '../native/json.js';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';
import type { CheckedCall } from './call.js';

/** Most words of one command that are looked up as paths, and most files of the folders that it may name. */
const MAX_PATHS = 16_384;
/** Bytes of content that are hashed for one question. Of further files the times of change are compared. */
export const MAX_DIGEST_BYTES = 16 * 1024 * 1024;
const READ_BYTES = 64 * 1024;
/** Length of the key of the digests, in bytes. */
const KEY_BYTES = 32;

type RealPath = (file: string) => string;

/** Where names of files start, and what they stand for. */
interface Place {
  readonly cwd: string;
  readonly realPath: RealPath;
}

/** Records the files that commands name. The key of its digests is secret, so that they tell nobody about the content. */
export class NamedFilesRecorder {
  readonly #key = randomBytes(KEY_BYTES);
  readonly #base: string;
  readonly #realPath: RealPath;

  /**
   * @param base What working directories are relative to.
   * @param realPath What commands find at an absolute path, by its path on this machine.
   */
  constructor(base: string, realPath: RealPath = (file) => file) {
    this.#base = base;
    this.#realPath = realPath;
  }

  /** Records the working directory of a command, and the files and folders that its words name, as they are now. */
  record({ command, cwd }: Pick<CheckedCall, 'command' | 'cwd'>): NamedFiles {
    const texts = typeof command === 'string' ? [command] : command;
    const { binding } = loadNative();
    const parsedTexts = callNative(() => texts.map((text) => readReport(binding.namedWords(text))));
    const words = [...new Set(parsedTexts.flatMap((text) => text.words))].filter((word) => word !== '');
    // Words of an argv are passed on as they are: only a text of a shell can name more than its words.
    const areAll = typeof command !== 'string' || parsedTexts.every((text) => text.areComplete);
    const folders = areAll && words.length <= MAX_PATHS ? [] : ['.', ...new Set(words.flatMap(possibleFolders))];
    return new NamedFiles(this.#key, words.slice(0, MAX_PATHS), folders, {
      cwd: path.resolve(this.#base, cwd),
      realPath: this.#realPath,
    });
  }
}

/** The state of the files that a command names, by identity and content, recorded when an approver is asked. */
export class NamedFiles {
  /** A digest of that state. */
  readonly fingerprint: string;
  readonly #key: Uint8Array;
  readonly #paths: readonly string[];
  /** Folders in which a word may name any file, because it holds a variable or a pattern. */
  readonly #folders: readonly string[];
  readonly #place: Place;
  readonly #states: readonly string[];

  constructor(key: Uint8Array, words: readonly string[], folders: readonly string[], place: Place) {
    this.#key = key;
    this.#place = place;
    this.#paths = ['.', ...words];
    this.#folders = folders;
    this.#states = this.#currentStates();
    this.fingerprint = createHmac('sha256', key).update(JSON.stringify(this.#states)).digest('hex');
  }

  /** A sentence that says what has changed since; undefined while nothing has. */
  describeChange(): string | undefined {
    const now = this.#currentStates();
    const index = this.#states.findIndex((state, at) => state !== now[at]);
    if (index === -1) return undefined;
    const word = this.#paths[index];
    const fileText = word === undefined ? 'A file that it may name' : `\`${word}\``;
    const subject = index === 0 ? 'The working directory' : fileText;
    return `${subject} was changed while somebody was asked about this command, so it did not run: look at it, and send the command again, which asks again`;
  }

  #fileOf(name: string): string {
    return this.#place.realPath(path.resolve(this.#place.cwd, name));
  }

  #currentStates(): string[] {
    let remainingBytes = MAX_DIGEST_BYTES;
    const fileStates = this.#paths.map((name) => {
      const file = this.#fileOf(name);
      try {
        const status = statSync(file);
        const identity = `${status.dev} ${status.ino}`;
        if (!status.isFile()) return identity;
        remainingBytes -= status.size;
        return `${identity} ${remainingBytes < 0 ? timesOf(status) : this.#digest(file, status)}`;
      } catch (error) {
        // The state of a file that is missing, or of a word that is no path.
        return (error as NodeJS.ErrnoException).code ?? 'none';
      }
    });
    return this.#folders.length === 0 ? fileStates : [...fileStates, this.#folderState()];
  }

  /** The state of the folders: their files by identity and times. A random one where there are too many files to look at. */
  #folderState(): string {
    const states: string[] = [];
    for (const name of this.#folders) {
      const folder = this.#fileOf(name);
      for (const entry of entriesOf(folder, MAX_PATHS - states.length)) {
        const status = statusOf(this.#place.realPath(path.join(folder, entry)));
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
      const openedStatus = fstatSync(descriptor);
      // Exchanged or changed since `stat`: its times then differ from any earlier state.
      if (!openedStatus.isFile() || openedStatus.size !== size) return timesOf(openedStatus);
      const hash = createHmac('sha256', this.#key);
      const piece = Buffer.allocUnsafe(READ_BYTES);
      // A file that grows meanwhile is read up to the size that it had.
      for (let remainingBytes = size; remainingBytes > 0; ) {
        const readCount = readSync(descriptor, piece, 0, Math.min(remainingBytes, piece.length), null);
        if (readCount === 0) break;
        hash.update(piece.subarray(0, readCount));
        remainingBytes -= readCount;
      }
      return hash.digest('hex');
    } finally {
      closeSync(descriptor);
    }
  }
}

/** The folders that a word with a variable may name: the variable may stand for any beginning of its path. */
function possibleFolders(word: string): string[] {
  const parts = word.split('/').slice(0, -1);
  return parts.map((_, first) => parts.slice(first).join('/')).concat(word.startsWith('/') ? [path.dirname(word)] : []);
}

/** Up to `most` names in a folder. None where it is no folder. */
function entriesOf(folder: string, most: number): string[] {
  try {
    const directory = opendirSync(folder);
    try {
      const names: string[] = [];
      for (let entry = directory.readSync(); entry !== null && names.length < most; entry = directory.readSync()) {
        names.push(entry.name);
      }
      return names;
    } finally {
      directory.closeSync();
    }
  } catch {
    return [];
  }
}

/** Undefined for a link that leads nowhere: to nothing, through a file, or round and round. */
function statusOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function timesOf({ size, mtimeMs, ctimeMs }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs}`;
}
