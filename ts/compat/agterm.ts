import { booleanOption, invalidArgument, optionsObject, textValue } from '../config/validate.js';
import { Launcher } from '../live/launcher.js';
import { Redactor } from '../redaction/redactor.js';
import {
  DEFAULT_HISTORY_BYTES,
  DEFAULT_QUIET_MS,
  DEFAULT_SESSION_OUTPUT_BYTES,
  DEFAULT_SESSION_TIMEOUT_MS,
  DEFAULT_SETTLE_MS,
} from '../session/limits.js';
import { checkMarkers, checkSessionOptions, type SessionOptions, type SessionReadOptions } from '../session/options.js';
import { type LineJudge, Session, type SessionOutput, type SessionParts } from '../session/session.js';
import type { ConfineOptions } from '../terminal/confine.js';
import { Engine } from '../terminal/engine.js';
import { checkTerminalOptions } from '../terminal/options.js';
import type { Rule } from '../terminal/rule.js';
import { Runner } from '../terminal/runner.js';
import { denialText } from './terminal-tool.js';

/** What shows that gdb is ready. */
const DEFAULT_READY_MARKERS: readonly string[] = Object.freeze(['pwndbg> ', '(gdb) ']);

/** How an `AGTerm` is made. */
export interface AGTermOptions extends Pick<SessionOptions, 'args' | 'cwd' | 'env' | 'cols' | 'rows'> {
  /**
   * What the kernel holds the program to, and all that it starts. There are no roots: `writes: 'roots'` is `'none'`. With `exec:
   * 'listed'` the program itself may run, and what `allow` names. Default: nothing of it.
   */
  readonly confine?: ConfineOptions | undefined;
  /** Whether reads wait for a marker; else for quiet. Default: true. */
  readonly interactive?: boolean | undefined;
  /** Texts that show that the program is ready. Default: `AGTerm.DEFAULT_READY_MARKERS`. */
  readonly readyMarkers?: readonly string[] | undefined;
  /** What masks secrets. Default: a `Redactor` with the default rules. */
  readonly redactor?: Redactor | undefined;
  /** Programs that what is sent may name, judged as bash; no other may. Default: absent. */
  readonly allow?: readonly Rule[] | undefined;
  /** Programs that it may not name. With neither list nothing is judged. Default: absent. */
  readonly deny?: readonly Rule[] | undefined;
}

/** When a read of an `AGTerm` is over. */
export type AGTermReadOptions = Pick<SessionReadOptions, 'timeoutMs' | 'maxOutputBytes' | 'settleMs' | 'quietMs'>;

const KEYS = [
  'interactive',
  'readyMarkers',
  'args',
  'cwd',
  'env',
  'cols',
  'rows',
  'confine',
  'redactor',
  'allow',
  'deny',
] as const;

/** Most bytes that `readAvailable` gives unless it is told otherwise: 64 KiB. */
const AVAILABLE_BYTES = 64 * 1_024;

/**
 * A program on a terminal, driven line by line: a shell, a debugger, any REPL. Reads give cleaned
 * and masked text; `lastRead` says why the last one came back.
 *
 * The program starts with the object. What it is started with is the host's word; what is sent is
 * judged only where `allow` or `deny` is given.
 *
 * @example
 * ```ts
 * import { AGTerm } from 'handrail';
 *
 * await using shell = new AGTerm('bash', { readyMarkers: ['$ ', '# '] });
 * await shell.readUntilReady();
 * const answer = await shell.sendAndReadUntilReady('echo hello');
 * console.log(answer.split('\n')[0], shell.lastRead?.reason); // hello marker
 * ```
 */
export class AGTerm implements AsyncDisposable {
  /** Time a read gets, in milliseconds. */
  static readonly DEFAULT_TIMEOUT_MS = DEFAULT_SESSION_TIMEOUT_MS;
  /** The most that is waited after a marker, in milliseconds. */
  static readonly DEFAULT_SETTLE_MS = DEFAULT_SETTLE_MS;
  /** Without output for this long a program is quiet; in milliseconds. */
  static readonly DEFAULT_QUIET_MS = DEFAULT_QUIET_MS;
  /** Most bytes of an answer. */
  static readonly DEFAULT_MAX_OUTPUT_BYTES = DEFAULT_SESSION_OUTPUT_BYTES;
  /** Bytes of text that are kept. */
  static readonly DEFAULT_MAX_HISTORY_BYTES = DEFAULT_HISTORY_BYTES;
  /** What shows that a program is ready, unless it is said. */
  static readonly DEFAULT_READY_MARKERS = DEFAULT_READY_MARKERS;

  readonly #command: string;
  readonly #interactive: boolean;
  readonly #options: SessionOptions;
  readonly #engine: Engine;
  readonly #launcher: Launcher;
  readonly #runner: Runner;
  /** Whether the lines that are sent are judged: with lists. */
  readonly #isJudged: boolean;
  #markers: readonly string[];
  #session: Session | undefined;
  /** Why it could not be started: told by the first read. */
  #failure: unknown;
  #isFailureTold = false;
  #lastRead: SessionOutput | undefined;
  #closed: Promise<void> | undefined;

  /**
   * @param command A program, or a plain command with its arguments, quoted as in bash.
   * @param options See `AGTermOptions`; or `interactive`, with `readyMarkers` as third parameter.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong option. A program that cannot be started
   * rejects the first read.
   */
  constructor(command: string, options?: AGTermOptions);
  constructor(command: string, interactive: boolean, readyMarkers?: readonly string[]);
  constructor(command: string, options: AGTermOptions | boolean = {}, readyMarkers?: readonly string[]) {
    this.#command = textValue(command, 'command');
    const given =
      typeof options === 'boolean'
        ? { interactive: options, ...(readyMarkers === undefined ? {} : { readyMarkers }) }
        : (optionsObject(options, 'options', KEYS) as AGTermOptions);
    const { interactive, readyMarkers: markers, redactor = new Redactor(), allow, deny, ...session } = given;
    if (!Redactor.isRedactor(redactor)) throw invalidArgument('redactor', 'a Redactor', redactor);
    this.#interactive = booleanOption(interactive, 'interactive', true);
    this.#markers = checkMarkers(markers ?? DEFAULT_READY_MARKERS);
    this.#options = session;
    checkSessionOptions(session);
    this.#engine = new Engine();
    this.#runner = new Runner(checkTerminalOptions({ allow, deny, redactor }), { engine: this.#engine });
    this.#launcher = Launcher.of(this.#runner);
    this.#isJudged = allow !== undefined || deny !== undefined;
    this.#start();
  }

  /** What the last read gave, with why it came back; undefined before the first. */
  get lastRead(): SessionOutput | undefined {
    return this.#lastRead;
  }

  /** Replaces the texts that show that the program is ready. */
  setReadyMarkers(readyMarkers: readonly string[]): void {
    this.#markers = checkMarkers(readyMarkers);
    if (this.#interactive) this.#session?.setReadyMarkers(this.#markers);
  }

  /** Reads until the program is ready: a marker when it is interactive and there are some, else quiet. */
  readUntilReady(options: AGTermReadOptions = {}): Promise<string> {
    return this.#read((session) => session.read(options));
  }

  /** Sends a line, and reads until the program is ready again. */
  sendAndReadUntilReady(input: string, options: AGTermReadOptions = {}): Promise<string> {
    return this.#read((session) => session.send(input, options));
  }

  /** What has come and was not read, at once; `''` when there is nothing. */
  readAvailable(maxBytes: number = AVAILABLE_BYTES): Promise<string> {
    return this.#read((session) => session.read({ until: 'now', maxOutputBytes: maxBytes }));
  }

  /** Sends Ctrl-C. */
  async sendCtrlC(): Promise<void> {
    await this.#alive().interrupt();
  }

  /** What the program wrote so far, as far as it is kept. */
  getHistory(): Promise<string> {
    return new Promise((resolve) => {
      resolve(this.#session?.history().text ?? '');
    });
  }

  /** Whether the program lives, as far as is known now: true from the constructor on. */
  isAlive(): boolean {
    return this.#closed === undefined && (this.#session?.alive ?? !this.#isFailureTold);
  }

  /** Whether reads wait for markers. */
  isInteractive(): boolean {
    return this.#interactive;
  }

  /** What the program was started with. */
  getInitialCommand(): string {
    return this.#command;
  }

  /** Ends the program and starts it again, with the markers as they are now. What it was told is lost, a prompt too. */
  async reset(): Promise<void> {
    await this.#session?.close();
    if (this.#closed === undefined) this.#start();
  }

  /** Ends the program and everything it started. Can be called again. */
  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  /** The same as `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #shutDown(): Promise<void> {
    await this.#session?.close();
    await this.#engine.close();
    this.#runner.close();
  }

  #start(): void {
    const readyMarkers = this.#interactive ? this.#markers : [];
    const { args } = this.#options;
    const command = args === undefined ? this.#command : [this.#command, ...args];
    const typed = this.#isJudged && this.#runner.isLineShell(command);
    const judge: LineJudge = (line, cwd) => this.#runner.explainTyped(line, !typed, cwd);
    const parts: SessionParts = {
      launcher: this.#launcher,
      judge: this.#isJudged ? judge : undefined,
      warrant: 'host',
      isJudgedShell: typed,
    };
    this.#session = undefined;
    this.#failure = undefined;
    try {
      this.#session = new Session(this.#command, checkSessionOptions({ ...this.#options, readyMarkers }), parts);
    } catch (error) {
      this.#failure = error;
    }
  }

  #alive(): Session {
    if (this.#session !== undefined) return this.#session;
    this.#isFailureTold = true;
    throw this.#failure;
  }

  async #read(ask: (session: Session) => Promise<SessionOutput>): Promise<string> {
    const output = await ask(this.#alive());
    this.#lastRead = output;
    return output.decision === undefined ? output.text : denialText({ decision: output.decision });
  }
}
