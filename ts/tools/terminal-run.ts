import * as z from 'zod/mini';
import { commandFacts } from '../audit/record.js';
import { renderCommand } from '../report/render.js';
import type { RunOptions } from '../terminal/call.js';
import { MIN_TIMEOUT_MS } from '../terminal/limits.js';
import { callerOf } from './call-context.js';
import type { CallContext, CommandData, JobData } from './definition.js';
import type { ToolHost } from './host.js';
import { bookOf, jobData, jobFacts, renderJob } from './job-tools.js';
import { MAX_COMMAND_CHARS } from './limits.js';
import { nextCall, reachedHints } from './next-call.js';
import { pathArgument } from './path-argument.js';
import { MAX_SESSION_WAIT_MS } from './session-tools.js';
import { catalogueTool } from './tool-spec.js';

/** The arguments of a command that may go on. */
interface JobArguments {
  readonly wait_ms?: number | undefined;
  readonly background?: boolean | undefined;
}

/** The description of the argument `command`, without and with a shell. */
const COMMAND_ARGUMENT_TEXTS: Readonly<Record<ToolHost['shell'], string>> = {
  none: 'One program with its arguments, quoted as in bash. Pipes, redirections and $expansions are refused.',
  bash:
    'A bash script: pipes, lists, loops, substitutions and redirections into the workspace are fine. Every program ' +
    'it names has to be allowed.',
};

const SHELL_TEXTS: Readonly<Record<ToolHost['shell'], string>> = {
  none: 'There is no shell: one program with its arguments, nothing on its standard input.',
  bash: 'It is judged as a whole, then bash runs it with nothing on its standard input.',
};

/** The schema of the arguments. None of them weakens a guard, and `timeout_ms` can only shorten the host's time limit. */
function schemaFor({ timeoutMs, shell, jobs }: ToolHost) {
  return z.strictObject({
    command: z.string().check(z.maxLength(MAX_COMMAND_CHARS), z.describe(COMMAND_ARGUMENT_TEXTS[shell])),
    cwd: z.optional(pathArgument('Directory to run in, relative to the workspace. Default: the workspace.')),
    timeout_ms: z.optional(
      z
        .int()
        .check(
          z.minimum(MIN_TIMEOUT_MS),
          z.maximum(timeoutMs),
          z.describe(`Milliseconds until the command and all it started is ended. Default and maximum: ${timeoutMs}.`),
        ),
    ),
    ...(jobs === undefined ? {} : JOB_ARGUMENTS),
  });
}

/** The arguments with which a command may go on as a job. Where there are no jobs, they are unknown arguments. */
const JOB_ARGUMENTS = {
  wait_ms: z.optional(
    z
      .int()
      .check(
        z.minimum(0),
        z.maximum(MAX_SESSION_WAIT_MS),
        z.describe('Milliseconds to wait: what still runs then goes on as a job (job_wait).'),
      ),
  ),
  background: z.optional(
    z.boolean().check(z.describe('Go on as a job at once, with an open standard input: for servers and watchers.')),
  ),
};

/** The tool `terminal_run` runs one command: judged, confined, redacted and bounded. */
export const terminalRun = catalogueTool({
  name: 'terminal_run',
  annotations: {
    title: 'Run a command',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  schema: schemaFor,
  describe: ({ lists, shell }) =>
    `Execute an allowed command non-interactively and return concise output. ${SHELL_TEXTS[shell]} ` +
    `Processes it leaves behind are ended. ${lists}`,
  async run({ command, cwd, timeout_ms: timeoutMs, ...goesOn }, call, host): Promise<CommandData | JobData> {
    const { wait_ms: waitMs, background } = goesOn as JobArguments;
    if (waitMs === undefined && background !== true) {
      const options = runOptions(cwd, timeoutMs, call);
      return { kind: 'command', ...(await host.terminal.runFor(command, options, { caller: callerOf(call) })) };
    }
    const book = bookOf(host);
    const start = {
      ...(cwd === undefined ? {} : { cwd }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      stdin: background === true ? 'open' : 'none',
    } as const;
    const job = await book.start(command, start, call);
    const output = await job.wait({ timeoutMs: waitMs ?? 0, signal: call.signal });
    // The job may have ended since the wait was over.
    const result = output.reason === 'cancelled' ? await job.end() : job.result;
    if (job.error !== undefined) throw job.error;
    if (result !== undefined) return { kind: 'command', ...result };
    book.goOn(job, cwd);
    return jobData('start', job, output, host);
  },
  explain: ({ command, cwd }, { terminal }) => terminal.explainCall(command, cwd === undefined ? {} : { cwd }),
  // A command whose changes were not kept has to be run again.
  isError: (data) => !data.ok || (data.kind === 'command' && data.staged?.committed === false),
  async render(data, args, host) {
    if (data.kind === 'job') return renderJob(data, args, host);
    const { resultChars, denial, redactor } = host;
    const advice = (await nextCall(data, args, host)).map((line) => redactor.redact(line));
    const rendering = { maxChars: resultChars, ...denial, advice };
    if (data.status !== 'denied') return renderCommand(data, rendering);
    const reasons = await reachedHints(data.decision.reasons, args, host);
    return renderCommand({ ...data, decision: { ...data.decision, reasons } }, rendering);
  },
  facts: (data, { command, cwd }, { redactor }) =>
    data.kind === 'job' ? jobFacts(redactor, data, command) : commandFacts(redactor, command, cwd, data),
});

function runOptions(cwd: string | undefined, timeoutMs: number | undefined, call: CallContext): RunOptions {
  return {
    ...(cwd === undefined ? {} : { cwd }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
    ...(call.onOutput === undefined ? {} : { onOutput: call.onOutput }),
    ...(call.approve === undefined ? {} : { approve: call.approve }),
  };
}
