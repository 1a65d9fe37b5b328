import * as z from 'zod/mini';
import { isHandrailError } from '../errors.js';
import type { SessionData } from './definition.js';
import { MAX_COMMAND_CHARS } from './limits.js';
import { deniedAdvice } from './next-call.js';
import { pathArgument } from './path-argument.js';
import { readOptions, renderSession, sessionData, sessionFacts, untilArgument, waitArgument } from './session-tools.js';
import { catalogueTool } from './tool-spec.js';

/** The tool `session_start` starts a program on a terminal of its own, which lives until the session is closed. */
export const sessionStart = catalogueTool({
  name: 'session_start',
  annotations: {
    title: 'Start a session',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  schema: () =>
    z.strictObject({
      command: z
        .string()
        .check(
          z.maxLength(MAX_COMMAND_CHARS),
          z.describe('One program with its arguments, quoted as in bash, such as a shell, a debugger or a REPL.'),
        ),
      cwd: z.optional(pathArgument('Directory to start in, relative to the workspace. Default: the workspace.')),
      until: untilArgument(),
      timeout_ms: waitArgument(),
    }),
  describe: ({ lists }) =>
    'Start a program on a terminal of its own and keep it: send it lines with session_send. Its state stays between ' +
    `calls. Close it when it is not needed any more. ${lists}`,
  async run({ command, cwd, ...read }, call, { sessions }): Promise<SessionData> {
    // A bad pattern starts nothing.
    const options = readOptions(read, call.signal);
    const where = {
      ...(cwd === undefined ? {} : { cwd }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      ...(call.caller === undefined ? {} : { caller: call.caller }),
      ...(call.approve === undefined ? {} : { approve: call.approve }),
    };
    try {
      const started = await sessions.start(command, where);
      const { decision } = started;
      if (started.session === undefined) return { kind: 'session', operation: 'start', ok: false, decision };
      const output = await started.session.read(options);
      return { ...sessionData('start', started.name, started.session, output), decision };
    } catch (error) {
      // The model chose the program that cannot be started, so the model is told.
      if (!isHandrailError(error) || error.code !== 'ERR_SYSTEM') throw error;
      return { kind: 'session', operation: 'start', ok: false, problem: error.message };
    }
  },
  explain: ({ command, cwd }, { sessions }) => sessions.explain(command, cwd === undefined ? {} : { cwd }),
  isError: ({ ok }) => !ok,
  async render(data, args, host) {
    const { decision } = data;
    const isDenied = decision !== undefined && decision.decision !== 'allow';
    const advice = isDenied ? await deniedAdvice(decision, args, host) : [];
    const lines = advice.map((line) => host.redactor.redact(line));
    return [await renderSession(data, args, host), ...lines].join('\n');
  },
  facts: (data, { command }, { redactor }) => sessionFacts(redactor, data, command),
});
