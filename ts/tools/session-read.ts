import * as z from 'zod/mini';
import type { SessionData } from './definition.js';
import {
  readOptions,
  renderSession,
  sessionArgument,
  sessionData,
  sessionFacts,
  untilArgument,
  waitArgument,
} from './session-tools.js';
import { catalogueTool } from './tool-spec.js';

/** The tool `session_read` returns the output of a session since the last answer. */
export const sessionRead = catalogueTool({
  name: 'session_read',
  annotations: {
    title: 'Read from a session',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  schema: () => z.strictObject({ session: sessionArgument(), until: untilArgument(), timeout_ms: waitArgument() }),
  describe: () => 'Return what a session writes until it is ready for input, without sending anything.',
  async run({ session: name, ...read }, call, { sessions }): Promise<SessionData> {
    const session = sessions.get(name, call);
    const options = await session.questions.whileStanding(readOptions(read, call.signal));
    return sessionData('read', name, session, await session.read(options));
  },
  isError: ({ ok }) => !ok,
  render: renderSession,
  facts: (data, _args, { redactor }) => sessionFacts(redactor, data, undefined),
});
