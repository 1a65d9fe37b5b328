import * as z from 'zod/mini';
import { auditText, type CallFacts } from '../audit/record.js';
import type { Job } from '../jobs/job.js';
import type { JobOutput } from '../jobs/output.js';
import type { Redactor } from '../redaction/redactor.js';
import { denialLines, digestLines, renderStatus } from '../report/render.js';
import { answerLines } from './answer-lines.js';
import type { JobData } from './definition.js';
import type { ToolHost } from './host.js';
import { found, missing } from './session-tools.js';

/** Longest name of a job that is accepted, in UTF-16 units. */
const MAX_JOB_NAME_CHARS = 32;

/** The schema of the argument `job`. */
export function jobArgument() {
  return z.string().check(z.minLength(1), z.maxLength(MAX_JOB_NAME_CHARS), z.describe('Name of the job, such as j1.'));
}

/** The job book of a host that publishes tools for jobs. */
export function bookOf({ jobs }: ToolHost): NonNullable<ToolHost['jobs']> {
  if (jobs === undefined) throw new Error('A tool for jobs was published without jobs');
  return jobs;
}

/** The result of a tool that has read the output of a job. */
export function jobData(operation: JobData['operation'], job: Job, output: JobOutput, host: ToolHost): JobData {
  const { result } = output;
  if (result !== undefined) bookOf(host).told(job);
  return { ...jobState(operation, job), ok: result === undefined || result.ok, output };
}

/** The result of a tool about a job, without output. */
export function jobState(operation: JobData['operation'], job: Job): JobData {
  const { id, state, result } = job;
  return { kind: 'job', operation, job: id, ok: true, state, ...(result === undefined ? {} : { result }) };
}

/** The text for the model: as much of the output as fits, then how the job ended, or how to go on. */
export async function renderJob(data: JobData, _args: unknown, host: ToolHost): Promise<string> {
  const { job = 'no job', output, result, decision } = data;
  if (decision !== undefined && decision.decision !== 'allow') {
    return [...denialLines(decision, host.denial), `[${job} was sent nothing]`].join('\n');
  }
  const lines = output === undefined ? [] : await outputLines(output, host);
  if (result !== undefined) {
    return [...lines, `[${job} has ended]`, renderStatus(result, { maxChars: host.resultChars, ...host.denial })].join(
      '\n',
    );
  }
  return [...lines, `[${job} ${stateText(data)}]`].join('\n');
}

/** The output of a job. The file that its run has written holds it already; of what is not kept any more, that tells too. */
async function outputLines({ text, droppedBytes, result }: JobOutput, host: ToolHost): Promise<string[]> {
  if (droppedBytes > 0 && result?.excerpt !== undefined) {
    const { excerpt, spill } = result;
    return digestLines({ excerpt, ...(spill === undefined ? {} : { spill }) });
  }
  const lines =
    text === '' ? [] : await answerLines(text, host, result?.spill?.complete === true ? result.spill : undefined);
  if (droppedBytes === 0) return lines;
  // While the command runs, the file of its result is not known yet.
  const where = result === undefined ? 'in the file of its result, where that has room, once it has ended' : 'not kept';
  return [...lines, `[${droppedBytes} bytes before this are ${where}]`];
}

const GO_ON = 'job_wait waits, job_read reads, job_end ends it';

function stateText({ operation, output, sent }: JobData): string {
  if (operation === 'start') return `runs on: ${GO_ON}. Its end is told with your next call`;
  if (operation === 'send')
    return sent === false ? 'has not read its input yet' : 'was sent this: job_wait or job_read shows what follows';
  const { reason, until } = output ?? {};
  if (reason === 'matched' && until !== undefined) return `${found(until)}, and runs on: ${GO_ON}`;
  if (until !== undefined) return `runs on, and ${missing(until)}: ${GO_ON}`;
  return `runs on: ${GO_ON}`;
}

/** The facts of a call for the audit. */
export function jobFacts(redactor: Redactor, data: JobData, input?: string): CallFacts {
  const { operation, job, result, output, decision } = data;
  const isDenied = decision !== undefined && decision.decision !== 'allow';
  return {
    decision: isDenied ? 'deny' : 'allow',
    rules: [...new Set((decision?.reasons ?? []).map(({ rule }) => rule))],
    redactions: result?.redactions ?? 0,
    detail: {
      kind: 'job',
      operation,
      ...(job === undefined ? {} : { job }),
      status: isDenied ? 'denied' : (output?.reason ?? (data.ok ? 'done' : 'failed')),
      ...(input === undefined ? {} : { input: auditText(redactor, input) }),
    },
  };
}
