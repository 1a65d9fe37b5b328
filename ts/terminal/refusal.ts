import type { NativeRefusal } from '../native/binding.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Reason } from './decision.js';

/**
 * Refusals that say the command could not be started, not that it must not be. Every other code,
 * known or not, reads as a denial: the safer of the two.
 */
const START_FAILURES: ReadonlySet<string> = new Set([
  'not_found',
  'not_a_directory',
  'unreadable',
  'program_not_found',
  'interpreter_not_found',
]);

/** Whether `refusal` is a failure to start, as opposed to a guard that said no. */
export function isStartFailure(refusal: NativeRefusal): boolean {
  return START_FAILURES.has(refusal.code);
}

/** A guard's refusal as a reason about the whole command. */
export function refusalReason(refusal: NativeRefusal, command: string | readonly string[], redactor: Redactor): Reason {
  return {
    rule: refusal.code,
    span: wholeSpan(command),
    message: redactor.redact(refusal.message),
  };
}

/** The span of the whole command; an argv counts as its parts joined by single spaces. */
export function wholeSpan(command: string | readonly string[]): readonly [number, number] {
  return [0, typeof command === 'string' ? command.length : command.join(' ').length];
}
