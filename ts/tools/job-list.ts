import * as z from 'zod/mini';
import { formatDuration } from '../report/render.js';
import type { JobData } from './definition.js';
import { endText } from './job-book.js';
import { bookOf, jobFacts } from './job-tools.js';
import { catalogueTool } from './tool-spec.js';

/** The tool `job_list` lists the jobs of the model. */
export const jobList = catalogueTool({
  name: 'job_list',
  annotations: {
    title: 'List jobs',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  schema: () => z.strictObject({}),
  describe: () => 'List your jobs: those that run, and the last that have ended.',
  run(_args, call, host): Promise<JobData> {
    const book = bookOf(host);
    const jobs = book.list(call).map((job) => {
      const { id, state, result } = job;
      if (result !== undefined) book.told(job);
      const ageMs = result?.durationMs ?? Date.now() - job.startedAt.getTime();
      return { job: id, command: book.shownCommand(job), state, ageMs, ...(result === undefined ? {} : { result }) };
    });
    return Promise.resolve({ kind: 'job', operation: 'list', ok: true, jobs });
  },
  isError: ({ ok }) => !ok,
  render: ({ jobs = [] }, _args, { redactor }) =>
    jobs.length === 0
      ? '[no jobs]'
      : jobs
          .map(({ job, command, ageMs, result }) => {
            const state = result === undefined ? `runs for ${formatDuration(ageMs)}` : endText(result, redactor);
            return `${job} ${state}: ${command}`;
          })
          .join('\n'),
  facts: (data, _args, { redactor }) => jobFacts(redactor, data),
});
