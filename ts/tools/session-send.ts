import * as z from 'zod/mini';
import { HandrailError } from '../errors.js';
import type { SessionData } from './definition.js';
import { MAX_COMMAND_CHARS } from './limits.js';
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

/** The keys that end a program which asks for a password, or leave it. */
const GIVES_UP: ReadonlySet<string> = new Set(['ctrl-c', 'ctrl-d', 'ctrl-z']);

/** The tool `session_send` sends a line to a session and returns the answer of its program. */
export const sessionSend = catalogueTool({
  name: 'session_send',
  annotations: {
    title: 'Send to a session',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  schema: () =>
    z.strictObject({
      session: sessionArgument(),
      input: z.optional(
        z.string().check(z.maxLength(MAX_COMMAND_CHARS), z.describe('A line; its end is added. Either this or key.')),
      ),
      key: z.optional(
        z
          .string()
          .check(
            z.maxLength(MAX_COMMAND_CHARS),
            z.describe(
              'A key, sent at once: ctrl-c interrupts what works. For full-screen programs also up, page-down, tab, esc, ' +
                'f1, ctrl-x, alt-x or a character, several separated by blanks. Either this or input.',
            ),
          ),
      ),
      until: untilArgument(),
      timeout_ms: waitArgument(),
    }),
  describe: () =>
    'Send a line to a session and return what the program writes until it is ready for more. Waits for the end of what was ' +
    'sent before. With key it sends keys at once.',
  async run({ session: name, input, key, ...read }, call, { sessions }): Promise<SessionData> {
    if ((input === undefined) === (key === undefined)) {
      throw new HandrailError('ERR_INVALID_ARGUMENT', 'Give either `input` or `key`', { data: { name: 'input' } });
    }
    const session = sessions.get(name, call);
    const options = readOptions(read, call.signal);
    if (input !== undefined) return sessionData('send', name, session, await session.send(input, options));
    if (session.questions.areForPeople && !GIVES_UP.has(key ?? '')) throw askedError();
    if (session.alive) await session.press(key ?? '');
    const output = await session.read(options);
    return sessionData('send', name, session, { ...output, sent: true });
  },
  isError: ({ ok }) => !ok,
  render: renderSession,
  facts: (data, { input, key }, { redactor }) => sessionFacts(redactor, data, input ?? key),
});

function askedError(): HandrailError {
  return new HandrailError(
    'ERR_INVALID_ARGUMENT',
    'Nothing was sent: a person was asked for what the program reads without showing it. session_read waits for them; the ' +
      'key "ctrl-c" gives up',
    { data: { name: 'key' } },
  );
}
