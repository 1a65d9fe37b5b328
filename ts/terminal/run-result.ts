import type { NativeResult } from '../native/binding.js';
import type { Blocked } from '../report/blocked.js';
import type { Decision } from '../report/decision.js';
import { type CommandResult, type ResultContext, resultOfRun } from '../report/result.js';
import { blockedIn, type Held } from './blocked.js';

/**
 * The result of a command that ran.
 *
 * @param held What the kernel held it to; undefined where it was held to nothing.
 */
export function readRun(
  native: NativeResult,
  decision: Decision,
  context: ResultContext,
  held: Held | undefined,
): CommandResult {
  return resultOfRun(native, decision, context, blockedOf(native, held));
}

/** Read from both outputs when they came through one pipe; else from errors alone, which is where programs say it. */
function blockedOf({ end, stdout, stderr, output }: NativeResult, held: Held | undefined): readonly Blocked[] {
  // A command that ended well was refused nothing that matters; its output may well be about refusals.
  if (held === undefined || (end.status === 'exited' && end.exitCode === 0)) return [];
  return blockedIn(stderr === '' && stdout === '' ? output : stderr, held);
}
