import * as z from 'zod/mini';
import { commandFacts } from '../audit/record.js';
import { renderCommand } from '../report/render.js';
import type { RunOptions } from '../terminal/call.js';
import { MIN_TIMEOUT_MS } from '../terminal/limits.js';
import type { CallContext, CommandData } from './definition.js';
import type { ToolHost } from './host.js';
import { MAX_COMMAND_CHARS } from './limits.js';
import { nextCall } from './next-call.js';
import { pathArgument } from './path-argument.js';
import { catalogueTool } from './tool-spec.js';

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
function schemaFor({ timeoutMs, shell }: ToolHost) {
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
  });
}

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
  async run({ command, cwd, timeout_ms: timeoutMs }, call, { terminal }): Promise<CommandData> {
    return { kind: 'command', ...(await terminal.run(command, runOptions(cwd, timeoutMs, call))) };
  },
  explain: ({ command, cwd }, { terminal }) => terminal.explainCall(command, cwd === undefined ? {} : { cwd }),
  isError: ({ ok }) => !ok,
  async render(data, args, host) {
    const { resultChars, lists, redactor } = host;
    const advice = (await nextCall(data, args, host)).map((line) => redactor.redact(line));
    return renderCommand(data, { maxChars: resultChars, lists, advice });
  },
  facts: (data, { command, cwd }, { redactor }) => commandFacts(redactor, command, cwd, data),
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
