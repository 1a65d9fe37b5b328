import type { NativeDecision } from '../native/binding.js';
import type { Advice, ReplaceAdvice } from './advice.js';

/** A reason for a decision, written for the model that asked for the command. */
export interface Reason {
  /**
   * Stable id of the rule, such as `list.not_allowed`. In addition to the ids of the command policy there are
   * `no_approver`, `not_approved` and the codes of refused starts, such as `outside_root` (of a working directory).
   */
  readonly rule: string;
  /** Start and end offset in the command, in UTF-16 units; an argv counts as its words joined by single spaces. */
  readonly span: readonly [start: number, end: number];
  /** The program that the reason is about. Absent when it is about none. */
  readonly program?: string;
  /** One sentence, secrets masked. */
  readonly message: string;
  /** What to do instead. Absent when there is nothing to advise. */
  readonly hint?: string;
  /**
   * What lifts the reason; each piece was tried. Absent when nothing lifts it. Then no other reason of the decision
   * advises an option either, because the command would still be refused.
   */
  readonly advice?: readonly Advice[];
}

/** The decision about a command, with every reason. */
export interface Decision {
  /** `ask` runs only after an approver agreed. */
  readonly decision: 'allow' | 'ask' | 'deny';
  /** Never empty; the decisive reasons first. */
  readonly reasons: readonly Reason[];
}

/** A decision that denies the command. */
export interface Denial extends Decision {
  /** Nothing runs. */
  readonly decision: 'deny';
}

/** The decision of the binding. Anything but a clear `allow` or `ask` is a `deny`. */
export function decisionOf({ decision, reasons }: NativeDecision): Decision {
  return {
    decision: decision === 'allow' || decision === 'ask' ? decision : 'deny',
    reasons: reasons.map(({ advice, ...reason }) =>
      advice === undefined ? reason : { ...reason, advice: advice.map(hiddenFromPrinting) },
    ),
  };
}

function hiddenFromPrinting(advice: Advice): Advice {
  return advice.kind === 'replace' ? new Replacement(advice) : advice;
}

/** Advice whose fields can be read, but are not shown when the decision is printed. */
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

/** A denial with one more reason, which comes first. Reasons of an allowing decision are left out. */
export function denyFor(decision: Decision, reason: Reason): Denial {
  return { decision: 'deny', reasons: decision.decision === 'allow' ? [reason] : [reason, ...decision.reasons] };
}
