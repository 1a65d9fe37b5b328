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
import type { SessionOutput } from '../session/output.js';
import type { LineJudge, SessionParts } from '../session/parts.js';
import { Recording } from '../session/recording.js';
import { Session } from '../session/session.js';
import type { ConfineOptions } from '../terminal/confine.js';
import { Engine } from '../terminal/engine.js';
import { LIFTED_LIMITS } from '../terminal/limit-options.js';
import { checkTerminalOptions } from '../terminal/options.js';
import type { Rule } from '../terminal/rule.js';
import { Runner } from '../terminal/runner.js';
import { denialText } from './terminal-tool.js';

/** The prompts of gdb. */
const DEFAULT_READY_MARKERS: readonly string[] = Object.freeze(['pwndbg> ', '(gdb) ']);

/** The options of an `AGTerm`. */
export interface AGTermOptions extends Pick<SessionOptions, 'args' | 'cwd' | 'env' | 'cols' | 'rows' | 'record'> {
  /**
   * What the kernel enforces on the program and everything that it starts. There are no roots: `writes: 'roots'` means
   * `'none'`. With `exec: 'listed'` the program itself may run, and the programs in `allow`. Default: nothing is
   * enforced, and no limit of `limits` holds.
   */
  readonly confine?: ConfineOptions | undefined;
  /** Whether reads wait for a marker, instead of waiting until the program is quiet. Default: true. */
  readonly interactive?: boolean | undefined;
  /** Texts that show that the program is ready. Default: `AGTerm.DEFAULT_READY_MARKERS`. */
  readonly readyMarkers?: readonly string[] | undefined;
  /** Masks secrets. Default: a `Redactor` with the default rules. */
  readonly redactor?: Redactor | undefined;
  /** Programs that the input may name; no other. The input is judged as bash. Default: absent. */
  readonly allow?: readonly Rule[] | undefined;
  /** Programs that the input may not name. Without both lists the input is not judged. Default: absent. */
  readonly deny?: readonly Rule[] | undefined;
}

/** The options that say when a read of an `AGTerm` ends. */
export type AGTermReadOptions = Pick<SessionReadOptions, 'timeoutMs' | 'maxOutputBytes' | 'settleMs' | 'quietMs'>;

const KEYS = [
  'interactive',
  'readyMarkers',
  'args',
  'cwd',
  'env',
  'cols',
  'rows',
  'record',
  'confine',
  'redactor',
  'allow',
  'deny',
] as const;

/** Default of `maxBytes` of `readAvailable`: 64 KiB. */
const DEFAULT_AVAILABLE_BYTES = 64 * 1_024;

/**
 * A program on a terminal that is used line by line: a shell, a debugger, any REPL. Reads return cleaned and masked
 * text; `lastRead` says why the last read ended.
 *
 * The constructor starts the program. The host decides on the command; the input is judged only where `allow` or `deny`
 * is given.
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
  /** Default time limit of a read, in milliseconds. */
  static readonly DEFAULT_TIMEOUT_MS = DEFAULT_SESSION_TIMEOUT_MS;
  /** Default of the longest wait after a marker, in milliseconds. */
  static readonly DEFAULT_SETTLE_MS = DEFAULT_SETTLE_MS;
  /** Default time without output after which a program is quiet, in milliseconds. */
  static readonly DEFAULT_QUIET_MS = DEFAULT_QUIET_MS;
  /** Default of the most bytes of an answer. */
  static readonly DEFAULT_MAX_OUTPUT_BYTES = DEFAULT_SESSION_OUTPUT_BYTES;
  /** Bytes of text that the history keeps. */
  static readonly DEFAULT_MAX_HISTORY_BYTES = DEFAULT_HISTORY_BYTES;
  /** Default markers that show that a program is ready. */
  static readonly DEFAULT_READY_MARKERS = DEFAULT_READY_MARKERS;

  readonly #command: string;
  readonly #interactive: boolean;
  readonly #options: SessionOptions;
  readonly #engine: Engine;
  readonly #launcher: Launcher;
  readonly #runner: Runner;
  /** Whether lines are judged, because a list was given. */
  readonly #isJudged: boolean;
  readonly #recording: Recording | undefined;
  #markers: readonly string[];
  #session: Session | undefined;
  /** Why the program could not be started. The first read rejects with it. */
  #failure: unknown;
  #isFailureReported = false;
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
    const optionsGiven =
      typeof options === 'boolean'
        ? { interactive: options, ...(readyMarkers === undefined ? {} : { readyMarkers }) }
        : (optionsObject(options, 'options', KEYS) as AGTermOptions);
    const {
      interactive,
      readyMarkers: markers,
      redactor = new Redactor(),
      allow,
      deny,
      record,
      ...session
    } = optionsGiven;
    if (!Redactor.isRedactor(redactor)) throw invalidArgument('redactor', 'a Redactor', redactor);
    this.#interactive = booleanOption(interactive, 'interactive', true);
    this.#markers = checkMarkers(markers ?? DEFAULT_READY_MARKERS);
    const checked = checkSessionOptions({ ...session, record });
    this.#options = withoutLimits(session);
    this.#engine = new Engine();
    this.#runner = new Runner(checkTerminalOptions({ allow, deny, redactor }), { engine: this.#engine });
    this.#launcher = Launcher.of(this.#runner);
    this.#recording = checked.record && new Recording(checked.record, checked, redactor, []);
    this.#isJudged = allow !== undefined || deny !== undefined;
    this.#start();
  }

  /** The result of the last read, with the reason why it ended; undefined before the first. */
  get lastRead(): SessionOutput | undefined {
    return this.#lastRead;
  }

  /** Replaces the texts that show that the program is ready. */
  setReadyMarkers(readyMarkers: readonly string[]): void {
    this.#markers = checkMarkers(readyMarkers);
    if (this.#interactive) this.#session?.setReadyMarkers(this.#markers);
  }

  /** Reads until the program is ready: at a marker when it is interactive and has markers, else when it is quiet. */
  readUntilReady(options: AGTermReadOptions = {}): Promise<string> {
    return this.#read((session) => session.read(options));
  }

  /** Sends a line, and reads until the program is ready again. */
  sendAndReadUntilReady(input: string, options: AGTermReadOptions = {}): Promise<string> {
    return this.#read((session) => session.send(input, options));
  }

  /** Returns the output that was not read yet, without waiting; `''` when there is none. */
  readAvailable(maxBytes: number = DEFAULT_AVAILABLE_BYTES): Promise<string> {
    return this.#read((session) => session.read({ until: 'now', maxOutputBytes: maxBytes }));
  }

  /** Sends Ctrl-C. */
  async sendCtrlC(): Promise<void> {
    await this.#openSession().interrupt();
  }

  /** The output of the program so far, as far as it is kept. */
  getHistory(): Promise<string> {
    return new Promise((resolve) => {
      resolve(this.#session?.history().text ?? '');
    });
  }

  /** Whether the program lives, as far as is known: true from the constructor on. */
  isAlive(): boolean {
    return this.#closed === undefined && (this.#session?.alive ?? !this.#isFailureReported);
  }

  /** Whether reads wait for markers. */
  isInteractive(): boolean {
    return this.#interactive;
  }

  /** The command that the program was started with. */
  getInitialCommand(): string {
    return this.#command;
  }

  /** Ends the program and starts it again, with the current markers. Its state is lost, a changed prompt too. */
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
    await this.#recording?.close();
    await this.#engine.close();
    this.#runner.close();
  }

  #start(): void {
    const readyMarkers = this.#interactive ? this.#markers : [];
    const { args } = this.#options;
    const command = args === undefined ? this.#command : [this.#command, ...args];
    const isJudgedShell = this.#isJudged && this.#runner.isLineShell(command);
    const judge: LineJudge = (line, cwd) => this.#runner.explainTyped(line, !isJudgedShell, cwd);
    const parts: SessionParts = {
      launcher: this.#launcher,
      judge: this.#isJudged ? judge : undefined,
      warrant: 'host',
      isJudgedShell: isJudgedShell,
      recording: this.#recording,
    };
    this.#session = undefined;
    this.#failure = undefined;
    try {
      this.#session = new Session(this.#command, checkSessionOptions({ ...this.#options, readyMarkers }), parts);
    } catch (error) {
      this.#failure = error;
    }
  }

  #openSession(): Session {
    if (this.#session !== undefined) return this.#session;
    this.#isFailureReported = true;
    throw this.#failure;
  }

  async #read(ask: (session: Session) => Promise<SessionOutput>): Promise<string> {
    const output = await ask(this.#openSession());
    this.#lastRead = output;
    if (output.decision !== undefined) return denialText({ decision: output.decision });
    return output.screen === undefined ? output.text : output.text + output.screen.text;
  }
}

/** The options with no limit but those that they name. */
function withoutLimits(options: SessionOptions): SessionOptions {
  const { confine = {} } = options;
  return { ...options, confine: { ...confine, limits: { ...LIFTED_LIMITS, ...confine.limits } } };
}
