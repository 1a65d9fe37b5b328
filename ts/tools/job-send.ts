import * as z from 'zod/mini';
import { isHandrailError } from '../errors.js';
import { within } from '../terminal/within.js';
import type { JobData } from './definition.js';
import { bookOf, jobArgument, jobFacts, jobState, renderJob } from './job-tools.js';
import { MAX_COMMAND_CHARS } from './limits.js';
import { catalogueTool } from './tool-spec.js';

/** Time that a program has to read its input before the answer says that it has not, in milliseconds. */
const SENT_MS = 1_000;

/** The tool `job_send` writes a line to the standard input of a job. */
export const jobSend = catalogueTool({
  name: 'job_send',
  annotations: {
    title: 'Send input to a job',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  schema: () =>
    z.strictObject({
      job: jobArgument(),
      input: z.string().check(z.maxLength(MAX_COMMAND_CHARS), z.describe('A line; its end is added.')),
    }),
  describe: () => 'Send a line to the standard input of a job that was started with background.',
  async run({ job: name, input }, call, host): Promise<JobData> {
    const job = bookOf(host).get(name, call);
    // As in a session, a line is judged without the end that is added to it.
    const decision = job.state === 'running' ? job.denialOf(input) : undefined;
    if (decision !== undefined) return { ...jobState('send', job), ok: false, sent: false, decision };
    const sent = job.send(`${input}\n`).then(
      () => true,
      (error: unknown) => {
        // The job may end at any moment, which is no mistake of the model.
        if (isHandrailError(error) && error.code === 'ERR_CLOSED') return false;
        throw error;
      },
    );
    const isSent = await within(sent, SENT_MS);
    return { ...jobState('send', job), ok: isSent !== false, sent: isSent === true };
  },
  isError: ({ ok }) => !ok,
  render: renderJob,
  facts: (data, { input }, { redactor }) => jobFacts(redactor, data, input),
});
