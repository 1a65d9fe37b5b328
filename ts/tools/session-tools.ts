import * as z from 'zod/mini';
import { auditText, type CallFacts } from '../audit/record.js';
import { HandrailError } from '../errors.js';
import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { describeEnd } from '../report/end.js';
import { denialLines } from '../report/render.js';
import { DEFAULT_HISTORY_BYTES, DEFAULT_SESSION_TIMEOUT_MS } from '../session/limits.js';
import { checkRead, type SessionAwaited, type SessionReadOptions } from '../session/options.js';
import type { SessionOutput, SessionScreen } from '../session/output.js';
import type { Session } from '../session/session.js';
import { answerLines } from './answer-lines.js';
import type { SessionData } from './definition.js';
import type { ToolHost } from './host.js';

/** Most UTF-16 units that are shown of the line after which a program has ended. */
const MAX_LAST_INPUT_CHARS = 200;

/** Longest name of a session that is accepted, in UTF-16 units. */
const MAX_SESSION_NAME_CHARS = 32;

/** Longest time that a model can wait for a session in one call, in milliseconds. */
export const MAX_SESSION_WAIT_MS = 600_000;

/** The schema of the argument `session`. */
export function sessionArgument() {
  return z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(MAX_SESSION_NAME_CHARS),
      z.describe('Name of the session, as session_start gave it.'),
    );
}

/** The schema of the argument `timeout_ms`. */
export function waitArgument() {
  return z.optional(
    z
      .int()
      .check(
        z.minimum(0),
        z.maximum(MAX_SESSION_WAIT_MS),
        z.describe(
          `Milliseconds to wait for the program to be ready. Default: ${DEFAULT_SESSION_TIMEOUT_MS}. The program goes on ` +
            'when they are over.',
        ),
      ),
  );
}

/** The schema of the argument `until`. */
export function untilArgument() {
  return z.optional(
    z
      .strictObject({
        // The lengths are checked with the other options of a read: each bound here costs every model tokens.
        text: z.optional(z.string()),
        pattern: z.optional(z.string()),
        port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
        quiet_ms: z.optional(z.int().check(z.minimum(0), z.maximum(60_000))),
      })
      .check(
        z.describe(
          'Wait for one of these instead: a text or a regular expression in the new output, a TCP port it listens on, ' +
            'milliseconds of silence.',
        ),
      ),
  );
}

/** The arguments of a tool that say when its read ends. */
interface ReadArguments {
  readonly timeout_ms?: number | null | undefined;
  readonly until?: z.infer<ReturnType<typeof untilArgument>> | null | undefined;
}

/**
 * The options of a read.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for an `until` with no key or several, and for a bad pattern.
 */
export function readOptions(
  { timeout_ms: timeoutMs, until }: ReadArguments,
  signal: AbortSignal | undefined,
): SessionReadOptions {
  const options = {
    // All that the history keeps: the model gets the lines that tell most, and a file with the whole. Of a flood that is its end,
    // where results are.
    maxOutputBytes: DEFAULT_HISTORY_BYTES,
    keep: 'end' as const,
    ...(typeof timeoutMs === 'number' ? { timeoutMs } : {}),
    ...(until === undefined || until === null ? {} : { until: awaitedOf(until) }),
    ...(signal === undefined ? {} : { signal }),
  };
  checkRead(options);
  return options;
}

/** What a wait is for. Exactly one key has to be given. */
export function awaitedOf({ quiet_ms: quietMs, ...others }: NonNullable<ReadArguments['until']>): SessionAwaited {
  const given = Object.entries({ ...others, quietMs }).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 1) return Object.fromEntries(given) as unknown as SessionAwaited;
  throw new HandrailError('ERR_INVALID_ARGUMENT', 'Give one of text, pattern, port, quiet_ms in `until`', {
    data: { name: 'until' },
  });
}

/** The result of a tool that has read from a session. */
export function sessionData(
  operation: SessionData['operation'],
  name: string,
  session: Session,
  output: SessionOutput,
): SessionData {
  const { end, sandbox } = session;
  const ok = output.reason !== 'denied' && (operation !== 'send' || output.sent);
  const decision = output.decision === undefined ? {} : { decision: output.decision };
  const asked = output.question === undefined ? {} : { personAsked: session.questions.areForPeople };
  return {
    ...{ kind: 'session', operation, session: name, ok, output, sandbox },
    ...decision,
    ...asked,
    ...(end === undefined ? {} : { end }),
  };
}

/** The text for the model: as much of the output as fits, then one line about the state of the session. */
export async function renderSession(data: SessionData, args: unknown, host: ToolHost): Promise<string> {
  const { denial, redactor } = host;
  const { session = 'no session', output, end, problem } = data;
  const lines = [...(problem === undefined ? [] : [problem])];
  if (output !== undefined && output.omittedBytes > 0)
    lines.push(`[${output.omittedBytes} bytes before this are not kept any more]`);
  if (output !== undefined && output.text !== '') lines.push(...(await answerLines(output.text, host)));
  const screen = data.screen ?? output?.screen;
  if (screen !== undefined) lines.push(...(await screenLines(session, screen, host)));
  if (data.decision !== undefined && data.decision.decision !== 'allow')
    lines.push(...denialLines(data.decision, denial));
  if (end !== undefined) lines.push(`[${session} is over: ${describeEnd(end)}${lastInput(data, args, redactor)}]`);
  else if (output !== undefined) lines.push(...sessionNotes(session, output, data));
  return lines.join('\n');
}

/** The rows of a screen, and where the cursor is. */
async function screenLines(
  session: string,
  { text, cursor, fullScreen, redactions }: SessionScreen,
  host: ToolHost,
): Promise<string[]> {
  const rows = text === '' ? [] : await answerLines(text, host);
  const what = fullScreen ? `the screen of ${session}` : `the end of the output of ${session}`;
  const hidden = cursor.visible ? '' : ', hidden';
  const masked = redactions > 0 ? [maskNote(redactions)] : [];
  return [...rows, ...masked, `[${what}; cursor: row ${cursor.row}, column ${cursor.column}${hidden}]`];
}

function maskNote(count: number): string {
  return `[${count} ${count === 1 ? 'secret' : 'secrets'} masked]`;
}

/** The line after which the program has ended, where that was sent by this call. */
function lastInput({ operation, output }: SessionData, args: unknown, redactor: Redactor): string {
  if (operation !== 'send' || output?.reason !== 'exited' || !output.sent) return '';
  const { input } = args as { readonly input?: string | null };
  if (typeof input !== 'string') return '';
  const [line = ''] = redactor.redact(input).split('\n', 1);
  const start = firstChars(line, MAX_LAST_INPUT_CHARS);
  return `, after ${JSON.stringify(start)}${start === input ? '' : '…'}`;
}

/** What ends the program in the foreground, and what waits on. */
const GO_ON = 'session_read waits on, session_send with key "ctrl-c" interrupts it';

function sessionNotes(session: string, output: SessionOutput, { operation, personAsked }: SessionData): string[] {
  const skipped = output.skippedBytes > 0 ? [`[${output.skippedBytes} bytes of late output came before this]`] : [];
  const masked = output.redactions - (output.screen?.redactions ?? 0);
  const notes = [...skipped, ...(masked > 0 ? [maskNote(masked)] : []), ...commandNote(output)];
  const unsent = operation === 'send' && !output.sent ? ', and was sent nothing' : '';
  const state = personAsked === undefined ? sessionState(output, operation) : questionState(personAsked, unsent);
  return [...notes, `[${session} ${state}]`];
}

/** What a program that asks for a password waits for. */
function questionState(personAsked: boolean, unsent: string): string {
  const what = `reads a line without showing it, such as a password${unsent}`;
  return personAsked
    ? `${what}: only a person can give it, and was asked. session_read waits for them, session_send with key "ctrl-c" gives up`
    : `${what}, and nobody listens who could give it: session_send with key "ctrl-c" gives up; use a way that needs none`;
}

/** How the command that was sent has ended, as far as its shell has said it. */
function commandNote({ command, reason }: SessionOutput): string[] {
  if (command === undefined) return [];
  if (command.status !== null) return [`[exit ${command.status} in ${Math.round(command.durationMs)} ms]`];
  const isWaiting = reason === 'marker' || reason === 'quiet';
  return isWaiting ? ['[exit status not known: the shell has not said that the command is over]'] : [];
}

function sessionState({ reason, confirmed, sent, until }: SessionOutput, operation: SessionData['operation']): string {
  const unmatched = until?.matched === false ? `, and ${missing(until)}` : '';
  const unsent = operation === 'send' && !sent;
  switch (reason) {
    case 'marker':
      return `is ready for input${unmatched}`;
    case 'quiet':
      if (confirmed) return `waits for input${unmatched}`;
      return until === undefined
        ? 'is silent, most likely waits for input: session_send answers it, session_read waits on'
        : `was silent for so long: ${GO_ON}`;
    case 'idle':
      return unsent
        ? `is silent and idle, does not read its terminal, and was sent nothing: ${GO_ON}`
        : `is silent and idle: everything it runs waits; a server that is ready looks like this. ${GO_ON}`;
    case 'matched':
      return `${until === undefined ? 'is open' : found(until)}: session_read gives what follows`;
    case 'denied':
      return 'was sent nothing';
    case 'timeout':
      if (unsent) return `is not ready for input, and was sent nothing: ${GO_ON}`;
      return `${until === undefined ? 'is not ready for input yet' : missing(until)}: ${GO_ON}`;
    default:
      return 'is open';
  }
}

/** That what was waited for has come. */
export function found(until: SessionAwaited): string {
  if ('port' in until) return `listens on port ${until.port}`;
  return 'quietMs' in until ? `was silent for ${until.quietMs} ms` : `wrote ${described(until)}`;
}

/** That what was waited for has not come. */
export function missing(until: SessionAwaited): string {
  if ('port' in until) return `does not listen on port ${until.port} yet`;
  return 'quietMs' in until ? `was never silent for ${until.quietMs} ms` : `has not written ${described(until)} yet`;
}

function described(until: { readonly text: string } | { readonly pattern: string }): string {
  return 'text' in until ? JSON.stringify(until.text) : `what matches ${JSON.stringify(until.pattern)}`;
}

/** The facts of a call for the audit. */
export function sessionFacts(redactor: Redactor, data: SessionData, input: string | undefined): CallFacts {
  const denied = data.decision !== undefined && data.decision.decision !== 'allow';
  const done = data.ok ? (data.output?.reason ?? 'done') : 'failed';
  return {
    decision: denied ? 'deny' : 'allow',
    rules: [...new Set((data.decision?.reasons ?? []).map(({ rule }) => rule))],
    redactions: data.output?.redactions ?? data.screen?.redactions ?? 0,
    detail: {
      kind: 'session',
      operation: data.operation,
      ...(data.session === undefined ? {} : { session: data.session }),
      status: denied ? 'denied' : done,
      ...(input === undefined ? {} : { input: auditText(redactor, input) }),
      ...(data.sandbox === undefined ? {} : { sandbox: data.sandbox.enforced }),
    },
  };
}
