import { invalidArgument } from '../config/validate.js';
import type { Reason } from '../report/decision.js';

/** A command that the policy leaves open, or a host, with everything that an approver should know. */
export interface ApprovalQuestion {
  /**
   * Exactly what will run when it is approved: bash syntax, or an argv. Empty for a question about a host; for one about a
   * tool of an MCP server its published name and its arguments, as JSON.
   */
  readonly command: string | readonly string[];
  /**
   * The host and port that a program wants to reach, with `network: 'ask'`. An answer holds for this host at this port,
   * for all programs of the terminal or toolkit, until that is closed. Absent for a question about a command.
   */
  readonly host?: string | undefined;
  /** The tool of an MCP server that is to be called. Absent for other questions. */
  readonly mcp?:
    | {
        /** Name of the server. */
        readonly server: string;
        /** The server's name of the tool. */
        readonly tool: string;
      }
    | undefined;
  /** Working directory it will run in; of a tool, the first root. */
  readonly cwd: string;
  /** Why the policy did not allow it. */
  readonly reasons: readonly Reason[];
  /**
   * The command for a person to read: control, invisible and direction-changing characters are
   * written as escapes, so that what is shown is what will run.
   */
  readonly rendering: string;
  /**
   * A digest of the working directory and of the files and folders that the words of the command name, as they are when
   * the question is asked; of a tool, of its definition and its arguments. When it differs, so does the question. It can be compared with other values of the same
   * terminal only.
   */
  readonly fingerprint: string;
}

/** The question that an approver gets. */
export interface ApprovalRequest extends ApprovalQuestion {
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

/** An approver's answer. */
export interface Approval {
  /** Whether the command may run, this once. */
  readonly approved: boolean;
  /** Shown to the model when the command may not run. Default: a neutral sentence. */
  readonly reason?: string | undefined;
}

/**
 * Decides on a command that the policy leaves open. When it throws, the command does not run, and `run()` rejects with
 * that error.
 */
export type Approve = (request: ApprovalRequest) => Approval | Promise<Approval>;

/** Characters that hide or imitate others: controls, formats, spaces that are no U+0020, fillers. */
const MISLEADING_CHARACTERS = /\p{C}|(?! )\p{Z}|\p{Default_Ignorable_Code_Point}/gu;

/** The command as one line in which no character hides or imitates another. */
export function renderForApproval(command: string | readonly string[]): string {
  const text = typeof command === 'string' ? command : command.map(quoteArgument).join(' ');
  return text.replace(MISLEADING_CHARACTERS, escapeCharacter);
}

/** Arguments of plain characters stay unquoted; others are quoted as a shell needs it. */
function quoteArgument(argument: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Checks an approver's answer. Anything but a clear yes or no is an error. */
export function checkApproval(value: unknown): Approval {
  if (typeof value !== 'object' || value === null) {
    throw invalidArgument('approval', 'an object', value);
  }
  const { approved, reason } = value as { approved?: unknown; reason?: unknown };
  if (typeof approved !== 'boolean') {
    throw invalidArgument('approval.approved', 'a boolean', approved);
  }
  if (reason === undefined) return { approved };
  if (typeof reason !== 'string') throw invalidArgument('approval.reason', 'a string', reason);
  return { approved, reason };
}
