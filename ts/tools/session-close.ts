import * as z from 'zod/mini';
import type { SessionData } from './definition.js';
import { renderSession, sessionArgument, sessionFacts } from './session-tools.js';
import { catalogueTool } from './tool-spec.js';

/** The tool `session_close` ends a session and everything that it started. */
export const sessionClose = catalogueTool({
  name: 'session_close',
  annotations: {
    title: 'Close a session',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  schema: () => z.strictObject({ session: sessionArgument() }),
  describe: () => 'End a session and everything it started.',
  async run({ session: name }, call, { sessions }): Promise<SessionData> {
    const { end, sandbox } = await sessions.close(name, call);
    return {
      ...{ kind: 'session', operation: 'close', session: name, ok: true, sandbox },
      ...(end === undefined ? {} : { end }),
    };
  },
  isError: ({ ok }) => !ok,
  render: renderSession,
  facts: (data, _args, { redactor }) => sessionFacts(redactor, data, undefined),
});
