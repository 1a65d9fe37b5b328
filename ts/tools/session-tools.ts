import * as z from 'zod/mini';
import { auditText, type CallFacts } from '../audit/record.js';
import type { Redactor } from '../redaction/redactor.js';
import { excerptOutput } from '../redaction/text.js';
import { describeEnd } from '../report/end.js';
import { denialLines } from '../report/render.js';
import { DEFAULT_SESSION_TIMEOUT_MS } from '../session/limits.js';
import type { Session, SessionOutput } from '../session/session.js';
import type { SessionData } from './definition.js';
import type { ToolHost } from './host.js';

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

/** The options of a read. */
export function readOptions(timeoutMs: number | undefined, signal: AbortSignal | undefined) {
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
  };
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
  return {
    ...{ kind: 'session', operation, session: name, ok, output, sandbox },
    ...decision,
    ...(end === undefined ? {} : { end }),
  };
}

/** The text for the model: as much of the output as fits, then one line about the state of the session. */
export function renderSession(data: SessionData, _args: unknown, { resultTokens, lists }: ToolHost): string {
  const { session = 'no session', output, end, problem } = data;
  const lines = [...(problem === undefined ? [] : [problem])];
  if (output !== undefined && output.text !== '') lines.push(...outputLines(output.text, resultTokens));
  if (data.decision !== undefined && data.decision.decision !== 'allow')
    lines.push(...denialLines(data.decision, { lists }));
  if (end !== undefined) lines.push(`[${session} is over: ${describeEnd(end)}]`);
  else if (output !== undefined) lines.push(...sessionNotes(session, output, data.operation));
  return lines.join('\n');
}

/** The most telling lines of an output, and how many of all lines they are. */
function outputLines(output: string, tokens: number): string[] {
  const { text, shownLines, totalLines } = excerptOutput(output, { tokens });
  const lines = text.replace(/\n$/, '');
  return text === output ? [lines] : [lines, `[${shownLines} of ${totalLines} lines shown]`];
}

function sessionNotes(session: string, output: SessionOutput, operation: SessionData['operation']): string[] {
  const skipped = output.skippedBytes > 0 ? [`[${output.skippedBytes} bytes of late output came before this]`] : [];
  const maskNote =
    output.redactions > 0 ? [`[${output.redactions} ${output.redactions === 1 ? 'secret' : 'secrets'} masked]`] : [];
  return [...skipped, ...maskNote, `[${session} ${sessionState(output, operation)}]`];
}

function sessionState(
  { reason, confirmed, sent, omittedBytes }: SessionOutput,
  operation: SessionData['operation'],
): string {
  switch (reason) {
    case 'marker':
      return 'is ready for input';
    case 'quiet':
      return confirmed ? 'waits for input' : 'is quiet; whether it waits for input cannot be known';
    case 'limit':
      return `wrote more than fits: at least ${omittedBytes} bytes were left out`;
    case 'denied':
      return 'was sent nothing';
    case 'timeout':
      return sent || operation !== 'send'
        ? 'still works: session_read waits on, session_send with key "ctrl-c" interrupts it'
        : 'is not ready for input, and was sent nothing: session_read waits on, session_send with key "ctrl-c" interrupts it';
    default:
      return 'is open';
  }
}

/** The facts of a call for the audit. */
export function sessionFacts(redactor: Redactor, data: SessionData, input: string | undefined): CallFacts {
  const denied = data.decision !== undefined && data.decision.decision !== 'allow';
  const done = data.ok ? (data.output?.reason ?? 'done') : 'failed';
  return {
    decision: denied ? 'deny' : 'allow',
    rules: [...new Set((data.decision?.reasons ?? []).map(({ rule }) => rule))],
    redactions: data.output?.redactions ?? 0,
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
