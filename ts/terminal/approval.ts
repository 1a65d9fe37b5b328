import { invalidArgument } from '../config/validate.js';
import type { Reason } from '../report/decision.js';

/** A command that the policy leaves open, and what there is to know of it. */
export interface ApprovalQuestion {
  /** Exactly what will run when it is approved: bash syntax, or an argv. */
  readonly command: string | readonly string[];
  /** Working directory it will run in. */
  readonly cwd: string;
  /** Why nobody could say yes without asking. */
  readonly reasons: readonly Reason[];
  /**
   * The command for a person to read: control, invisible and direction-changing characters are
   * written as escapes, so that what is shown is what will run.
   */
  readonly rendering: string;
  /**
   * Of the working directory and of the files and folders that the words of the command name, as they are when the question
   * is asked. Another value is another question. It can be compared with other values of the same terminal only.
   */
  readonly fingerprint: string;
}

/** What an approver is asked. */
export interface ApprovalRequest extends ApprovalQuestion {
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

/** An approver's answer. */
export interface Approval {
  /** Whether the command may run, this once. */
  readonly approved: boolean;
  /** Shown to the model when it may not. Default: a neutral sentence. */
  readonly reason?: string | undefined;
}

/**
 * Decides on a command that the policy leaves open. What it throws becomes the rejection of
 * `run()`, and the command does not run.
 */
export type Approve = (request: ApprovalRequest) => Approval | Promise<Approval>;

/** Characters that hide or imitate others: controls, formats, spaces that are no U+0020, fillers. */
const MISLEADING = /\p{C}|(?! )\p{Z}|\p{Default_Ignorable_Code_Point}/gu;

/** The command as one line that cannot show something else than it does. */
export function renderForApproval(command: string | readonly string[]): string {
  const text = typeof command === 'string' ? command : command.map(quoteArgument).join(' ');
  return text.replace(MISLEADING, escapeCharacter);
}

/** Arguments of plain characters stay bare; the rest is quoted as a shell would need it. */
function quoteArgument(argument: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The approver's answer, checked: anything but a clear yes or no is the approver's mistake. */
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
