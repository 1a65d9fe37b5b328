import { HandrailError } from '../errors.js';
import type { ProgramStaging } from '../files/staging.js';
import type { OutputChunk } from '../terminal/call.js';
import type { Runner } from '../terminal/runner.js';
import type { Terminal } from '../terminal/terminal.js';
import { EndedJobs } from './ended-jobs.js';
import { type InputJudge, Job } from './job.js';
import { MAX_ENDED_JOBS, MAX_ENDED_JOBS_OF_ALL } from './limits.js';
import { checkJobOptions, type JobOptions } from './options.js';

/** How a job that a model asked for is guarded. */
export interface GuardedJob {
  /** Who may use it; undefined for the host. */
  readonly owner: string | undefined;
  /** Judges input; undefined: input is not judged. */
  readonly judge: InputJudge | undefined;
  /** Gets the output too, until `detach()` of the job. */
  readonly onOutput: ((chunk: OutputChunk) => unknown) | undefined;
}

/** What jobs need of their toolkit. */
export interface JobsParts {
  readonly terminal: Terminal;
  readonly runner: Runner;
  /** The life of a job that names no other, in milliseconds. */
  readonly jobMs: number;
  /** Called with each job that has ended. */
  readonly onEnd: (job: Job) => void;
  /** Makes a layer for each. Undefined: they write into the roots. */
  readonly staging?: ProgramStaging | undefined;
}

const OF_HOST: GuardedJob = { owner: undefined, judge: undefined, onOutput: undefined };

/**
 * The jobs of one toolkit: commands that go on while nobody waits for them. A loop over it gets each job that ends from
 * then on, until the toolkit is closed.
 */
export class Jobs implements AsyncIterable<Job> {
  readonly #parts: JobsParts;
  readonly #jobs = new Map<string, Job>();
  readonly #loops = new Set<EndedJobs>();
  #next = 1;
  #closed = false;

  /** @internal */
  constructor(parts: JobsParts) {
    this.#parts = parts;
  }

  /**
   * Starts a command that goes on while nobody waits for it. It is judged, confined and masked as by `Terminal.run()`.
   *
   * @param command As for `Terminal.run()`.
   * @param options See `JobOptions`.
   * @returns The job once it runs. A command that was refused gives a job that has ended, whose result says why.
   * @throws As `Terminal.run()`, and HandrailError `ERR_BUSY` when `limits.jobs` run.
   * @example
   * ```ts
   * import { createToolkit } from 'handrail';
   *
   * await using toolkit = await createToolkit({ workspace: '.', terminal: { allow: ['seq'] } });
   * const job = await toolkit.jobs.start('seq 3');
   * const { reason, text } = await job.wait();
   * console.log(reason, JSON.stringify(text)); // exited "1\n2\n3\n"
   * ```
   */
  start(command: string | readonly string[], options: JobOptions = {}): Promise<Job> {
    return this.startFor(command, options, OF_HOST);
  }

  /**
   * Starts a command that a model asked for.
   *
   * @internal
   */
  async startFor(command: string | readonly string[], options: JobOptions, guard: GuardedJob): Promise<Job> {
    if (this.#closed) throw new HandrailError('ERR_CLOSED', 'This toolkit was closed');
    const { terminal, runner, jobMs, staging } = this.#parts;
    const checked = checkJobOptions(options, jobMs);
    // Only the host may name a longer life.
    const timeoutMs = guard.owner === undefined ? checked.timeoutMs : Math.min(checked.timeoutMs, jobMs);
    const layer = await staging?.begin({ kind: 'job', command, caller: guard.owner });
    if (this.#closed) {
      layer?.unused();
      throw new HandrailError('ERR_CLOSED', 'This toolkit was closed');
    }
    const parts = {
      terminal,
      runner,
      ...guard,
      layer,
      onStart: (job: Job) => this.#add(job),
      onEnd: (job: Job) => this.#end(job),
    };
    return await Job.start(command, { ...checked, timeoutMs }, parts);
  }

  /** The job of this name, also one that has ended, as long as it is kept. Undefined where there is none. */
  get(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  /** The jobs that run, and the last 16 of each owner that have ended, 64 of all; oldest first. */
  list(): readonly Job[] {
    return [...this.#jobs.values()];
  }

  /**
   * The jobs that end from now on, each once. A loop that waits keeps the host's process alive, and is over when the
   * toolkit is closed.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<Job> {
    const loop = new EndedJobs(this.#parts.runner.engine, () => this.#loops.delete(loop));
    if (this.#closed) loop.end();
    else this.#loops.add(loop);
    return loop;
  }

  /** Ends all jobs. @internal */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.list().map((job) => job.end()));
    for (const loop of [...this.#loops]) loop.end();
  }

  #add(job: Job): string {
    const id = `j${this.#next}`;
    this.#next += 1;
    this.#jobs.set(id, job);
    return id;
  }

  /** Keeps so many of these jobs that have ended: the last ones. */
  #forget(isOfThese: (job: Job) => boolean, kept: number): void {
    const ended = [...this.#jobs].filter(([, job]) => job.state === 'ended' && isOfThese(job));
    for (const [id] of ended.slice(0, Math.max(0, ended.length - kept))) this.#jobs.delete(id);
  }

  #end(job: Job): void {
    // What was over within its call is no job that anybody knows of.
    if (!job.hasGoneOn) this.#jobs.delete(job.id);
    this.#forget((other) => other.owner === job.owner, MAX_ENDED_JOBS);
    this.#forget(() => true, MAX_ENDED_JOBS_OF_ALL);
    for (const loop of this.#loops) loop.add(job);
    this.#parts.onEnd(job);
  }
}
