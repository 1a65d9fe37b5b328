import { randomUUID } from 'node:crypto';
import { type AuditRecord, commandFacts } from '../audit/record.js';
import { HandrailError } from '../errors.js';
import type { InputJudge, Job } from '../jobs/job.js';
import type { Jobs } from '../jobs/jobs.js';
import type { JobOptions } from '../jobs/options.js';
import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { renderStatus } from '../report/render.js';
import type { CommandResult } from '../report/result.js';
import { UNKNOWN_DIRECTORY } from '../session/session.js';
import type { Runner } from '../terminal/runner.js';
import { callerOf } from './call-context.js';
import type { CallContext } from './definition.js';

/** Most Unicode characters of a command in a line about its job. */
const MAX_COMMAND_CHARS = 60;

/** Most Unicode characters of the end of a job in such a line. */
const MAX_END_CHARS = 300;

/** Most jobs that the line about ended jobs names; further ones are counted. */
const MAX_NAMED_JOBS = 8;

/** How a job is started beside its command. */
export type JobStart = Pick<JobOptions, 'cwd' | 'timeoutMs' | 'stdin'>;

/** The jobs of models that have gone on after the call that started them, each with its directory. */
export class JobBook {
  readonly #jobs: Jobs;
  readonly #runner: Runner;
  readonly #goneOn = new Map<Job, string | undefined>();
  /** The names of jobs that have ended, of which their owner was not told. */
  readonly #untold = new Set<string>();

  constructor(jobs: Jobs, runner: Runner) {
    this.#jobs = jobs;
    this.#runner = runner;
  }

  /** Starts a command. The signal of the call ends it until `goOn`. */
  async start(command: string, start: JobStart, call: CallContext): Promise<Job> {
    const { signal, approve, onOutput } = call;
    const judge = this.#runner.isLineShell(command) ? this.#lineJudge : undefined;
    return await this.#jobs.startFor(
      command,
      { ...start, ...(approve === undefined ? {} : { approve }), ...(signal === undefined ? {} : { signal }) },
      { owner: callerOf(call), judge, onOutput },
    );
  }

  /** The call that started a job is over, and the job goes on. */
  goOn(job: Job, cwd: string | undefined): void {
    job.detach();
    this.#goneOn.set(job, cwd);
  }

  /**
   * The job of this name.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when the caller has none of this name; it names those that it has.
   */
  get(name: string, call: CallContext): Job {
    const job = this.#jobs.get(name);
    if (job !== undefined && job.owner === callerOf(call)) return job;
    const known = this.list(call).map(({ id }) => id);
    const advice =
      known.length === 0
        ? 'none was started: terminal_run with background starts one'
        : `known are ${known.join(', ')}`;
    throw new HandrailError('ERR_INVALID_ARGUMENT', `There is no job of this name; ${advice}`, {
      data: { name: 'job' },
    });
  }

  /** The jobs of the caller, oldest first. */
  list(call: CallContext): readonly Job[] {
    const caller = callerOf(call);
    return this.#jobs.list().filter(({ owner }) => owner === caller);
  }

  /** A result has told the caller of the end of a job. */
  told(job: Job): void {
    this.#untold.delete(job.id);
  }

  /** The line about the jobs of the caller that have ended and were not told of. Undefined when there are none. */
  takeEnded(call: CallContext): string | undefined {
    const texts: string[] = [];
    for (const job of this.list(call)) {
      if (job.result === undefined || !this.#untold.delete(job.id)) continue;
      texts.push(`${job.id} (${this.shownCommand(job)}) ${endText(job.result, this.#runner.redactor)}`);
    }
    if (texts.length === 0) return undefined;
    const hidden = texts.length - MAX_NAMED_JOBS;
    const named = texts.slice(0, MAX_NAMED_JOBS).join('; ');
    return `[ended since your last call: ${named}${hidden > 0 ? `; and ${hidden} more` : ''}. job_read shows the output]`;
  }

  /** A job has ended. Gives the record of its end, where it had gone on after its call. */
  ended(job: Job): AuditRecord | undefined {
    const { result, owner, command } = job;
    if (!this.#goneOn.has(job) || result === undefined || owner === undefined) return undefined;
    const cwd = this.#goneOn.get(job);
    this.#goneOn.delete(job);
    this.#untold.add(job.id);
    for (const id of this.#untold) if (this.#jobs.get(id) === undefined) this.#untold.delete(id);
    return this.#record(job, result, String(command), cwd);
  }

  /** The command of a job on one line: masked, and shortened. */
  shownCommand({ command }: Job): string {
    const line = this.#runner.redactor.redact(String(command)).replaceAll('\n', ' ');
    const short = firstChars(line, MAX_COMMAND_CHARS);
    return short === line ? line : `${short}...`;
  }

  #record(job: Job, result: CommandResult, command: string, cwd: string | undefined): AuditRecord {
    const facts = commandFacts(this.#runner.redactor, command, cwd, result);
    return Object.freeze({
      id: randomUUID(),
      tool: 'terminal_run',
      startedAt: job.startedAt.toISOString(),
      durationMs: result.durationMs,
      isError: !result.ok,
      contentChars: 0,
      ...facts,
      detail: { ...facts.detail, job: job.id },
    } as AuditRecord);
  }

  /** Judges lines for a shell. The directory that it works in is not known: no relative path is in a root. */
  readonly #lineJudge: InputJudge = (input) => this.#runner.explainTyped(input, false, UNKNOWN_DIRECTORY);
}

/** How a job has ended, in a few words, masked. */
export function endText(result: CommandResult, redactor: Redactor): string {
  const [line = ''] = renderStatus(result, { maxChars: MAX_END_CHARS, lists: '' }).split('\n', 1);
  return redactor.redact(line);
}
