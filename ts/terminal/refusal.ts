import type { NativeStart } from '../native/binding.js';
import { type Decision, denyFor } from '../report/decision.js';
import { type CommandResult, deniedResult, failedResult, type ResultContext } from '../report/result.js';
import type { ProgramLayer } from './program-layer.js';

/** The outcome of a start: a promise of the result, or the report about a command that did not start. */
export type StartedOrNot =
  | { readonly finished: Promise<CommandResult>; readonly layer?: ProgramLayer | undefined; readonly start?: never }
  | { readonly finished?: never; readonly layer?: never; readonly start: NativeStart };

/**
 * The result of a command that did not start; undefined when an approver has to be asked first.
 *
 * @param decision The decision in `start`.
 */
export function resultOfNoStart(
  start: NativeStart,
  command: string | readonly string[],
  decision: Decision,
  context: ResultContext,
): CommandResult | undefined {
  const { denial, failure } = start;
  if (failure !== undefined) return failedResult(decision, context, failure);
  if (denial === undefined) {
    return decision.decision === 'ask' ? undefined : deniedResult(decision, context);
  }
  const message = context.redactor.redact(denial.message);
  const reason = { rule: denial.rule, span: wholeSpan(command), message };
  return deniedResult(denyFor(decision, reason), context);
}

/** The span of the whole command. An argv counts as its words joined by single spaces. */
export function wholeSpan(command: string | readonly string[]): readonly [number, number] {
  return [0, typeof command === 'string' ? command.length : command.join(' ').length];
}
