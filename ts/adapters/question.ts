import { isHandrailError } from '../errors.js';
import type { ApprovalQuestion } from '../terminal/approval.js';
import type { Toolkit } from '../toolkit.js';

/** Read by a model in the place of the output, when what a framework let through was not approved. */
export const NOT_COVERED =
  'Nobody approved this very command, with the files it names as they are now: an approval of other calls of the tool does ' +
  'not cover it, and each command has to be approved by itself';

/**
 * What an approver would be asked about a call; undefined where the policy asks nothing. A call that cannot be judged is
 * not asked about: what is wrong with it is said when it is carried out.
 */
export function questionOf(toolkit: Toolkit, tool: string, input: unknown): ApprovalQuestion | undefined {
  try {
    return toolkit.explain(tool, input).question;
  } catch (error) {
    if (isHandrailError(error)) return undefined;
    throw error;
  }
}
