import { constants } from 'node:os';
import { invalidArgument } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import { type CommittedLayer, type FileAnswer, notStaged, type TransactionCommitOptions } from '../files/staging.js';
import type { Launcher } from '../live/launcher.js';
import { Requests } from '../live/requests.js';
import type { NativeRead, NativeSession } from '../native/binding.js';
import { read } from '../native/json.js';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';
import { describeEnd, type LiveEnd, liveEndOf, lostEnd, type SandboxReport } from '../report/end.js';
import { checkCommand } from '../terminal/command.js';
import { attachableOf, offerOf, type SessionAttachment } from './attachment.js';
import { ExpectedReads, inputBytes, textOf, unwritten } from './input.js';
import { keysOf } from './keys.js';
import { MAX_WAITING_READS } from './limits.js';
import {
  type CheckedSessionOptions,
  checkMarkers,
  checkRead,
  checkSize,
  checkWatch,
  positionOption,
  type SessionReadOptions,
} from './options.js';
import {
  assertRan,
  mayWork,
  type Output,
  outputOf,
  type SessionHistory,
  type SessionOutput,
  type SessionReason,
  type SessionScreen,
  sessionOutput,
  withLastStatus,
} from './output.js';
import { bringOver, launchOf, type SessionParts } from './parts.js';
import { Questions, type SecretValue, type SentSecret, type SessionQuestion } from './questions.js';
import { isOverInTime } from './turn.js';
import { type SessionUpdates, type SessionWatchOptions, watchSession } from './watch.js';

/** How a session ended. */
export type SessionEnd = LiveEnd;

/** A directory that stands for an unknown one: relative paths beneath it are in no root. */
export const UNKNOWN_DIRECTORY = '/nonexistent';

/** The byte that begins the sequences of a terminal. */
const ESC = '\u001b';

/**
 * A program on a terminal of its own. It lives until it ends by itself, is closed, or its toolkit is closed.
 *
 * Reads and sends wait for earlier ones. Made by `toolkit.sessions.open()`.
 */
export class Session implements AsyncDisposable {
  /** The command that was started. */
  readonly command: string;
  /** Settles with the end when no process of the session is alive. Never rejects. */
  readonly ended: Promise<SessionEnd>;
  readonly #launcher: Launcher;
  readonly #judge: SessionParts['judge'];
  readonly #expectedReads: ExpectedReads | undefined;
  readonly #offer: SessionParts['offer'];
  readonly #requests: Requests;
  readonly #id: number;
  readonly #native: NativeSession;
  readonly #questions: Questions;
  readonly #recording: SessionParts['recording'];
  readonly #layer: SessionParts['layer'];
  #end: SessionEnd | undefined;
  /** Whether the program may still work on the last input. */
  #isWorking = true;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #waitingReads = 0;
  #closing: Promise<SessionEnd> | undefined;
  /** Settles when the program runs or has ended. Undefined until it is asked for. */
  #started: Promise<void> | undefined;

  /**
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a program that cannot be found or started, `ERR_BUSY` when the
   * limit of sessions is reached.
   * @internal
   */
  constructor(command: string, options: CheckedSessionOptions, parts: SessionParts) {
    const { launcher, isJudgedShell: typed, judged, layer } = parts;
    const { engine, redactor } = launcher;
    this.#layer = layer;
    this.command = command;
    this.#launcher = launcher;
    this.#judge = parts.judge;
    this.#expectedReads = typed ? new ExpectedReads() : undefined;
    this.#offer = parts.offer;
    this.#requests = new Requests(engine, redactor);
    this.#questions = new Questions(redactor, parts.questions, parts.owner);
    let finish: (end: SessionEnd) => void = () => undefined;
    this.ended = new Promise((resolve) => {
      finish = resolve;
    });
    const end = (ended: SessionEnd): void => {
      this.#end = ended;
      this.#questions.end();
      this.#requests.rejectAll(new HandrailError('ERR_CLOSED', `The session is over: ${describeEnd(ended)}`));
      finish(ended);
    };
    const words = options.args === undefined ? command : checkCommand([command, ...options.args]);
    const screen = {
      columns: options.cols,
      rows: options.rows,
      historyBytes: options.historyBytes,
      markers: [...options.readyMarkers],
      echoes: parts.echoes === true || this.#questions.isWatching,
    };
    const { binding } = loadNative();
    const opened = launcher.open(
      'session',
      launchOf(options, parts),
      (native, id, call) => new binding.NativeSession(native, id, judged ?? words, call, screen),
      {
        onReply: (reply, text) => this.#requests.resolve(reply, text),
        onEnd: (result) => void bringOver(layer, liveEndOf(launcher, result), end),
        onLost: (error) => void bringOver(layer, lostEnd(launcher, error), end),
      },
    );
    this.#id = opened.id;
    this.#native = opened.native;
    this.#recording = parts.recording;
    this.#recording?.follow(this);
  }

  /** Whether the session is neither over nor being closed. */
  get alive(): boolean {
    return this.#end === undefined && this.#closing === undefined;
  }

  /** What the kernel enforces on it. Empty before the program has started. */
  get sandbox(): SandboxReport {
    return this.#end?.sandbox ?? this.#launcher.sandboxReport(callNative(() => this.#native.sandbox()));
  }

  /** How it ended; undefined while it lives. */
  get end(): SessionEnd | undefined {
    return this.#end;
  }

  /** The line that a program reads without echo, as the last answer found it. Undefined while there is none. */
  get question(): SessionQuestion | undefined {
    return this.#questions.current;
  }

  /** What its tools need of its questions. @internal */
  get questions(): Pick<Questions, 'areForPeople' | 'whileStanding'> {
    return this.#questions;
  }

  /**
   * Reads output until the program is ready for input.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong option, `ERR_BUSY` when 64 others wait, `ERR_SYSTEM` when
   * the program could not be started.
   */
  read(options: SessionReadOptions = {}): Promise<SessionOutput> {
    const { read, signal, awaited } = checkRead(options);
    const output = this.#inTurn(read, signal, (readWithTimeLeft) =>
      this.#answer(readWithTimeLeft, signal, (request) => this.#native.read(request, readWithTimeLeft)),
    );
    return sessionOutput(output, awaited);
  }

  /**
   * Sends a line: waits until the program is ready, writes the line and a line end, and reads until the program is
   * ready again. Late output about earlier input is not part of the answer.
   *
   * @param input The line without its line end.
   * @throws As `read()`; also `ERR_INVALID_ARGUMENT` for input of more than 1 MiB, and for a line that the terminal
   * would cut.
   */
  send(input: string, options: SessionReadOptions = {}): Promise<SessionOutput> {
    const { read, signal, awaited } = checkRead(options);
    const bytes = inputBytes(`${textOf(input)}\n`);
    const output = this.#inTurn(read, signal, async (readWithTimeLeft) => {
      const answerWithoutSending = await this.#answerWithoutSending(input, readWithTimeLeft, signal);
      if (answerWithoutSending !== undefined) return answerWithoutSending;
      const onlyToFirst = this.#expectedReads !== undefined;
      const sending = { ...readWithTimeLeft, sparesQuestions: this.#questions.mayBeForPeople, onlyToFirst };
      const output = await this.#answer(sending, signal, (request) => this.#native.send(request, bytes, sending));
      if (output.sent) this.#expectedReads?.sent(input);
      return output;
    });
    return sessionOutput(output, awaited);
  }

  /**
   * Writes input now, without waiting for the program or for an answer.
   *
   * @throws HandrailError `ERR_CLOSED` when the program has ended, `ERR_BUSY` when 4 MiB of input are unread already,
   * `ERR_INVALID_ARGUMENT` for input that `send()` refuses too or that the policy denies, and, where lines are judged,
   * for a part of a line and while the program works.
   */
  async write(input: string): Promise<void> {
    const bytes = inputBytes(textOf(input));
    if (this.#judge !== undefined && this.#end === undefined) await this.#untilStarted();
    if (this.#end !== undefined) throw this.#closedError();
    if (this.#judge !== undefined && !(input.endsWith('\n') && !this.#isWorking)) {
      throw unwritten('what is judged are whole lines, for a program that is ready. Use `send`, or end the line');
    }
    // As in `send`, a line is judged without its end.
    const denied = this.#denialOf(this.#judge === undefined ? input : input.slice(0, -1));
    if (denied !== undefined) throw unwritten(denied.decision?.reasons[0]?.message);
    await this.#writeBytes(bytes, this.#expectedReads !== undefined);
    this.#expectedReads?.sent(input);
  }

  /**
   * Answers a question: types a line that the program reads without echo, such as a password. It is typed only while the
   * process group that asked still waits with the echo off and has written nothing since; a question takes one answer. The
   * value is a known value of the redactor from then on, and in no answer, history, record or error.
   *
   * @param id `id` of the question.
   * @param value One line, or a function that gives it once a person has typed it. Length: 1 to 1,024 bytes.
   * @throws HandrailError `ERR_CLOSED` for a question that does not stand any more; `ERR_BUSY` for one that is being
   * answered; `ERR_INVALID_ARGUMENT` for a value that is no such line. Nothing was typed then. Errors of the function pass
   * through, and the question stands.
   */
  sendSecret(id: string, value: SecretValue): Promise<SentSecret> {
    return this.#questions.answer(id, value, (question, line) => {
      this.#isWorking = true;
      return this.#requests.make((request) => callNative(() => this.#native.secret(request, question, line)));
    });
  }

  /** Sends Ctrl-C, after all earlier input: interrupts the program in the foreground. */
  interrupt(): Promise<void> {
    return this.press('ctrl-c');
  }

  /**
   * Presses keys now: names such as `'up'`, `'ctrl-x'`, `'alt-f'`, `'esc'`, `'page-down'` and `'f1'`, or single characters,
   * separated by blanks. Arrows, `home` and `end` are sent in the form that the program asked for. Keys are not judged:
   * where lines are, a key other than `ctrl-c`, `ctrl-d`, `ctrl-z` and `enter` is sent alone, and only while a program
   * that the shell started waits for it and has left line editing, as full-screen programs do.
   *
   * @param keys 1 to 64 keys.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown key, and for one that a judged shell would read;
   * `ERR_BUSY` when 4 MiB of input are unread already.
   */
  async press(keys: string): Promise<void> {
    const { bytes, count, isControl } = keysOf(
      keys,
      callNative(() => this.#native.applicationCursor()),
    );
    if (this.#end !== undefined) return;
    const encoded = Buffer.from(bytes);
    if (this.#judge === undefined || isControl) return await this.#writeBytes(encoded);
    if (count > 1) throw invalidArgument('key', 'one key: what is typed into this shell is judged', keys);
    await this.#requests.make((request) => callNative(() => this.#native.key(request, encoded)));
    this.#isWorking = true;
  }

  /**
   * Pastes text now: where the program asked for it (bracketed paste), marked as pasted, so that it is taken as one piece
   * and its lines are not run one by one.
   *
   * @param text Text without ESC.
   * @throws As `write()`; also `ERR_INVALID_ARGUMENT` for text with ESC, which could end the paste.
   */
  async paste(text: string): Promise<void> {
    if (textOf(text).includes(ESC)) throw invalidArgument('text', 'text without ESC', text);
    const isMarked = callNative(() => this.#native.bracketedPaste());
    await this.write(isMarked ? `${ESC}[200~${text}${ESC}[201~` : text);
  }

  async #writeBytes(bytes: Uint8Array, areLines = false): Promise<void> {
    // The program may still work on this input when the next line comes.
    this.#isWorking = true;
    await this.#requests.make((id) => callNative(() => this.#native[areLines ? 'lines' : 'write'](id, bytes)));
  }

  /**
   * Sends a signal to the program itself, not to what it started.
   *
   * @param name A name such as `'SIGHUP'`.
   */
  signal(name: NodeJS.Signals): void {
    const number = constants.signals[name];
    if (number === undefined) throw invalidArgument('name', 'the name of a signal', name);
    if (this.#end === undefined) callNative(() => this.#native.signal(number));
  }

  /** Changes the size of its terminal; the program gets SIGWINCH. */
  resize(cols: number, rows: number): void {
    const size = checkSize(cols, rows);
    if (this.#end !== undefined) return;
    callNative(() => this.#native.resize(size.cols, size.rows));
    this.#recording?.resized(size);
  }

  /** Replaces the ready markers, from now on. */
  setReadyMarkers(markers: readonly string[]): void {
    const checked = checkMarkers(markers);
    callNative(() => this.#native.setMarkers([...checked]));
  }

  /** The output so far, as far as it is kept: all of it, or the part after a position. */
  history(since?: number): SessionHistory {
    const position = positionOption(since, 'since');
    return read(callNative(() => this.#native.history(position ?? null)));
  }

  /** What the terminal shows now: the picture of a full-screen program, or the end of the output. */
  screen(): SessionScreen {
    return read(callNative(() => this.#native.screen()));
  }

  /**
   * Looks on: gives what the terminal shows as it comes, and takes nothing from reads. The iterator ends with the session.
   * A caller that is slow gets the picture as it is then, and the text that the history still has.
   *
   * @throws HandrailError `ERR_BUSY` when 8 others look on.
   */
  watch(options: SessionWatchOptions = {}): SessionUpdates {
    return this.watchWith(options, true);
  }

  /** The same; `keepsAlive` says whether the host's process stays alive for it. @internal */
  watchWith(options: SessionWatchOptions, keepsAlive: boolean): SessionUpdates {
    const isOver = (): boolean => this.#end !== undefined;
    const watched = { native: this.#native, requests: this.#requests, keepsAlive, isOver };
    return watchSession(watched, checkWatch(options));
  }

  /**
   * Offers this session to one person, who attaches with `handrail session attach` from a terminal of this user: looks on,
   * or types, as `attach` of the toolkit says. Keys are not judged. A process that a command has started is refused.
   *
   * @throws HandrailError `ERR_NOT_SUPPORTED` without `attach`, `ERR_BUSY` when 16 offers were not used, `ERR_CLOSED` when
   * the session is over, `ERR_SYSTEM` where there can be no private socket.
   */
  async attachment(): Promise<SessionAttachment> {
    const type = (keys: Uint8Array): Promise<void> => this.#writeBytes(keys);
    return await offerOf(this.#offer)(attachableOf(this, this.#launcher.redactor, type));
  }

  /**
   * Brings over what it has changed so far, with `changes: 'staged'` of the toolkit. It goes on, and sees its own files as they are.
   *
   * @returns What was brought over, or what stands against it: then nothing is, and the session keeps what it has.
   * @throws HandrailError `ERR_NOT_SUPPORTED` where the toolkit's sessions write into the roots, `ERR_CLOSED` when the session is
   * over, `ERR_INVALID_ARGUMENT` for a wrong option.
   */
  async commit(options: TransactionCommitOptions = {}): Promise<FileAnswer<CommittedLayer>> {
    if (this.#layer === undefined) throw notStaged();
    return await this.#layer.commit(options);
  }

  /** Ends the program and everything that it started, and waits until no process is left. Can be called again. */
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
    const end = await this.#untilEnded();
    await this.#recording?.caughtUp();
    return end;
  }

  /** Waits for the end, and keeps the host's process alive until then. */
  async #untilEnded(): Promise<SessionEnd> {
    const release = this.#launcher.engine.keepAlive();
    try {
      return await this.ended;
    } finally {
      release();
    }
  }

  /** Calls `ask` after all earlier reads and sends. The time limit and the signal count while it waits. */
  async #inTurn(
    read: NativeRead,
    signal: AbortSignal | undefined,
    ask: (left: NativeRead) => Output | Promise<Output>,
  ): Promise<Output> {
    if (this.#waitingReads >= MAX_WAITING_READS) {
      throw new HandrailError('ERR_BUSY', `${MAX_WAITING_READS} reads of this session wait already`, {
        data: { limit: MAX_WAITING_READS },
      });
    }
    const isFirst = this.#waitingReads === 0;
    this.#waitingReads += 1;
    const began = performance.now();
    let isOver = false;
    const turn = this.#lastTurn.then(() => {
      const timeoutMs = Math.max(0, Math.ceil(read.timeoutMs - (performance.now() - began)));
      return isOver ? this.#emptyOutput('timeout') : ask({ ...read, timeoutMs });
    });
    const earlierTurns = this.#lastTurn;
    this.#lastTurn = turn.catch(() => undefined);
    const release = this.#launcher.engine.keepAlive();
    try {
      // The first one has nothing to wait for.
      isOver = !isFirst && !(await isOverInTime(earlierTurns, read.timeoutMs, signal));
      return isOver ? this.#emptyOutput('timeout') : await turn;
    } finally {
      release();
      this.#waitingReads -= 1;
    }
  }

  async #answer(read: NativeRead, signal: AbortSignal | undefined, ask: (request: number) => void): Promise<Output> {
    if (this.#end !== undefined) return this.#lastOutput(this.#end, read);
    if (signal?.aborted === true) return this.#emptyOutput('timeout');
    const stop = (): void => {
      if (this.#end === undefined) callNative(() => this.#native.stop());
    };
    // The host's process stays alive until the end is known too, not only the answer.
    const release = this.#launcher.engine.keepAlive();
    const reply = this.#requests.make((request) => callNative(() => ask(request)));
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const answered = await reply;
      this.#questions.update(this, answered.reply.answer?.question, (since) => this.history(since));
      const output = outputOf(answered, this.question?.id);
      this.#isWorking = mayWork(output, read);
      // The report of the end comes after the last output, and says whether the program has run at all.
      return output.reason === 'exited' ? withLastStatus(output, await this.#untilEnded()) : output;
    } catch (error) {
      if (this.#end !== undefined) return this.#lastOutput(this.#end, read);
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      release();
    }
  }

  /** The answer about a program that has ended: its last output, as far as it was not read yet. */
  #lastOutput(end: SessionEnd, readOptions: NativeRead): Output {
    assertRan(end);
    const unreadOutput = callNative(() => this.#native.rest(readOptions));
    if (unreadOutput === null) return this.#emptyOutput('exited');
    const { answer, text } = read(unreadOutput);
    return outputOf({ reply: { request: 0, answer }, text });
  }

  #emptyOutput(reason: SessionReason): Output {
    const { end } = this.history(Number.MAX_SAFE_INTEGER);
    const none = { confirmed: false, sent: false, skippedBytes: 0, omittedBytes: 0, redactions: 0 };
    return { text: '', reason, ...none, cursor: end };
  }

  /** The answer in place of sending a line that is denied, or that cannot be judged while the program works. */
  async #answerWithoutSending(
    input: string,
    read: NativeRead,
    signal: AbortSignal | undefined,
  ): Promise<Output | undefined> {
    if (this.#judge !== undefined && this.#isWorking && this.#end === undefined) {
      // Earlier input may still change the working directory, by which the line is judged.
      const untilReady: NativeRead = { ...read, until: 'ready' };
      const output = await this.#answer(untilReady, signal, (request) => this.#native.read(request, untilReady));
      if (this.#isWorking) return { ...output, sent: false };
    }
    if (this.#questions.areForPeople) {
      // Whether the line may be sent is no matter while it is not.
      const output = await this.#answer(read, signal, (request) => this.#native.read(request, read));
      if (this.#questions.areForPeople) return { ...output, sent: false };
    }
    if (this.#judge !== undefined) await this.#untilStarted();
    return this.#denialOf(input);
  }

  /** Waits until the program runs: from then on its working directory is known. */
  async #untilStarted(): Promise<void> {
    this.#started ??= Promise.race([
      this.#requests.make((request) => callNative(() => this.#native.awaitStart(request))),
      // A session that is over never starts.
      this.ended,
    ]).then(() => undefined);
    await this.#started;
  }

  #denialOf(input: string): Output | undefined {
    this.#expectedReads?.assertGoesTogether(input);
    const decision = this.#judge?.(input, callNative(() => this.#native.cwd()) ?? UNKNOWN_DIRECTORY);
    if (decision === undefined || decision.decision === 'allow') return undefined;
    return { ...this.#emptyOutput('denied'), decision };
  }

  #closedError(): HandrailError {
    const reason = this.#end === undefined ? 'it is being closed' : describeEnd(this.#end);
    return new HandrailError('ERR_CLOSED', `The session is over: ${reason}`);
  }
}
