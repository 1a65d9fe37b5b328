import type { NativeDecision } from '../native/binding.js';
import type { Advice, ReplaceAdvice } from './advice.js';

/** Why a command was judged as it was; made to be read by the model that asked. */
export interface Reason {
  /**
   * Stable id of the rule, such as `list.not_allowed`. Beside the ids of the command policy there
   * are `no_approver`, `not_approved` and the codes a start is refused with, such as `outside_root`
   * (of a working directory).
   */
  readonly rule: string;
  /** Start and end offset in UTF-16 units; of an argv, in its parts joined by single spaces. */
  readonly span: readonly [start: number, end: number];
  /** Program the reason is about. Absent when it is not about one. */
  readonly program?: string;
  /** One sentence, secrets masked. */
  readonly message: string;
  /** What to do instead. Absent when there is nothing to advise. */
  readonly hint?: string;
  /**
   * What lifts it; each piece was tried. Absent when nothing does, and then no other reason of the decision has an option
   * either: it would lead into this one.
   */
  readonly advice?: readonly Advice[];
}

/** The judgement on a command, with every reason. */
export interface Decision {
  /** `ask` runs only after an approver agreed. */
  readonly decision: 'allow' | 'ask' | 'deny';
  /** Never empty, the decisive ones first. */
  readonly reasons: readonly Reason[];
}

/** A `Decision` that says no. */
export interface Denial extends Decision {
  /** Nothing runs. */
  readonly decision: 'deny';
}

/** The decision of the policy. Anything but a clear `allow` or `ask` is a `deny`. */
export function decisionOf({ decision, reasons }: NativeDecision): Decision {
  return {
    decision: decision === 'allow' || decision === 'ask' ? decision : 'deny',
    reasons: reasons.map(({ advice, ...reason }) =>
      advice === undefined ? reason : { ...reason, advice: advice.map(unprinted) },
    ),
  };
}

function unprinted(advice: Advice): Advice {
  return advice.kind === 'replace' ? new Replacement(advice) : advice;
}

/** Shows its kind to whoever prints the decision, and the call to whoever reads it. */
class Replacement implements ReplaceAdvice {
  readonly kind = 'replace';
  readonly #call: ReplaceAdvice;

  constructor(call: ReplaceAdvice) {
    this.#call = call;
  }

  get command(): string {
    return this.#call.command;
  }

  get cwd(): string | undefined {
    return this.#call.cwd;
  }
}

/** `decision` turned into a denial for one more reason, which comes first. Why it was allowed is no reason for that. */
export function denyFor(decision: Decision, reason: Reason): Denial {
  return { decision: 'deny', reasons: decision.decision === 'allow' ? [reason] : [reason, ...decision.reasons] };
}
