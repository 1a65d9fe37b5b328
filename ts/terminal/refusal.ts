import type { NativeStart } from '../native/binding.js';
import { type Decision, denyFor } from './decision.js';
import { type CommandResult, deniedResult, failedResult, type ResultContext } from './result.js';

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
  'system',
]);

/**
 * The result of a command that did not start; undefined when somebody has to be asked first.
 *
 * @param decision The judgement in `start`.
 */
export function resultOfNoStart(
  start: NativeStart,
  command: string | readonly string[],
  decision: Decision,
  context: ResultContext,
): CommandResult | undefined {
  const { refusal } = start;
  if (refusal === undefined) {
    return decision.decision === 'ask' ? undefined : deniedResult(decision, context);
  }
  if (START_FAILURES.has(refusal.code)) return failedResult(decision, context, refusal);
  const message = context.redactor.redact(refusal.message);
  const reason = { rule: refusal.code, span: wholeSpan(command), message };
  return deniedResult(denyFor(decision, reason), context);
}

/** The span of the whole command; an argv counts as its parts joined by single spaces. */
export function wholeSpan(command: string | readonly string[]): readonly [number, number] {
  return [0, typeof command === 'string' ? command.length : command.join(' ').length];
}
