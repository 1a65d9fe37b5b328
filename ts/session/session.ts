import { constants } from 'node:os';
import { invalidArgument } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import { type Launcher, LIVE_GRACE_MS } from '../live/launcher.js';
import { sessionPlan, type Warrant } from '../live/plan.js';
import { type Reply, Requests } from '../live/requests.js';
import type { NativeJudged, NativeRead, NativeSession } from '../native/binding.js';
import { read } from '../native/json.js';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';
import type { Decision } from '../report/decision.js';
import type { SandboxReport } from '../report/end.js';
import { describeEnd, type LiveEnd, liveEndOf, lostEnd } from '../report/end.js';
import { checkCommand } from '../terminal/command.js';
import { MAX_SESSION_INPUT_BYTES, MAX_WAITING_READS } from './limits.js';
import { type CheckedSessionOptions, checkMarkers, checkRead, checkSize, type SessionReadOptions } from './options.js';

/** Judges a line that is typed, in the directory that the program works in. */
export type LineJudge = (line: string, cwd: string) => Decision;

/** Why a read of a session came back. */
export type SessionReason = 'marker' | 'quiet' | 'timeout' | 'limit' | 'exited' | 'available' | 'denied';

/** What a session wrote, cleaned and masked, and why the read is over. */
export interface SessionOutput {
  /** What the program wrote since the last answer, without an echo of what was sent. */
  readonly text: string;
  /**
   * `marker`: a marker at the end, and the program waits. `quiet`: nothing came for `quietMs`.
   * `timeout`: the time is over, the program may still work. `limit`: the answer is as long as it may be; the rest is in the
   * history. `exited`: the program has ended. `available`: what there was. `denied`: the lists do not let this be sent.
   */
  readonly reason: SessionReason;
  /**
   * Whether the kernel confirmed that the program waits for input: for nothing else, or at a marker. An event loop that is
   * quiet may as well wait for a timer of its own.
   */
  readonly confirmed: boolean;
  /** Whether what was sent was written: not when the program never became ready to take it in time. */
  readonly sent: boolean;
  /** Bytes of text that came between the last answer and this one and are in the history only. */
  readonly skippedBytes: number;
  /** Bytes of this answer that are in the history only. */
  readonly omittedBytes: number;
  /** Secrets masked in this answer. */
  readonly redactions: number;
  /** Where this answer ends in the history. */
  readonly cursor: number;
  /** Why it was denied. */
  readonly decision?: Decision;
}

/** What a session wrote so far. */
export interface SessionHistory {
  /** Cleaned and masked. */
  readonly text: string;
  /** Position of its first byte, counted from the session's start. */
  readonly start: number;
  /** Position of its end: give it as `since` to get what comes after. */
  readonly end: number;
  /** Bytes that were asked for and are not kept any more. */
  readonly droppedBytes: number;
}

/** How a session ended. */
export type SessionEnd = LiveEnd;

/** What a session is made with, beside its options. */
export interface SessionParts {
  readonly launcher: Launcher;
  /** Judges what is sent; undefined: nothing does. */
  readonly judge: LineJudge | undefined;
  /** Who let it start. The host may name any program in any place. */
  readonly warrant: Warrant;
  /** Whether it is a shell whose lines are judged. */
  readonly typed: boolean;
  /** What let it start, where that was judged. */
  readonly judged?: NativeJudged | undefined;
}

/** What every session finds in its environment unless it is told otherwise. */
const FIXED = { TERM: 'xterm-256color' } as const;

/** Where nothing lies: what is relative to it is in no root. */
const NOWHERE = '/nonexistent';

/** Ctrl-C, as a terminal sends it. */
const INTERRUPT = '\u0003';

/**
 * A program on a terminal of its own that lives until it ends, is closed, or its owner is.
 *
 * Reads and sends take their turns. Made by `toolkit.sessions.open()`.
 */
export class Session implements AsyncDisposable {
  /** How it was started. */
  readonly command: string;
  /** When nothing of it is alive, with how it ended. Never rejects. */
  readonly ended: Promise<SessionEnd>;
  readonly #launcher: Launcher;
  readonly #judge: SessionParts['judge'];
  readonly #requests: Requests;
  readonly #id: number;
  readonly #native: NativeSession;
  #end: SessionEnd | undefined;
  /** Whether what was sent last may still be at work. */
  #isWorking = true;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #closing: Promise<SessionEnd> | undefined;
  /** When its program runs, or it is over. Asked for by whoever has to know where the program works. */
  #started: Promise<void> | undefined;

  /**
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a program that cannot be found or started, `ERR_BUSY` when there are as
   * many sessions as there may be.
   * @internal
   */
  constructor(command: string, options: CheckedSessionOptions, parts: SessionParts) {
    const { launcher, warrant, typed, judged } = parts;
    const { engine, redactor } = launcher;
    this.command = command;
    this.#launcher = launcher;
    this.#judge = parts.judge;
    this.#requests = new Requests(engine, redactor);
    let finish: (end: SessionEnd) => void = () => undefined;
    this.ended = new Promise((resolve) => {
      finish = resolve;
    });
    const end = (ended: SessionEnd): void => {
      this.#end = ended;
      this.#requests.abandon(new HandrailError('ERR_CLOSED', `The session is over: ${describeEnd(ended)}`));
      finish(ended);
    };
    const words = options.args === undefined ? command : checkCommand([command, ...options.args]);
    const launch = {
      cwd: options.cwd,
      env: options.env,
      fixed: FIXED,
      graceMs: LIVE_GRACE_MS,
      warrant,
      plan: sessionPlan(options.confine, launcher.confine),
      typed,
    };
    const screen = {
      columns: options.cols,
      rows: options.rows,
      historyBytes: options.historyBytes,
      markers: [...options.readyMarkers],
    };
    const { binding } = loadNative();
    const opened = launcher.open(
      'session',
      launch,
      (native, id, call) => new binding.NativeSession(native, id, judged ?? words, call, screen),
      {
        onReply: (reply, text) => this.#requests.settle(reply, text),
        onEnd: (result) => end(liveEndOf(launcher, result)),
        onLost: (error) => end(lostEnd(launcher, error)),
      },
    );
    this.#id = opened.id;
    this.#native = opened.native;
  }

  /** Whether its program lives, as far as is known now. */
  get alive(): boolean {
    return this.#end === undefined && this.#closing === undefined;
  }

  /** What the kernel holds it to. Nothing is said of one that has not started yet, or never did. */
  get sandbox(): SandboxReport {
    return this.#end?.sandbox ?? this.#launcher.held(callNative(() => this.#native.sandbox()));
  }

  /** How it ended; undefined while it lives. */
  get end(): SessionEnd | undefined {
    return this.#end;
  }

  /**
   * Reads what the program writes until it is ready.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong option, `ERR_BUSY` when 64 others wait, `ERR_SYSTEM` when the
   * program could not be started.
   */
  read(options: SessionReadOptions = {}): Promise<SessionOutput> {
    const { read, signal } = checkRead(options);
    return this.#inTurn(read, signal, (left) =>
      this.#answer(left, signal, (request) => this.#native.read(request, left)),
    );
  }

  /**
   * Sends a line: waits until the program is ready to take it, writes it and a line end, and reads until the program is ready
   * again. Late output of what was sent before is not part of the answer.
   *
   * @param input Without its line end.
   * @throws As `read()`; `ERR_INVALID_ARGUMENT` too for input of more than 1 MiB, and for a line that the terminal would cut.
   */
  send(input: string, options: SessionReadOptions = {}): Promise<SessionOutput> {
    const { read, signal } = checkRead(options);
    const bytes = inputBytes(`${textOf(input)}\n`);
    return this.#inTurn(read, signal, async (left) => {
      const early = await this.#judged(input, left, signal);
      return early ?? this.#answer(left, signal, (request) => this.#native.send(request, bytes, left));
    });
  }

  /**
   * Writes now, without waiting for the program or for an answer.
   *
   * @throws HandrailError `ERR_CLOSED` when the program has ended, `ERR_BUSY` when it has not read 4 MiB already,
   * `ERR_INVALID_ARGUMENT` for what `send()` refuses too, where the lists would deny it, and, where lines are judged, for a part
   * of a line and while the program works.
   */
  async write(input: string): Promise<void> {
    const bytes = inputBytes(textOf(input));
    if (this.#judge !== undefined && this.#end === undefined) await this.#untilStarted();
    if (this.#end !== undefined) throw this.#over();
    if (this.#judge !== undefined && !(input.endsWith('\n') && !this.#isWorking)) {
      throw new HandrailError(
        'ERR_INVALID_ARGUMENT',
        'Nothing was written: what is judged are whole lines, for a program that is ready. Use `send`, or end the line',
        { data: { name: 'input' } },
      );
    }
    const denied = this.#denied(input);
    if (denied !== undefined) {
      const why = denied.decision?.reasons[0]?.message ?? 'the lists do not let it be sent';
      throw new HandrailError('ERR_INVALID_ARGUMENT', `Nothing was written: ${why}`, { data: { name: 'input' } });
    }
    await this.#put(bytes);
  }

  /** Sends Ctrl-C: interrupts what is in the foreground, behind what was written before. */
  interrupt(): Promise<void> {
    return this.key(INTERRUPT);
  }

  /**
   * Sends a key, which no list is asked about.
   *
   * @internal
   */
  async key(code: string): Promise<void> {
    if (this.#end !== undefined) return;
    await this.#put(Buffer.from(code));
  }

  async #put(bytes: Uint8Array): Promise<void> {
    // Whatever it does may go on when the next line comes.
    this.#isWorking = true;
    await this.#requests.make((request) => callNative(() => this.#native.write(request, bytes)));
  }

  /**
   * Sends a signal to the program itself.
   *
   * @param name Such as `'SIGHUP'`.
   */
  signal(name: NodeJS.Signals): void {
    const number = constants.signals[name];
    if (number === undefined) throw invalidArgument('name', 'the name of a signal', name);
    if (this.#end === undefined) callNative(() => this.#native.signal(number));
  }

  /** Changes the size of its terminal; programs that draw are told. */
  resize(cols: number, rows: number): void {
    const size = checkSize(cols, rows);
    if (this.#end === undefined) callNative(() => this.#native.resize(size.cols, size.rows));
  }

  /** Changes what shows that the program is ready, from now on. */
  setReadyMarkers(markers: readonly string[]): void {
    const checked = checkMarkers(markers);
    callNative(() => this.#native.setMarkers([...checked]));
  }

  /** What it wrote so far, as far as it is kept: all of it, or what came after a position. */
  history(since?: number): SessionHistory {
    if (since !== undefined && !(Number.isSafeInteger(since) && since >= 0)) {
      throw invalidArgument('since', 'a position in the history', since);
    }
    return read(callNative(() => this.#native.history(since ?? null)));
  }

  /** Ends the program and everything it started, and waits until nothing of it is left. Can be called again. */
  close(): Promise<SessionEnd> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  /** The same as `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #shutDown(): Promise<SessionEnd> {
    this.#launcher.engine.cancel(this.#id);
    return await this.#untilEnded();
  }

  /** Keeps the host's process alive meanwhile: somebody waits for it. */
  async #untilEnded(): Promise<SessionEnd> {
    const release = this.#launcher.engine.hold();
    try {
      return await this.ended;
    } finally {
      release();
    }
  }

  /** One after the other; the time of one that waits for its turn runs, and its signal is heeded. */
  async #inTurn(
    read: NativeRead,
    signal: AbortSignal | undefined,
    ask: (left: NativeRead) => SessionOutput | Promise<SessionOutput>,
  ): Promise<SessionOutput> {
    if (this.#waiting >= MAX_WAITING_READS) {
      throw new HandrailError('ERR_BUSY', `${MAX_WAITING_READS} reads of this session wait already`, {
        data: { limit: MAX_WAITING_READS },
      });
    }
    this.#waiting += 1;
    const began = performance.now();
    let isOver = false;
    const turn = this.#turn.then(() => {
      const timeoutMs = Math.max(0, Math.ceil(read.timeoutMs - (performance.now() - began)));
      return isOver ? this.#nothing('timeout') : ask({ ...read, timeoutMs });
    });
    const others = this.#turn;
    this.#turn = turn.catch(() => undefined);
    const late = new AbortController();
    const release = this.#launcher.engine.hold();
    try {
      const isMine = await Promise.race([others.then(() => true), givenUp(read.timeoutMs, signal, late.signal)]);
      isOver = !isMine;
      return isOver ? this.#nothing('timeout') : await turn;
    } finally {
      late.abort();
      release();
      this.#waiting -= 1;
    }
  }

  async #answer(
    read: NativeRead,
    signal: AbortSignal | undefined,
    ask: (request: number) => void,
  ): Promise<SessionOutput> {
    if (this.#end !== undefined) return this.#ended(this.#end, read);
    if (signal?.aborted === true) return this.#nothing('timeout');
    const stop = (): void => {
      if (this.#end === undefined) callNative(() => this.#native.stop());
    };
    // Held until the end is known too: the answer alone lets the host's process end.
    const release = this.#launcher.engine.hold();
    const answered = this.#requests.make((request) => callNative(() => ask(request)));
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const output = outputOf(await answered);
      this.#isWorking = output.reason === 'timeout' || output.reason === 'limit';
      // What comes after the last words says how it ended.
      if (output.reason === 'exited') await this.#untilEnded();
      return output;
    } catch (error) {
      if (this.#end !== undefined) return this.#ended(this.#end, read);
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      release();
    }
  }

  /** The program is gone: nothing more comes, but what it wrote last may not have been read. */
  #ended(end: SessionEnd, how: NativeRead): SessionOutput {
    if (end.status === 'spawn_failed') throw new HandrailError('ERR_SYSTEM', describeEnd(end));
    const rest = callNative(() => this.#native.rest(how));
    if (rest === null) return this.#nothing('exited');
    const { answer, text } = read(rest);
    return outputOf({ reply: { request: 0, answer }, text });
  }

  #nothing(reason: SessionReason): SessionOutput {
    const { end } = this.history(Number.MAX_SAFE_INTEGER);
    const none = { confirmed: false, sent: false, skippedBytes: 0, omittedBytes: 0, redactions: 0 };
    return { text: '', reason, ...none, cursor: end };
  }

  /** What is to be given in place of sending this: that it is denied, or that nobody knows yet where the program works. */
  async #judged(input: string, read: NativeRead, signal: AbortSignal | undefined): Promise<SessionOutput | undefined> {
    if (this.#judge !== undefined && this.#isWorking && this.#end === undefined) {
      // What was sent before may still change the directory.
      const output = await this.#answer(read, signal, (request) => this.#native.read(request, read));
      if (this.#isWorking) return { ...output, sent: false };
    }
    if (this.#judge !== undefined) await this.#untilStarted();
    return this.#denied(input);
  }

  /** Returns when the program runs: from then on it is known where it works. */
  async #untilStarted(): Promise<void> {
    this.#started ??= Promise.race([
      this.#requests.make((request) => callNative(() => this.#native.awaitStart(request))),
      // What is over is not asked about.
      this.ended,
    ]).then(() => undefined);
    await this.#started;
  }

  #denied(input: string): SessionOutput | undefined {
    const decision = this.#judge?.(input, callNative(() => this.#native.cwd()) ?? NOWHERE);
    if (decision === undefined || decision.decision === 'allow') return undefined;
    return { ...this.#nothing('denied'), decision };
  }

  #over(): HandrailError {
    const why = this.#end === undefined ? 'it is being closed' : describeEnd(this.#end);
    return new HandrailError('ERR_CLOSED', `The session is over: ${why}`);
  }
}

function outputOf({ reply, text }: Reply): SessionOutput {
  const { answer } = reply;
  if (answer === undefined) throw new HandrailError('ERR_INTERNAL', 'An answer of a session came without its report');
  return Object.freeze({ ...answer, text });
}

/** False once the time is over or the signal fires; never after `late`. */
function givenUp(ms: number, signal: AbortSignal | undefined, late: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    const give = (): void => resolve(false);
    const timer = setTimeout(give, signal?.aborted === true ? 0 : ms);
    signal?.addEventListener('abort', give, { once: true });
    late.addEventListener('abort', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', give);
    });
  });
}

function textOf(input: unknown): string {
  if (typeof input !== 'string') throw invalidArgument('input', 'a string', input);
  return input;
}

function inputBytes(input: string): Buffer {
  const bytes = Buffer.from(input);
  if (bytes.length <= MAX_SESSION_INPUT_BYTES) return bytes;
  throw new HandrailError(
    'ERR_INVALID_ARGUMENT',
    `Expected \`input\` to have at most ${MAX_SESSION_INPUT_BYTES} bytes, got ${bytes.length}`,
    { data: { name: 'input' } },
  );
}
