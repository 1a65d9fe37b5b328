import { invalidArgument } from '../config/validate.js';
import { HandrailError, isHandrailError } from '../errors.js';
import {
  type CommittedLayer,
  type FileAnswer,
  notStaged,
  type StagedProgram,
  type TransactionCommitOptions,
} from '../files/staging.js';
import type { Decision } from '../report/decision.js';
import { type CommandResult, cancelledResult, failedResult } from '../report/result.js';
import { MAX_SESSION_INPUT_BYTES } from '../session/limits.js';
import type { SessionAwaited } from '../session/options.js';
import type { OutputChunk } from '../terminal/call.js';
import type { Engine } from '../terminal/engine.js';
import type { Runner } from '../terminal/runner.js';
import type { Terminal } from '../terminal/terminal.js';
import { JobHistory } from './history.js';
import { JobInput, KEEPS_LINES } from './input.js';
import { MAX_JOB_HISTORY_BYTES } from './limits.js';
import { type CheckedJobOptions, checkWait, type JobWaitOptions } from './options.js';
import type { JobOutput, JobReason } from './output.js';
import { type Watched, waitFor } from './wait.js';

/** Judges a line, without its end, that is sent to a shell. */
export type InputJudge = (line: string) => Decision;

/** What a job needs in addition to its options. */
export interface JobParts {
  readonly terminal: Terminal;
  readonly runner: Runner;
  /** Who may use it; undefined for the host. */
  readonly owner: string | undefined;
  /** The command is a bare bash, and this judges its lines; undefined: input is not judged. */
  readonly judge: InputJudge | undefined;
  /** Gets the output too, until `detach()`. */
  readonly onOutput: ((chunk: OutputChunk) => unknown) | undefined;
  /** The layer that it writes into. Undefined: it writes into the roots. */
  readonly layer?: StagedProgram | undefined;
  /** Called when it has started. Gives its name. */
  readonly onStart: (job: Job) => string;
  /** Called when it has ended, if it had started. */
  readonly onEnd: (job: Job) => void;
}

/**
 * A command that goes on while nobody waits for it. It lives until it ends by itself, is ended, its life is over, or its
 * toolkit is closed. Made by `toolkit.jobs.start()`.
 */
export class Job implements AsyncDisposable {
  /** The command as it was given. */
  readonly command: string | readonly string[];
  /** When it was started. */
  readonly startedAt = new Date();
  /** Who may use it; undefined for the host. @internal */
  readonly owner: string | undefined;
  readonly #parts: JobParts;
  readonly #engine: Engine;
  readonly #history: JobHistory;
  readonly #ended: Promise<CommandResult>;
  readonly #input: JobInput | undefined;
  readonly #stop = new AbortController();
  readonly #texts = new Set<(text: string) => void>();
  readonly #ends = new Set<() => void>();
  readonly #stopWatching: () => void;
  #onOutput: JobParts['onOutput'];
  #hasGoneOn: boolean;
  #id = '';
  /** The number of its run. Undefined before it was started. */
  #run: number | undefined;
  #cursor = 0;
  #result: CommandResult | undefined;
  #error: unknown;
  /** Whether `end()` ended it, and not a signal or its life. */
  #isWantedEnd = false;

  /**
   * Starts a command.
   *
   * @returns The job when the command was started, or was refused.
   * @throws As `Terminal.run()`, and `ERR_BUSY` when there are as many jobs as there may be.
   * @internal
   */
  static async start(command: string | readonly string[], options: CheckedJobOptions, parts: JobParts): Promise<Job> {
    let onStarted = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      onStarted = resolve;
    });
    const job = new Job(command, options, parts, onStarted);
    await Promise.race([started, job.#ended]);
    if (job.#run === undefined && job.#error !== undefined) throw job.#error;
    return job;
  }

  private constructor(
    command: string | readonly string[],
    options: CheckedJobOptions,
    parts: JobParts,
    onStarted: () => void,
  ) {
    const { hasInput, signal, ...others } = options;
    this.command = command;
    this.owner = parts.owner;
    this.#parts = parts;
    this.#engine = parts.runner.engine;
    this.#history = new JobHistory(MAX_JOB_HISTORY_BYTES, parts.runner.redactor);
    this.#onOutput = parts.onOutput;
    this.#hasGoneOn = parts.owner === undefined;
    this.#input = hasInput ? new JobInput(parts.judge === undefined ? undefined : KEEPS_LINES) : undefined;
    const stop = (): void => this.#stop.abort();
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop, { once: true });
    this.#stopWatching = () => signal?.removeEventListener('abort', stop);
    const run = parts.terminal.runFor(
      command,
      {
        ...others,
        merge: true,
        stdin: this.#input,
        signal: this.#stop.signal,
        onOutput: (chunk) => this.#take(chunk),
      },
      {
        caller: parts.owner,
        onStart: (number) => {
          this.#run = number;
          this.#id = parts.onStart(this);
          onStarted();
        },
        layer: parts.layer,
        isWantedEnd: () => this.#isWantedEnd,
      },
    );
    this.#ended = run.catch((error: unknown) => this.#lostResult(error)).then((result) => this.#finish(result));
  }

  /** Its name in its toolkit, such as `j1`. Empty for a command that was refused. */
  get id(): string {
    return this.#id;
  }

  /** Whether the command runs. */
  get state(): 'running' | 'ended' {
    return this.#result === undefined ? 'running' : 'ended';
  }

  /** Settles with the result when no process of the job is alive. Never rejects. Keeps the host's process alive until then. */
  get ended(): Promise<CommandResult> {
    return this.#ended.finally(this.#engine.keepAlive());
  }

  /** The result of the command. Undefined while it runs. */
  get result(): CommandResult | undefined {
    return this.#result;
  }

  /** The error that ended it, of `onOutput` or of the engine. @internal */
  get error(): unknown {
    return this.#error;
  }

  /**
   * Waits until the job has ended, or for something that comes before, and gives the output since the last answer.
   * Several waits may go on at the same time. A wait keeps the host's process alive.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong option.
   */
  async wait(options: JobWaitOptions = {}): Promise<JobOutput> {
    const wait = checkWait(options);
    const since = this.#cursor;
    const release = this.#engine.keepAlive();
    try {
      const reason = await waitFor(this.#watched(), this.#history.since(since).text, wait);
      return this.#answer(since, reason, wait.until === 'exit' ? undefined : wait.until);
    } finally {
      release();
    }
  }

  /**
   * The output since the last answer; or the output after a position, which leaves the last answer where it was.
   *
   * @param since The position, as `JobOutput.cursor` gave it; 0 for everything that is kept.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for another value.
   */
  read(since?: number): JobOutput {
    const reason = this.#result === undefined ? 'available' : 'exited';
    if (since === undefined) return this.#answer(this.#cursor, reason, undefined);
    if (!(Number.isSafeInteger(since) && since >= 0)) throw invalidArgument('since', 'a position in the output', since);
    return this.#output(since, reason, undefined);
  }

  /**
   * Writes to the standard input of the command, as it is: a line needs its line end. Settles when the input is written.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for input of more than 1 MiB, for a job without input and, where lines are
   * judged, for a part of a line and for input that the policy denies; `data.rules` has the rules then. `ERR_CLOSED` when
   * the command has ended or closed its input, `ERR_BUSY` when 4 MiB or 16,384 pieces are unread.
   */
  async send(input: string): Promise<void> {
    if (typeof input !== 'string') throw invalidArgument('input', 'a string', input);
    const bytes = Buffer.from(input);
    if (bytes.length > MAX_SESSION_INPUT_BYTES) {
      throw inputError(`Expected \`input\` to have at most ${MAX_SESSION_INPUT_BYTES} bytes, got ${bytes.length}`);
    }
    if (this.#input === undefined) throw inputError('This job was started without input: nothing can be sent to it');
    if (this.#parts.judge !== undefined && !input.endsWith('\n')) {
      throw inputError('Nothing was sent: what is judged are whole lines. End the line');
    }
    const denial = this.denialOf(input.slice(0, -1));
    if (denial !== undefined) {
      const rules = denial.reasons.map(({ rule }) => rule);
      const reason = denial.reasons[0]?.message ?? 'the lists do not let it be sent';
      throw inputError(`Nothing was sent: ${reason}`, rules);
    }
    const release = this.#engine.keepAlive();
    await this.#input.write(bytes).finally(release);
  }

  /** The decision that keeps this line, without its end, from being sent. @internal */
  denialOf(line: string): Decision | undefined {
    const decision = this.#parts.judge?.(line);
    return decision?.decision === 'allow' ? undefined : decision;
  }

  /**
   * Brings over what it has changed so far, with `changes: 'staged'` of the toolkit. The job goes on, and sees its own files as it
   * wrote them, whatever becomes of them in the roots from then on.
   *
   * @returns What was brought over, or what stands against it: then nothing is, and the job keeps what it has.
   * @throws HandrailError `ERR_NOT_SUPPORTED` where the toolkit's commands write into the roots, `ERR_CLOSED` when the job is over,
   * `ERR_INVALID_ARGUMENT` for a wrong option.
   */
  async commit(options: TransactionCommitOptions = {}): Promise<FileAnswer<CommittedLayer>> {
    if (this.#parts.layer === undefined) throw notStaged();
    return await this.#parts.layer.commit(options);
  }

  /** Ends the command and everything that it started, and waits until no process is left. Can be called again. */
  async end(): Promise<CommandResult> {
    this.#isWantedEnd ||= !this.#stop.signal.aborted;
    this.#stop.abort();
    return await this.ended;
  }

  /** The same as `end()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  /** Whether it is more than a part of the call that started it. @internal */
  get hasGoneOn(): boolean {
    return this.#hasGoneOn;
  }

  /** The call that started it is over: its `onOutput` gets nothing more, and its signal does not end the job. @internal */
  detach(): void {
    this.#hasGoneOn = true;
    this.#stopWatching();
    this.#onOutput = undefined;
  }

  #take(chunk: OutputChunk): unknown {
    this.#history.add(chunk.text);
    for (const callback of [...this.#texts]) callback(chunk.text);
    return this.#onOutput?.(chunk);
  }

  #finish(result: CommandResult): CommandResult {
    this.#result = result;
    this.#input?.close();
    this.#stopWatching();
    for (const callback of [...this.#ends]) callback();
    if (this.#run === undefined) this.#parts.layer?.unused();
    else this.#parts.onEnd(this);
    return result;
  }

  #lostResult(error: unknown): CommandResult {
    this.#error = error;
    const { redactor, engine } = this.#parts.runner;
    const context = { redactor, profile: engine.confines ? 'default' : 'off' } as const;
    const decision = { decision: 'allow', reasons: [] } as const;
    // An error of the host's own function ended the run. It is thrown where the function was given.
    if (!isHandrailError(error)) return cancelledResult(decision, context);
    const failure = { code: 'supervisor_lost', message: error.message } as const;
    return { ...failedResult(decision, context, failure), survivors: 'unknown' };
  }

  #watched(): Watched {
    return {
      isOver: this.#result !== undefined,
      onText: (callback) => addTo(this.#texts, callback),
      onEnd: (callback) => addTo(this.#ends, callback),
      mask: (text) => this.#history.mask(text),
      listens: (port) => (this.#run === undefined ? Promise.resolve(false) : this.#engine.listens(this.#run, port)),
    };
  }

  #answer(since: number, reason: JobReason, until: SessionAwaited | undefined): JobOutput {
    const output = this.#output(since, reason, until);
    this.#cursor = Math.max(this.#cursor, output.cursor);
    return output;
  }

  #output(since: number, reason: JobReason, until: SessionAwaited | undefined): JobOutput {
    const result = this.#result;
    return Object.freeze({
      ...this.#history.since(since),
      reason,
      ...(until === undefined ? {} : { until: { ...until, matched: reason === 'matched' } }),
      cursor: this.#history.end,
      state: this.state,
      ...(result === undefined ? {} : { result }),
    });
  }
}

function addTo<Callback>(callbacks: Set<Callback>, callback: Callback): () => void {
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

function inputError(message: string, rules?: readonly string[]): HandrailError {
  const data = { name: 'input', ...(rules === undefined ? {} : { rules }) };
  return new HandrailError('ERR_INVALID_ARGUMENT', message, { data });
}
