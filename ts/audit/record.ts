import type { SentMessage } from '../bus/send.js';
import { type FileData, type FileOperation, isFileDenial } from '../files/results.js';
import type { McpData, McpStatus } from '../mcp/data.js';
import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import type { CommandResult, CommandStatus } from '../report/result.js';
import type { HostContact } from '../terminal/way-out.js';

/** Most Unicode characters of a command or a path in a record. */
export const MAX_AUDIT_CHARS = 160;

/** The part of a record about a command, whether it ran or not. Texts are redacted, then clipped to `MAX_AUDIT_CHARS`. */
export interface CommandDetail {
  /** Says which of the details this is. */
  readonly kind: 'command';
  /** How the command ended. */
  readonly status: CommandStatus;
  /** The command. */
  readonly command: string;
  /** The command's first word without its directory. Absent when it is not a plain word. */
  readonly program?: string;
  /** The directory that was asked for. Absent when none was. */
  readonly cwd?: string;
  /** The program's own code. Null when it has none. */
  readonly exitCode: number | null;
  /** Name of the signal that ended it, such as `SIGKILL`. Null when none did. */
  readonly signal: string | null;
  /** The bytes that the command wrote, and how many were kept and left out. */
  readonly bytes: CommandResult['bytes'];
  /** What the kernel enforced on the command. */
  readonly sandbox: readonly string[];
  /** How many processes still ran when the command had ended, and were ended. */
  readonly endedProcesses: number;
  /** How many processes could not be ended; `'unknown'` where nobody could look. */
  readonly survivors: number | 'unknown';
  /** The job that it was: this is the record of its end. Absent for a command that one call ran to its end. */
  readonly job?: string;
}

/** The part of a record about a file that was read, listed or changed. */
export interface FileDetail {
  /** Says which of the details this is. */
  readonly kind: 'file';
  /** What was asked for. */
  readonly operation: FileOperation;
  /** `done`, or the code of the refusal such as `outside_root`. */
  readonly status: string;
  /** The path that was asked for, redacted, then clipped to `MAX_AUDIT_CHARS`. */
  readonly path: string;
  /** Size of the file as it was read or is now. Absent for a refusal, a patch and a directory. */
  readonly bytes?: number;
}

/** The part of a record about a session. */
export interface SessionDetail {
  /** Says which of the details this is. */
  readonly kind: 'session';
  /** What was asked for. */
  readonly operation: 'start' | 'send' | 'read' | 'screen' | 'close' | 'attach';
  /** The session's name; of `attach`, the id of the offer. Absent when none was started. */
  readonly session?: string;
  /**
   * `done`, `denied`, `failed`, or why the read ended, such as `timeout`. Of a person who attaches `read` or `keyboard`, then
   * `detached`; `refused` of a process that may not.
   */
  readonly status: string;
  /** The command or the input, redacted, then clipped to `MAX_AUDIT_CHARS`. */
  readonly input?: string;
  /** What the kernel enforces on the program. Absent when none was started. */
  readonly sandbox?: readonly string[];
}

/** The part of a record about a job. Its end has a record of its own, with a `CommandDetail`. */
export interface JobDetail {
  /** Says which of the details this is. */
  readonly kind: 'job';
  /** What was asked for; `start` by `terminal_run`. */
  readonly operation: 'start' | 'wait' | 'read' | 'send' | 'end' | 'list';
  /** The job's name. Absent for a list. */
  readonly job?: string;
  /** `done`, `denied`, `failed`, or why a wait or a read was over, such as `timeout`. */
  readonly status: string;
  /** The command or the input, redacted, then clipped to `MAX_AUDIT_CHARS`. */
  readonly input?: string;
}

/** The part of a record about a message that was to be sent, without its content. */
export interface MessageDetail {
  /** Says which of the details this is. */
  readonly kind: 'message';
  /** `sent`, or the code of the refusal such as `unknown_agent`. */
  readonly status: string;
  /** The recipient, redacted, then clipped to `MAX_AUDIT_CHARS`. */
  readonly recipient: string;
  /** The id of the envelope. Absent when nothing was sent. */
  readonly envelopeId?: string;
  /** The topics on which it is stored. */
  readonly topics: readonly string[];
}

/** The part of a record about a call of an MCP server's tool. */
export interface McpDetail {
  /** Says which of the details this is. */
  readonly kind: 'mcp';
  /** Name of the server. */
  readonly server: string;
  /** The server's name of the tool, redacted, then clipped to `MAX_AUDIT_CHARS`. */
  readonly tool: string;
  /** The outcome of the call. */
  readonly status: McpStatus;
  /** Size of the answer, in bytes of JSON. */
  readonly bytes: number;
}

/** The part of a record about a call of a tool of the host's own. */
export interface CustomDetail {
  /** Says which of the details this is. */
  readonly kind: 'custom';
  /** How the call ended. */
  readonly status: 'done' | 'failed' | 'timed_out' | 'cancelled';
}

/** The part of a record about a call that never reached its tool. */
export interface RefusedDetail {
  /** Says which of the details this is. */
  readonly kind: 'refused';
  /** Always `refused`. */
  readonly status: 'refused';
}

/** The part of a record about one kind of call, told apart by `kind`. All have a `status`. */
export type AuditDetail =
  | CommandDetail
  | CustomDetail
  | FileDetail
  | JobDetail
  | McpDetail
  | MessageDetail
  | SessionDetail
  | RefusedDetail;

/** The facts that a tool knows about a call. */
export interface CallFacts {
  /** The decision of the policy. A call that never reached its tool counts as `deny`. */
  readonly decision: 'allow' | 'ask' | 'deny';
  /** Ids of the rules of the decision, in order, each once. */
  readonly rules: readonly string[];
  /** How many secrets were masked in the output of the tool. */
  readonly redactions: number;
  /** The facts that only calls of this kind have. */
  readonly detail: AuditDetail;
}

/** A host that programs of the toolkit asked for, and what became of that. Texts are redacted, then clipped to `MAX_AUDIT_CHARS`. */
export interface NetworkContact {
  /** The host: a name, or an address. Absent for a request that named none. */
  readonly host?: string;
  /** The port. Absent likewise. */
  readonly port?: number;
  /** `refused` by the allow list or its checks; `failed` where the host is not there or something came too late. */
  readonly outcome: 'reached' | 'refused' | 'failed';
  /** Why it was not reached. Absent where it was. */
  readonly message?: string;
  /** How often. For a host that was asked for before the last record as well, at least so often. */
  readonly times: number;
}

/**
 * The audit record of one call. It holds no secret, no output and no raw arguments. The lines of a file also have `prevBytes`,
 * `prevHash` and `hash`, which `handrail audit verify` checks.
 */
export interface AuditRecord extends CallFacts {
  /** Unique id of this record. */
  readonly id: string;
  /** The framework's id of the call, redacted and clipped in the same way. Absent when the caller gave none. */
  readonly callId?: string;
  /** Name of the requested tool, at most 64 characters of it. */
  readonly tool: string;
  /** The time of the call, as ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Time until the result, in milliseconds. */
  readonly durationMs: number;
  /** Whether the result for the model was an error. */
  readonly isError: boolean;
  /** Unicode characters of the result for the model. */
  readonly contentChars: number;
  /**
   * The hosts that programs of the toolkit asked for since the record before, with `confine.network: { allow }`: those of
   * this call, and of sessions, services and other calls that run beside it. Up to 512. Absent when there are none.
   */
  readonly network?: readonly NetworkContact[];
}

/** A message that was stored, or the code of a refusal. */
type MessageOutcome = SentMessage | { readonly ok: false; readonly refusal: { readonly code: string } };

/** The facts about a call that never reached its tool. */
export const REFUSED: CallFacts = Object.freeze({
  decision: 'deny',
  rules: Object.freeze([]),
  redactions: 0,
  detail: Object.freeze({ kind: 'refused', status: 'refused' }),
});

/** A first word that means the same with and without a shell. */
const PLAIN_WORD = /^\s*([A-Za-z0-9_./+-]+)(?=\s|$)/;

/** A contact as a record has it. */
export function contactRecord(redactor: Redactor, contact: HostContact): NetworkContact {
  const { host, port, outcome, message, times } = contact;
  return {
    ...(host === undefined ? {} : { host: auditText(redactor, host) }),
    ...(port === undefined ? {} : { port }),
    outcome,
    ...(message === undefined ? {} : { message: auditText(redactor, message) }),
    times,
  };
}

/** The facts about a command, whether it ran or not. */
export function commandFacts(
  redactor: Redactor,
  command: string,
  cwd: string | undefined,
  result: CommandResult,
): CallFacts {
  const shownCommand = auditText(redactor, command);
  const program = PLAIN_WORD.exec(shownCommand)?.[1]?.split('/').at(-1);
  return {
    decision: result.decision.decision,
    rules: [...new Set(result.decision.reasons.map(({ rule }) => rule))],
    redactions: result.redactions,
    detail: {
      kind: 'command',
      status: result.status,
      command: shownCommand,
      ...(program === undefined || program === '' ? {} : { program }),
      ...(cwd === undefined ? {} : { cwd: auditText(redactor, cwd) }),
      exitCode: result.exitCode,
      signal: result.signal,
      bytes: result.bytes,
      sandbox: result.sandbox.enforced,
      endedProcesses: result.pipesHeldBy?.length ?? 0,
      survivors: result.survivors === 'unknown' ? 'unknown' : result.survivors.length,
    },
  };
}

/** The facts about a call of a file tool, whether it was refused or not. */
export function fileFacts(redactor: Redactor, path: string, data: FileData): CallFacts {
  const operation = data.kind.slice('file_'.length) as FileOperation;
  const detail = { kind: 'file', operation, path: auditText(redactor, path) } as const;
  if (data.ok) {
    const bytes = 'bytes' in data ? { bytes: data.bytes } : {};
    const redactions = 'redactions' in data ? data.redactions : 0;
    return { decision: 'allow', rules: [], redactions, detail: { ...detail, status: 'done', ...bytes } };
  }
  const { code, rule } = data.refusal;
  const decision = isFileDenial(code) ? 'deny' : 'allow';
  return { decision, rules: [rule ?? code], redactions: 0, detail: { ...detail, status: code } };
}

/** Refusals of messages that are no failure of the bus. */
const DENIED_MESSAGES: readonly string[] = ['unknown_agent', 'reserved_name', 'rate_limited', 'too_many_hops'];

/** The facts about a message, whether it was sent or not. */
export function messageFacts(redactor: Redactor, recipient: string, message: MessageOutcome): CallFacts {
  const detail = { kind: 'message', recipient: auditText(redactor, recipient) } as const;
  if (message.ok) {
    const sentDetail = { status: 'sent', envelopeId: message.envelope_id, topics: message.published_to };
    return { decision: 'allow', rules: [], redactions: message.redactions, detail: { ...detail, ...sentDetail } };
  }
  const { code } = message.refusal;
  const decision = DENIED_MESSAGES.includes(code) ? 'deny' : 'allow';
  return { decision, rules: [code], redactions: 0, detail: { ...detail, status: code, topics: [] } };
}

/** The facts about a call of a server's tool. */
export function mcpFacts(
  redactor: Redactor,
  { server, tool, status, bytes, redactions, decision: { decision, reasons } }: McpData,
): CallFacts {
  const detail = { kind: 'mcp', server, tool: auditText(redactor, tool), status, bytes } as const;
  return { decision, rules: [...new Set(reasons.map(({ rule }) => rule))], redactions, detail };
}

/** The facts about a call of a tool of the host's own. */
export function customFacts({ status, redactions }: Pick<CustomDetail, 'status'> & { redactions: number }): CallFacts {
  return { decision: 'allow', rules: [], redactions, detail: { kind: 'custom', status } };
}

/** A text for a record: redacted, and clipped afterwards, because half a secret is not recognised. */
export function auditText(redactor: Redactor, text: string): string {
  return firstChars(redactor.redact(text), MAX_AUDIT_CHARS);
}
