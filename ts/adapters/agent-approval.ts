import type { RunContext } from '@openai/agents';
import type { ApprovalQuestion, ApprovalRequest, Approve } from '../terminal/approval.js';
import type { Toolkit } from '../toolkit.js';
import { NOT_COVERED, questionOf } from './question.js';

/** The questions about one tool in one run of the SDK. */
interface ToolQuestions {
  /** The commands that wait for an answer, by the id of their call. */
  readonly waitingQuestions: Map<string, ShownQuestion>;
  /**
   * The command for which an approval of all calls was given. `NO_COMMAND` where several commands waited, because the
   * approval does not say which was meant. Undefined until there is such an approval.
   */
  always: string | undefined;
}

/** A question as a person has seen it. */
interface ShownQuestion {
  readonly key: string;
  /** The digest of the named files: an answer covers them only as they were. */
  readonly fingerprint: string;
}

/** Stands for no command: such an approval of all calls covers none. */
const NO_COMMAND = '';

/**
 * Interrupts a run of the SDK when the policy asks, and runs a command after it was approved there: exactly that
 * command in that directory, and nothing else that the SDK counts as approved.
 *
 * The SDK keeps approvals by the id of a call, binds them to its arguments and writes both into the state of a run. An
 * approval with `alwaysApprove` names a tool only: here it covers the command that it was given on.
 */
export class AgentApprovals {
  readonly #toolkit: Toolkit;
  readonly #runs = new WeakMap<RunContext<unknown>, Map<string, ToolQuestions>>();

  constructor(toolkit: Toolkit) {
    this.#toolkit = toolkit;
  }

  /** Whether the policy asks about a call, for `needsApproval`. */
  isNeeded(tool: string, context: RunContext<unknown>, input: unknown, callId: string | undefined): boolean {
    const question = questionOf(this.#toolkit, tool, input);
    if (question === undefined) return false;
    if (callId !== undefined) {
      const { waitingQuestions: waiting } = this.#questionsOf(context, tool);
      const { approved, rejected } = decisionsOn(context, tool);
      for (const id of waiting.keys()) if (covers(rejected, id)) waiting.delete(id);
      // The SDK asks again about an approved call. Only the first question was shown to the host.
      if (!covers(approved, callId)) {
        waiting.set(callId, { key: keyOf(question), fingerprint: question.fingerprint });
      }
    }
    return true;
  }

  /** The approver of one running call: it agrees to commands that were approved in this run of the SDK. */
  approver(tool: string, context: RunContext<unknown> | undefined, callId: string | undefined): Approve {
    return (request) =>
      context !== undefined && callId !== undefined && this.#isApproved(tool, context, callId, request)
        ? { approved: true }
        : { approved: false, reason: NOT_COVERED };
  }

  #isApproved(tool: string, context: RunContext<unknown>, callId: string, request: ApprovalRequest): boolean {
    const questions = this.#questionsOf(context, tool);
    const key = keyOf(request);
    const { approved } = decisionsOn(context, tool);
    if (approved === true) {
      questions.always ??= onlyKey(questions.waitingQuestions);
      questions.waitingQuestions.delete(callId);
      return questions.always === key;
    }
    // A restored run has no waiting questions: the SDK's state has the approved call.
    const shownQuestion = questions.waitingQuestions.get(callId) ?? { key, fingerprint: request.fingerprint };
    questions.waitingQuestions.delete(callId);
    return approved.includes(callId) && shownQuestion.key === key && shownQuestion.fingerprint === request.fingerprint;
  }

  #questionsOf(context: RunContext<unknown>, tool: string): ToolQuestions {
    const tools = this.#runs.get(context) ?? new Map<string, ToolQuestions>();
    this.#runs.set(context, tools);
    const questions = tools.get(tool) ?? { waitingQuestions: new Map(), always: undefined };
    tools.set(tool, questions);
    return questions;
  }
}

/** The calls that a decision covers: their ids, or `true` for all calls of a tool. */
type DecidedCalls = true | readonly string[];

/** The decisions in the SDK's state about a tool, by call, which `isToolApproved` does not tell apart. */
function decisionsOn(context: RunContext<unknown>, tool: string): { approved: DecidedCalls; rejected: DecidedCalls } {
  const { approvals } = context.toJSON();
  // The SDK keeps a tool in a namespace under the name `namespace.tool`.
  const names = Object.keys(approvals).filter((name) => name === tool || name.endsWith(`.${tool}`));
  const decided = (decision: 'approved' | 'rejected'): DecidedCalls => {
    const lists = names.map((name) => approvals[name]?.[decision] ?? []);
    return lists.includes(true) ? true : lists.flatMap((list) => (Array.isArray(list) ? list : []));
  };
  return { approved: decided('approved'), rejected: decided('rejected') };
}

function covers(decided: DecidedCalls, callId: string): boolean {
  return decided === true || decided.includes(callId);
}

/** A key that is equal for equal questions: the command, the directory, and the reasons. */
function keyOf({ command, cwd, reasons }: ApprovalQuestion): string {
  return JSON.stringify([command, cwd, reasons.map(({ rule, span }) => [rule, span])]);
}

function onlyKey(waitingQuestions: ReadonlyMap<string, ShownQuestion>): string {
  const [first = NO_COMMAND, ...others] = new Set([...waitingQuestions.values()].map(({ key }) => key));
  return others.length === 0 ? first : NO_COMMAND;
}
