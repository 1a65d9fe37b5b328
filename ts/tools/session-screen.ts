import * as z from 'zod/mini';
import type { SessionData } from './definition.js';
import { renderSession, sessionArgument, sessionFacts } from './session-tools.js';
import { catalogueTool } from './tool-spec.js';

/** The tool `session_screen` returns what the terminal of a session shows now. */
export const sessionScreen = catalogueTool({
  name: 'session_screen',
  annotations: {
    title: 'Look at the screen of a session',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  schema: () => z.strictObject({ session: sessionArgument() }),
  describe: () => 'Return what the terminal of a session shows now, at once: the screen of vim, less or top.',
  run: ({ session: name }, call, { sessions }) =>
    new Promise<SessionData>((resolve) => {
      const session = sessions.get(name, call);
      const { end, sandbox } = session;
      resolve({
        ...{ kind: 'session', operation: 'screen', session: name, ok: true, screen: session.screen(), sandbox },
        ...(end === undefined ? {} : { end }),
      });
    }),
  isError: ({ ok }) => !ok,
  render: renderSession,
  facts: (data, _args, { redactor }) => sessionFacts(redactor, data, undefined),
});
