import { isHandrailError } from '../errors.js';
import type { ApprovalQuestion } from '../terminal/approval.js';
import type { Toolkit } from '../toolkit.js';

/** The answer to a model when a call was not approved although the framework ran it. */
export const NOT_COVERED =
  'Nobody approved this very command, with the files it names as they are now: an approval of other calls of the tool does ' +
  'not cover it, and each command has to be approved by itself';

/**
 * The question for an approver about a call; undefined where the policy does not ask, and for a call that cannot be
 * judged, which reports its error when it runs.
 */
export function questionOf(toolkit: Toolkit, tool: string, input: unknown): ApprovalQuestion | undefined {
  try {
    return toolkit.explain(tool, input).question;
  } catch (error) {
    if (isHandrailError(error)) return undefined;
    throw error;
  }
}
