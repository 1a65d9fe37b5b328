import { countChars, firstChars, fitText, fitWithin } from '../redaction/fit.js';
import { hintForHost } from '../report/advice.js';
import { blockedNotes } from '../report/blocked.js';
import type { Reason } from '../report/decision.js';
import type { CommandResult } from '../report/result.js';

/** The values of the status line. */
interface StatusLine {
  readonly ok: boolean;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly truncated: boolean;
}

/**
 * A result for a model: a status line, then the output, or the reason why there is none. At most `maxChars` characters
 * follow the status line.
 */
export function textOfResult(result: CommandResult, maxChars: number): string {
  switch (result.status) {
    case 'denied':
      return textOfError(denialMessage(result), maxChars);
    case 'spawn_failed':
    case 'cancelled':
      return textOfError(failureMessage(result), maxChars);
    default:
      return textOfOutput(result, maxChars);
  }
}

/** The output of the command, and notes about refusals of the kernel. */
function textOfOutput(result: CommandResult, maxChars: number): string {
  const { output, cuts, blocked } = result;
  const notes = blockedNotes(blocked);
  const after = notes.length === 0 ? '' : [...(output === '' ? [] : ['']), ...notes, ''].join('\n');
  const outputText = after !== '' && output.endsWith('\n') ? output.slice(0, -1) : output;
  const { text, cut } = fitWithin(outputText, outputChars(maxChars) - countChars(after), cuts?.output);
  const truncated = result.truncated || cut !== undefined;
  return render({ ...result, truncated }, 'output', text + after, maxChars);
}

/** A refusal or an error for a model. `message` must be free of secrets. */
export function textOfError(message: string, maxChars: number): string {
  const text = fitText(message, maxChars - headingOf('error').length);
  const status = { ok: false, exitCode: null, timedOut: false, truncated: text !== message };
  return render(status, 'error', text, maxChars);
}

/** How many of `maxChars` characters are left for an output after its heading. */
export function outputChars(maxChars: number): number {
  return Math.max(1, maxChars - headingOf('output').length);
}

function headingOf(label: 'output' | 'error'): string {
  return `\n${label}:\n`;
}

function render(status: StatusLine, label: 'output' | 'error', text: string, maxChars: number): string {
  return statusLine(status) + firstChars(headingOf(label) + text, maxChars);
}

function statusLine(status: StatusLine): string {
  const exit = status.exitCode ?? 'None';
  return `ok=${status.ok} exit=${exit} timeout=${status.timedOut} truncated=${status.truncated}`;
}

/** Messages of this tool for reasons of the policy, by rule. Other reasons keep their own messages. */
const MESSAGES: Readonly<Record<string, (program: string) => string>> = Object.freeze({
  'command.empty': () => 'Empty command',
  'list.not_allowed': notAllowed,
  'list.empty': (program) => `${notAllowed(program)}\n${NO_LIST}`,
  'list.denied': (program) => `Command '${program}' is denied by policy`,
  outside_root: () => 'Working directory escapes sandbox root',
});

/** Explains the first refusal that a new host meets: nothing runs until the variable is set. */
const NO_LIST = 'TERMINAL_ALLOWED_COMMANDS names no command';

function notAllowed(program: string): string {
  return `Command '${program}' is not allowed`;
}

function denialMessage(result: CommandResult): string {
  const lines = new Set(result.decision.reasons.flatMap((reason) => reasonMessage(reason).split('\n')));
  return [...lines].join('\n');
}

function reasonMessage(reason: Reason): string {
  const messageOfRule = MESSAGES[reason.rule];
  if (messageOfRule !== undefined && (messageOfRule.length === 0 || reason.program !== undefined))
    return messageOfRule(reason.program ?? '');
  const hint = hintForHost(reason);
  return hint === undefined ? reason.message : `${reason.message}\n${hint}`;
}

function failureMessage(result: CommandResult): string {
  const message = result.failure?.message ?? 'The command was cancelled';
  return result.output === '' ? message : `${message}\n${result.output}`;
}
