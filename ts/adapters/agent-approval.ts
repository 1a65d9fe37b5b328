import type { RunContext } from '@openai/agents';
import type { ApprovalQuestion, ApprovalRequest, Approve } from '../terminal/approval.js';
import type { Toolkit } from '../toolkit.js';
import { NOT_COVERED, questionOf } from './question.js';

/** What is known of one tool in one run. */
interface Asked {
  /** The commands that wait for an answer, by the id of their call. */
  readonly waiting: Map<string, Shown>;
  /**
   * The one command that an approval of all calls was given on. None where several waited: nobody knows which was meant.
   * Undefined until there is such an approval.
   */
  always: string | undefined;
}

/** What somebody was shown. */
interface Shown {
  readonly key: string;
  /** Of the files it names: an answer to one call covers them as they were. */
  readonly fingerprint: string;
}

/** No command: an approval of all calls that covers none. */
const NOTHING = '';

/**
 * Lets the policy's `ask` interrupt a run of the SDK, and what was approved there run: exactly that command in that
 * directory, and nothing else that the SDK takes to be approved.
 *
 * The SDK keeps approvals by the id of a call, binds them to its arguments and writes both into the state of a run. An
 * approval with `alwaysApprove` names a tool only: here it covers the command that it was given on.
 */
export class AgentApprovals {
  readonly #toolkit: Toolkit;
  readonly #runs = new WeakMap<RunContext<unknown>, Map<string, Asked>>();

  constructor(toolkit: Toolkit) {
    this.#toolkit = toolkit;
  }

  /** For `needsApproval`: whether the policy asks about this call. */
  needed(tool: string, context: RunContext<unknown>, input: unknown, callId: string | undefined): boolean {
    const question = questionOf(this.#toolkit, tool, input);
    if (question === undefined) return false;
    if (callId !== undefined) {
      const { waiting } = this.#asked(context, tool);
      const { approved, rejected } = decisionsOn(context, tool);
      for (const id of waiting.keys()) if (covers(rejected, id)) waiting.delete(id);
      // The SDK asks once more about what was approved already: what counts is what the host was shown.
      if (!covers(approved, callId)) {
        waiting.set(callId, { key: keyOf(question), fingerprint: question.fingerprint });
      }
    }
    return true;
  }

  /** The approver of one call that is carried out: says yes to what was approved in this run of the SDK. */
  approver(tool: string, context: RunContext<unknown> | undefined, callId: string | undefined): Approve {
    return (request) =>
      context !== undefined && callId !== undefined && this.#isApproved(tool, context, callId, request)
        ? { approved: true }
        : { approved: false, reason: NOT_COVERED };
  }

  #isApproved(tool: string, context: RunContext<unknown>, callId: string, request: ApprovalRequest): boolean {
    const asked = this.#asked(context, tool);
    const key = keyOf(request);
    const { approved } = decisionsOn(context, tool);
    if (approved === true) {
      asked.always ??= onlyOne(asked.waiting);
      asked.waiting.delete(callId);
      return asked.always === key;
    }
    // Nothing waits in a run that was restored: what was approved is the call that the SDK has in its state.
    const shown = asked.waiting.get(callId) ?? { key, fingerprint: request.fingerprint };
    asked.waiting.delete(callId);
    return approved.includes(callId) && shown.key === key && shown.fingerprint === request.fingerprint;
  }

  #asked(context: RunContext<unknown>, tool: string): Asked {
    const tools = this.#runs.get(context) ?? new Map<string, Asked>();
    this.#runs.set(context, tools);
    const asked = tools.get(tool) ?? { waiting: new Map(), always: undefined };
    tools.set(tool, asked);
    return asked;
  }
}

/** Calls that were decided on: their ids, or `true` for all of a tool. */
type Decided = true | readonly string[];

/** The decisions that the SDK keeps of a tool, which `isToolApproved` does not tell apart. */
function decisionsOn(context: RunContext<unknown>, tool: string): { approved: Decided; rejected: Decided } {
  const { approvals } = context.toJSON();
  // A tool in a namespace is kept with the name of that.
  const names = Object.keys(approvals).filter((name) => name === tool || name.endsWith(`.${tool}`));
  const decided = (decision: 'approved' | 'rejected'): Decided => {
    const lists = names.map((name) => approvals[name]?.[decision] ?? []);
    return lists.includes(true) ? true : lists.flatMap((list) => (Array.isArray(list) ? list : []));
  };
  return { approved: decided('approved'), rejected: decided('rejected') };
}

function covers(decided: Decided, callId: string): boolean {
  return decided === true || decided.includes(callId);
}

/** What makes one question the same as another: the command, the directory, and why it was asked. */
function keyOf({ command, cwd, reasons }: ApprovalQuestion): string {
  return JSON.stringify([command, cwd, reasons.map(({ rule, span }) => [rule, span])]);
}

function onlyOne(waiting: ReadonlyMap<string, Shown>): string {
  const [first = NOTHING, ...others] = new Set([...waiting.values()].map(({ key }) => key));
  return others.length === 0 ? first : NOTHING;
}
