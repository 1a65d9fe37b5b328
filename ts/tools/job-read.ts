import * as z from 'zod/mini';
import type { JobData } from './definition.js';
import { bookOf, jobArgument, jobData, jobFacts, renderJob } from './job-tools.js';
import { catalogueTool } from './tool-spec.js';

/** The tool `job_read` returns the output of a job without waiting. */
export const jobRead = catalogueTool({
  name: 'job_read',
  annotations: {
    title: 'Read the output of a job',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  schema: () =>
    z.strictObject({
      job: jobArgument(),
      since: z.optional(z.int().check(z.minimum(0), z.describe('Position in bytes. 0: from its beginning.'))),
    }),
  describe: () => 'Return what a job wrote since the last answer, or since a position, without waiting.',
  run({ job: name, since }, call, host): Promise<JobData> {
    return new Promise((resolve) => {
      const job = bookOf(host).get(name, call);
      resolve(jobData('read', job, job.read(typeof since === 'number' ? since : undefined), host));
    });
  },
  isError: ({ ok }) => !ok,
  render: renderJob,
  facts: (data, _args, { redactor }) => jobFacts(redactor, data),
});
