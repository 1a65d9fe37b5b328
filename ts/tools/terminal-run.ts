import * as z from 'zod/mini';
import { commandFacts, REFUSED } from '../audit/record.js';
import { isHandrailError } from '../errors.js';
import type { Redactor } from '../redaction/redactor.js';
import type { RunOptions } from '../terminal/call.js';
import { MIN_TIMEOUT_MS } from '../terminal/limits.js';
import type { Terminal } from '../terminal/terminal.js';
import { checkArguments, parametersOf, signatureOf } from './arguments.js';
import type { CallContext, Tool, ToolDefinition, ToolOutcome, ToolRefusal } from './definition.js';
import { MAX_COMMAND_CHARS, MAX_PATH_CHARS } from './limits.js';
import { renderCommand } from './render.js';

/** Name of the tool, also in audit records. */
export const TERMINAL_RUN = 'terminal_run';

/** What the tool works with. */
export interface TerminalRunSetup {
  readonly terminal: Terminal;
  readonly redactor: Redactor;
  /** What may run, as a sentence. */
  readonly lists: string;
  /** Time a command gets, and the most a model can ask for, in milliseconds. */
  readonly timeoutMs: number;
  /** Unicode characters of a result for the model. */
  readonly resultChars: number;
}

/** There is no argument that weakens a guard, and `timeout_ms` can only shorten the host's. */
function schemaFor(timeoutMs: number) {
  return z.strictObject({
    command: z
      .string()
      .check(
        z.maxLength(MAX_COMMAND_CHARS),
        z.describe(
          'One program with its arguments, quoted as in bash. Pipes, redirections and $expansions are refused.',
        ),
      ),
    cwd: z.optional(
      z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(MAX_PATH_CHARS),
          z.regex(/^[^\0]*$/, 'must not contain NUL'),
          z.describe('Directory to run in, relative to the workspace. Default: the workspace.'),
        ),
    ),
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

/** The tool `terminal_run`: one command without a shell, judged, confined, redacted and bounded. */
export function terminalRunTool(setup: TerminalRunSetup): Tool {
  const schema = schemaFor(setup.timeoutMs);
  const definition: ToolDefinition = Object.freeze({
    name: TERMINAL_RUN,
    description:
      'Execute an allowed command non-interactively and return concise output. There is no shell: one program with its ' +
      `arguments, nothing on its standard input. Processes it leaves behind are ended. ${setup.lists}`,
    parameters: parametersOf(schema),
    annotations: Object.freeze({
      title: 'Run a command',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    }),
  });

  return {
    definition,
    async call(args: unknown, context: CallContext): Promise<ToolOutcome> {
      const checked = checkArguments(schema, args);
      if (!checked.ok) {
        const expected = `expected: ${signatureOf(definition.parameters)}`;
        return refuse(setup.redactor, 'invalid_arguments', checked.problems, expected);
      }
      const { command, cwd, timeout_ms: timeoutMs } = checked.value;
      try {
        const result = await setup.terminal.run(command, runOptions(cwd, timeoutMs, context));
        const content = renderCommand(result, { maxChars: setup.resultChars, lists: setup.lists });
        return {
          result: { content, isError: !result.ok, data: result },
          facts: commandFacts(setup.redactor, command, cwd, result),
        };
      } catch (error) {
        // What the model asked for is answered; what the host got wrong is thrown on.
        if (!isHandrailError(error)) throw error;
        if (error.code === 'ERR_BUSY') return refuse(setup.redactor, 'busy', [error.message]);
        if (error.code === 'ERR_INVALID_ARGUMENT') {
          return refuse(setup.redactor, 'invalid_arguments', [error.message]);
        }
        throw error;
      }
    },
  };
}

function runOptions(cwd: string | undefined, timeoutMs: number | undefined, context: CallContext): RunOptions {
  return {
    ...(cwd === undefined ? {} : { cwd }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(context.signal === undefined ? {} : { signal: context.signal }),
    ...(context.onOutput === undefined ? {} : { onOutput: context.onOutput }),
  };
}

const REFUSAL_TITLES: Readonly<Record<ToolRefusal['refused'], string>> = {
  unknown_tool: 'unknown tool',
  invalid_arguments: 'invalid arguments',
  busy: 'busy',
};

function refuse(
  redactor: Redactor,
  refused: ToolRefusal['refused'],
  problems: readonly string[],
  advice?: string,
): ToolOutcome {
  const masked = problems.map((problem) => redactor.redact(problem));
  const lines = [`${REFUSAL_TITLES[refused]}: ${masked.join('; ')}`, ...(advice === undefined ? [] : [advice])];
  return {
    result: { content: lines.join('\n'), isError: true, data: { refused, problems: masked } },
    facts: { ...REFUSED, reasons: [refused] },
  };
}
