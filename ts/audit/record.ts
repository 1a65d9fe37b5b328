import type { SentMessage } from '../bus/send.js';
import { type FileData, type FileOperation, isFileDenial } from '../files/results.js';
import type { McpData, McpStatus } from '../mcp/data.js';
import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import type { CommandResult, CommandStatus } from '../report/result.js';

/** Unicode characters of a command or a path kept in a record. */
export const MAX_AUDIT_CHARS = 160;

/** What a record says of a command, whether it ran or not. Texts are redacted, then clipped to `MAX_AUDIT_CHARS`. */
export interface CommandDetail {
  /** Says which of the details this is. */
  readonly kind: 'command';
  /** How the command ended. */
  readonly status: CommandStatus;
  /** What was to be run. */
  readonly command: string;
  /** The command's first word without its directory. Absent when it is not a plain word. */
  readonly program?: string;
  /** The directory that was asked for. Absent when none was. */
  readonly cwd?: string;
  /** The program's own code. Null when it has none. */
  readonly exitCode: number | null;
  /** Name of the signal that ended it, such as `SIGKILL`. Null when none did. */
  readonly signal: string | null;
  /** Bytes as the command wrote them, and of these kept and left out. */
  readonly bytes: CommandResult['bytes'];
  /** What the kernel held the command to. */
  readonly sandbox: readonly string[];
  /** Processes that were still there at the end and were ended. */
  readonly endedProcesses: number;
  /** Processes that could not be ended; `'unknown'` where nobody could look. */
  readonly survivors: number | 'unknown';
}

/** What a record says of a file that was read, listed or changed. */
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

/** What a record says of a session. */
export interface SessionDetail {
  /** Says which of the details this is. */
  readonly kind: 'session';
  /** What was asked for. */
  readonly operation: 'start' | 'send' | 'read' | 'close';
  /** The session's name. Absent when none was started. */
  readonly session?: string;
  /** `done`, `denied`, `failed`, or why the read is over, such as `timeout`. */
  readonly status: string;
  /** What was started or sent, redacted, then clipped to `MAX_AUDIT_CHARS`. */
  readonly input?: string;
  /** What the kernel holds the program to. Absent when none was started. */
  readonly sandbox?: readonly string[];
}

/** What a record says of a message that was to be sent. Nothing of its content. */
export interface MessageDetail {
  /** Says which of the details this is. */
  readonly kind: 'message';
  /** `sent`, or the code of the refusal such as `unknown_agent`. */
  readonly status: string;
  /** Who it was for, redacted, then clipped to `MAX_AUDIT_CHARS`. */
  readonly recipient: string;
  /** The id of the envelope. Absent when nothing was sent. */
  readonly envelopeId?: string;
  /** The topics it is stored on. */
  readonly topics: readonly string[];
}

/** What a record says of a call of an MCP server's tool. */
export interface McpDetail {
  /** Says which of the details this is. */
  readonly kind: 'mcp';
  /** Name of the server. */
  readonly server: string;
  /** What the server calls the tool, redacted, then clipped to `MAX_AUDIT_CHARS`. */
  readonly tool: string;
  /** What became of the call. */
  readonly status: McpStatus;
  /** Size of the answer, in bytes of JSON. */
  readonly bytes: number;
}

/** What a record says of a call that never reached its tool. */
export interface RefusedDetail {
  /** Says which of the details this is. */
  readonly kind: 'refused';
  /** Always `refused`. */
  readonly status: 'refused';
}

/** What a record says about one kind of call; `kind` says which. All have a `status`. */
export type AuditDetail = CommandDetail | FileDetail | McpDetail | MessageDetail | SessionDetail | RefusedDetail;

/** What a tool knows about a call. */
export interface CallFacts {
  /** How the call was judged. A call that never reached its tool counts as `deny`. */
  readonly decision: 'allow' | 'ask' | 'deny';
  /** Ids of the rules that were the reason, in order, each once. */
  readonly rules: readonly string[];
  /** Secrets that were masked in what the tool read. */
  readonly redactions: number;
  /** What only calls of this kind have. */
  readonly detail: AuditDetail;
}

/** One call, as the audit sees it. Holds no secret, no output and no raw arguments. */
export interface AuditRecord extends CallFacts {
  /** Unique id of this record. */
  readonly id: string;
  /** The framework's id of the call, redacted and clipped likewise. Absent when the caller gave none. */
  readonly callId?: string;
  /** Name of the tool that was asked for, at most 64 characters of it. */
  readonly tool: string;
  /** When the call came in, as ISO 8601 in UTC. */
  readonly startedAt: string;
  /** How long it took until its result was there, in milliseconds. */
  readonly durationMs: number;
  /** What the model was told about success. */
  readonly isError: boolean;
  /** Unicode characters the model got. */
  readonly contentChars: number;
}

/** A message that was stored, or the code of the reason why not. */
type MessageOutcome = SentMessage | { readonly ok: false; readonly refusal: { readonly code: string } };

/** The facts about a call that never reached its tool. */
export const REFUSED: CallFacts = Object.freeze({
  decision: 'deny',
  rules: Object.freeze([]),
  redactions: 0,
  detail: Object.freeze({ kind: 'refused', status: 'refused' }),
});

/** A first word that reads the same with and without a shell. */
const PLAIN_WORD = /^\s*([A-Za-z0-9_./+-]+)(?=\s|$)/;

/** The facts about a command, whether it ran or not. */
export function commandFacts(
  redactor: Redactor,
  command: string,
  cwd: string | undefined,
  result: CommandResult,
): CallFacts {
  const shown = auditText(redactor, command);
  const program = PLAIN_WORD.exec(shown)?.[1]?.split('/').at(-1);
  return {
    decision: result.decision.decision,
    rules: [...new Set(result.decision.reasons.map(({ rule }) => rule))],
    redactions: result.redactions,
    detail: {
      kind: 'command',
      status: result.status,
      command: shown,
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

/** The facts about a file, whether anything was done with it or not. */
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

/** The facts about a message, whether it was sent or not. */
export function messageFacts(redactor: Redactor, recipient: string, message: MessageOutcome): CallFacts {
  const detail = { kind: 'message', recipient: auditText(redactor, recipient) } as const;
  if (message.ok) {
    const sent = { status: 'sent', envelopeId: message.envelope_id, topics: message.published_to };
    return { decision: 'allow', rules: [], redactions: message.redactions, detail: { ...detail, ...sent } };
  }
  const { code } = message.refusal;
  const decision = code === 'unknown_agent' || code === 'reserved_name' ? 'deny' : 'allow';
  return { decision, rules: [code], redactions: 0, detail: { ...detail, status: code, topics: [] } };
}

/** The facts about a call of a server's tool. */
export function mcpFacts(redactor: Redactor, { server, tool, status, bytes, redactions }: McpData): CallFacts {
  const detail = { kind: 'mcp', server, tool: auditText(redactor, tool), status, bytes } as const;
  return { decision: 'allow', rules: [], redactions, detail };
}

/** A text as a record may have it. Only redacted text may be clipped: half a secret is not recognised. */
export function auditText(redactor: Redactor, text: string): string {
  return firstChars(redactor.redact(text), MAX_AUDIT_CHARS);
}
