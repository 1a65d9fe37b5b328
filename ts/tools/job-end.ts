import * as z from 'zod/mini';
import type { JobData } from './definition.js';
import { bookOf, jobArgument, jobData, jobFacts, renderJob } from './job-tools.js';
import { catalogueTool } from './tool-spec.js';

/** The tool `job_end` ends a job and everything that it started. */
export const jobEnd = catalogueTool({
  name: 'job_end',
  annotations: {
    title: 'End a job',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  schema: () => z.strictObject({ job: jobArgument() }),
  describe: () => 'End a job and everything it started, and return what it wrote since the last answer.',
  async run({ job: name }, call, host): Promise<JobData> {
    const job = bookOf(host).get(name, call);
    await job.end();
    return { ...jobData('end', job, job.read(), host), ok: true };
  },
  isError: ({ ok }) => !ok,
  render: renderJob,
  facts: (data, _args, { redactor }) => jobFacts(redactor, data),
});
