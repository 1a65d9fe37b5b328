import * as z from 'zod/mini';
import type { JobData } from './definition.js';
import { bookOf, jobArgument, jobData, jobFacts, renderJob } from './job-tools.js';
import { awaitedOf, untilArgument, waitArgument } from './session-tools.js';
import { catalogueTool } from './tool-spec.js';

/** The tool `job_wait` waits until a job ends, or for something that comes before. */
export const jobWait = catalogueTool({
  name: 'job_wait',
  annotations: {
    title: 'Wait for a job',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  schema: () => z.strictObject({ job: jobArgument(), until: untilArgument(), timeout_ms: waitArgument() }),
  describe: () => 'Wait until a job ends, or for what until names, and return what it wrote since the last answer.',
  async run({ job: name, timeout_ms: timeoutMs, until }, call, host): Promise<JobData> {
    const job = bookOf(host).get(name, call);
    const output = await job.wait({
      ...(typeof timeoutMs === 'number' ? { timeoutMs } : {}),
      ...(until === undefined || until === null ? {} : { until: awaitedOf(until) }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    return jobData('wait', job, output, host);
  },
  isError: ({ ok }) => !ok,
  render: renderJob,
  facts: (data, _args, { redactor }) => jobFacts(redactor, data),
});
