/** Recordings of sessions, as asciicast v2. */
import { close, constants, rmSync, writeFile } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Redactor } from '../redaction/redactor.js';
import { openPrivateFile } from '../terminal/private-file.js';
import type { CheckedRecord } from './record-options.js';
import { View } from './view.js';
import type { SessionUpdates, SessionWatchOptions } from './watch.js';

/** The size of a terminal. */
interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** What a recording needs of a session. */
interface Recorded {
  watchWith(options: SessionWatchOptions, keepsAlive: boolean): SessionUpdates;
}

/** Bytes that are kept for the last event, which says that the limit is met. */
const END_BYTES = 256;

const writeTo = promisify(writeFile);
const closeFile = promisify(close);

/**
 * A file to which what a terminal shows is written, with the time since the start: what `Session.watch()` gives, so masked. What
 * is typed is not recorded. A failure is a process warning with the code `HANDRAIL_RECORD`, and ends the recording only.
 */
export class Recording {
  readonly #descriptor: number;
  readonly #file: string;
  readonly #redactor: Redactor;
  readonly #maxBytes: number;
  readonly #view: View;
  readonly #began = performance.now();
  #size: Size;
  #bytes = 0;
  #isOver = false;
  #last: Promise<void>;
  #following: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  /**
   * @param roots Folders that commands can write to. The file may not lie in them.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when it does, exists already, or cannot be opened.
   */
  constructor({ file, maxBytes }: CheckedRecord, size: Size, redactor: Redactor, roots: readonly string[]) {
    const shownOption = '`record.file`';
    const flag = constants.O_WRONLY | constants.O_EXCL;
    this.#descriptor = openPrivateFile({ file, roots, flag, option: 'record', shownOption });
    this.#file = path.resolve(file);
    this.#maxBytes = maxBytes;
    this.#redactor = redactor;
    this.#size = size;
    const current = { cols: () => this.#size.cols, rows: () => this.#size.rows };
    this.#view = new View({ isTerminal: true, lineEnd: '\r\n', ...current });
    const { cols: width, rows: height } = size;
    const timestamp = Math.floor(Date.now() / 1_000);
    this.#last = this.#write(JSON.stringify({ version: 2, width, height, timestamp, env: { TERM: 'xterm-256color' } }));
  }

  /** Records a session from its start, after those before it. */
  follow(session: Recorded): void {
    const updates = session.watchWith({ since: 0 }, false);
    const before = this.#following;
    this.#following = (async () => {
      await before;
      for await (const update of updates) {
        if (this.#isOver) return;
        await this.#add('o', this.#view.show(update));
      }
      await this.#add('o', this.#view.end());
    })().catch((error: unknown) => this.#fail(error));
  }

  /** The terminal has another size from now on. */
  resized(size: Size): void {
    this.#size = size;
    void this.#add('r', `${size.cols}x${size.rows}`);
  }

  /** Waits until what the sessions that have ended showed is written. */
  async caughtUp(): Promise<void> {
    await this.#following;
    await this.#last;
  }

  /** Removes the file of a session that could not be started. */
  discard(): void {
    rmSync(this.#file, { force: true });
    void this.close();
  }

  /** Waits for the end of the sessions, and closes the file. */
  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  async #shutDown(): Promise<void> {
    await this.caughtUp();
    this.#isOver = true;
    await closeFile(this.#descriptor).catch((error: unknown) => this.#fail(error));
  }

  /** Adds an event, after all earlier ones. */
  #add(kind: 'o' | 'r' | 'm', text: string): Promise<void> {
    if (text === '') return this.#last;
    const seconds = Number(((performance.now() - this.#began) / 1_000).toFixed(6));
    const write = (): Promise<void> => this.#write(JSON.stringify([seconds, kind, text]));
    this.#last = this.#last.then(write);
    return this.#last;
  }

  async #write(event: string): Promise<void> {
    if (this.#isOver) return;
    const line = `${event}\n`;
    const bytes = Buffer.byteLength(line);
    try {
      if (this.#bytes + bytes > this.#maxBytes - END_BYTES) return await this.#meetLimit();
      this.#bytes += bytes;
      await writeTo(this.#descriptor, line);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #meetLimit(): Promise<void> {
    this.#isOver = true;
    const seconds = Number(((performance.now() - this.#began) / 1_000).toFixed(6));
    const what = `the recording has met its limit of ${this.#maxBytes} bytes`;
    await writeTo(this.#descriptor, `${JSON.stringify([seconds, 'm', what])}\n`);
    warn(`A recording has ended: ${what}`);
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    warn(`A recording failed: ${this.#redactor.redact(error instanceof Error ? error.message : typeof error)}`);
  }
}

function warn(message: string): void {
  process.emitWarning(message, { type: 'HandrailWarning', code: 'HANDRAIL_RECORD' });
}
