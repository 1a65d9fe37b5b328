import type { Redactor } from '../redaction/redactor.js';
import { firstChars } from '../terminal/bounding.js';
import type { CommandResult, CommandStatus } from '../terminal/result.js';

/** Unicode characters of a command or a path kept in a record. */
export const MAX_AUDIT_CHARS = 160;

/** What a tool knows about a call. Texts are redacted, then clipped to `MAX_AUDIT_CHARS`. */
export interface AuditFacts {
  /** How the call was judged. A call that never reached its tool counts as `deny`. */
  readonly decision: 'allow' | 'ask' | 'deny';
  /** Ids of the rules that were the reason, in order, each once. */
  readonly reasons: readonly string[];
  /** How the command ended; `refused` when the call never reached its tool. */
  readonly status: CommandStatus | 'refused';
  /** What was to be run. Absent when the call never reached its tool. */
  readonly command?: string;
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
  /** Secrets that were masked in the output. */
  readonly redactions: number;
  /** What the kernel held the command to. */
  readonly sandbox: readonly string[];
  /** Processes that were still there at the end and were ended. */
  readonly endedProcesses: number;
  /** Processes that could not be ended. */
  readonly survivors: number;
}

/** One call, as the audit sees it. Holds no secret, no output and no raw arguments. */
export interface AuditRecord extends AuditFacts {
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

/** The facts about a call that never reached its tool. */
export const REFUSED: AuditFacts = Object.freeze({
  decision: 'deny',
  reasons: Object.freeze([]),
  status: 'refused',
  exitCode: null,
  signal: null,
  bytes: Object.freeze({ stdout: 0, stderr: 0, kept: 0, omitted: 0 }),
  redactions: 0,
  sandbox: Object.freeze([]),
  endedProcesses: 0,
  survivors: 0,
});

/** A first word that reads the same with and without a shell. */
const PLAIN_WORD = /^\s*([A-Za-z0-9_./+-]+)(?=\s|$)/;

/** The facts about a command, whether it ran or not. */
export function commandFacts(
  redactor: Redactor,
  command: string,
  cwd: string | undefined,
  result: CommandResult,
): AuditFacts {
  const shown = auditText(redactor, command);
  const program = PLAIN_WORD.exec(shown)?.[1]?.split('/').at(-1);
  return {
    decision: result.decision.decision,
    reasons: [...new Set(result.decision.reasons.map(({ rule }) => rule))],
    status: result.status,
    command: shown,
    ...(program === undefined || program === '' ? {} : { program }),
    ...(cwd === undefined ? {} : { cwd: auditText(redactor, cwd) }),
    exitCode: result.exitCode,
    signal: result.signal,
    bytes: result.bytes,
    redactions: result.redactions,
    sandbox: result.sandbox.enforced,
    endedProcesses: result.pipesHeldBy?.length ?? 0,
    survivors: result.survivors.length,
  };
}

/** A text as a record may have it. Only redacted text may be clipped: half a secret is not recognised. */
export function auditText(redactor: Redactor, text: string): string {
  return firstChars(redactor.redact(text), MAX_AUDIT_CHARS);
}
