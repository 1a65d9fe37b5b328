/**
 * Handrail for the AI SDK, version 7, which is an optional peer dependency and needs Node 22: import this entry only
 * where `ai` is installed.
 *
 * @module handrail/ai
 */
import { isDeepStrictEqual } from 'node:util';
import { dynamicTool, type JSONSchema7, jsonSchema, type ModelMessage, type ToolSet } from 'ai';
import type { Approve } from '../terminal/approval.js';
import type { Toolkit } from '../toolkit.js';
import type { ToolDefinition, ToolResult } from '../tools/definition.js';
import { type AdapterOptions, chosenTools } from './chosen-tools.js';
import { NOT_COVERED, questionOf } from './question.js';
import { toolErrorText } from './tool-error.js';

/** The options of `aiTools`: which tools a model gets, and how calls are approved that the policy leaves open. */
export interface AiToolsOptions extends AdapterOptions {}

/** The output of a tool: the text for the model, and whether the call failed. */
export type AiToolOutput = Pick<ToolResult, 'content' | 'isError'>;

/**
 * A toolkit's tools as a `ToolSet` for `generateText`, `streamText` and agents of the AI SDK.
 *
 * Handrail checks the arguments. Denials, timeouts, wrong arguments and failures are texts that the model can act on;
 * the tools never throw. When the `abortSignal` of the generation fires, the command ends with everything that it
 * started.
 *
 * With `approval: 'interrupt'` a call that the policy leaves open becomes a `tool-approval-request` of the SDK. When
 * the messages have its `tool-approval-response`, the call is judged again and runs only as it was approved. An
 * approval of the tool as a whole, as by `toolApproval`, does not run it.
 *
 * @param toolkit The toolkit. You close it when the model is done.
 * @param options See `AiToolsOptions`. Default: all of the toolkit's tools.
 * @returns The current tools by name. The output of a tool is an `AiToolOutput`. `toolkit.on('tools', ...)` tells of
 * changes.
 * @throws HandrailError `ERR_UNKNOWN_TOOL` when `options.tools` names a tool that the toolkit does not have,
 * `ERR_INVALID_ARGUMENT` for another `approval` and for a `caller` that is no string.
 * @example
 * ```ts
 * import { createToolkit } from 'handrail';
 * import { aiTools } from 'handrail/ai';
 *
 * await using toolkit = await createToolkit({ workspace: '.', terminal: { allow: ['git', 'ls'] } });
 * const tools = aiTools(toolkit, { tools: ['terminal_run', 'file_read'] });
 * // await generateText({ model, tools, prompt: 'What changed last?', stopWhen: isStepCount(8) })
 * console.log(Object.keys(tools).join(', ')); // terminal_run, file_read
 * ```
 */
export function aiTools(toolkit: Toolkit, options: AiToolsOptions = {}): ToolSet {
  const tools = chosenTools(toolkit, options).map(
    (definition) => [definition.name, aiTool(toolkit, definition, options)] as const,
  );
  return Object.fromEntries(tools);
}

function aiTool(
  toolkit: Toolkit,
  { name, description, parameters, annotations }: ToolDefinition,
  options: AiToolsOptions,
) {
  const { approval, caller } = options;
  const interrupts = approval !== undefined;
  const shownFingerprints = new ShownFingerprints();
  return dynamicTool({
    description,
    title: annotations.title,
    // The SDK validates nothing: the toolkit says what is wrong with arguments, and what is expected.
    inputSchema: jsonSchema({ ...parameters } as JSONSchema7),
    async execute(input, { toolCallId, abortSignal, messages }): Promise<AiToolOutput> {
      try {
        const { content, isError } = await toolkit.execute(name, input, {
          callId: toolCallId,
          ...(caller === undefined ? {} : { caller }),
          ...(abortSignal === undefined ? {} : { signal: abortSignal }),
          ...(interrupts ? { approve: approver({ name, toolCallId, input }, messages, shownFingerprints) } : {}),
        });
        return { content, isError };
      } catch (error) {
        return { content: toolErrorText(error), isError: true };
      }
    },
    toModelOutput({ output }) {
      const { content, isError } = output as AiToolOutput;
      return { type: isError ? 'error-text' : 'text', value: content };
    },
    ...(interrupts
      ? {
          needsApproval: (input: unknown, { toolCallId }: { readonly toolCallId: string }) => {
            const question = questionOf(toolkit, name, input);
            if (question !== undefined) shownFingerprints.add(toolCallId, question.fingerprint);
            return question !== undefined;
          },
        }
      : {}),
  });
}

/** Most questions that wait for an answer. */
const MAX_WAITING_QUESTIONS = 1_000;

/** The digests of the files that calls name, recorded when a person was asked, by the id of the call. */
class ShownFingerprints {
  readonly #fingerprints = new Map<string, string>();

  /** Records a digest. Only the first one of a call counts, because the SDK asks again about an approved call. */
  add(callId: string, fingerprint: string): void {
    if (this.#fingerprints.has(callId)) return;
    this.#fingerprints.set(callId, fingerprint);
    const [oldest] = this.#fingerprints.keys();
    if (this.#fingerprints.size > MAX_WAITING_QUESTIONS && oldest !== undefined) this.#fingerprints.delete(oldest);
  }

  /** Whether the files are unchanged. True for a question of another process, about which nothing was recorded. */
  isUnchanged(callId: string, fingerprint: string): boolean {
    const shownFingerprint = this.#fingerprints.get(callId) ?? fingerprint;
    this.#fingerprints.delete(callId);
    return shownFingerprint === fingerprint;
  }
}

/** A running call. */
interface AiCall {
  readonly name: string;
  readonly toolCallId: string;
  readonly input: unknown;
}

/** An approver that agrees to a call which the messages approve by its id and with the same arguments. */
function approver(call: AiCall, messages: readonly ModelMessage[], shownFingerprints: ShownFingerprints): Approve {
  return ({ fingerprint }) =>
    isApproved(call, messages) && shownFingerprints.isUnchanged(call.toolCallId, fingerprint)
      ? { approved: true }
      : { approved: false, reason: NOT_COVERED };
}

function isApproved({ name, toolCallId, input }: AiCall, messages: readonly ModelMessage[]): boolean {
  const assistantParts = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? content : [],
  );
  const toolParts = messages.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  const calls = assistantParts
    .filter((part) => part.type === 'tool-call')
    .filter((part) => part.toolCallId === toolCallId);
  const requests = assistantParts
    .filter((part) => part.type === 'tool-approval-request')
    .filter((part) => part.toolCallId === toolCallId)
    .map(({ approvalId }) => approvalId);
  const answer = toolParts
    .filter((part) => part.type === 'tool-approval-response')
    .findLast(({ approvalId }) => requests.includes(approvalId));
  // When two calls have the same id, it is not known which was approved.
  const [call, ...others] = calls;
  const isSame = call?.toolName === name && isDeepStrictEqual(call.input, input) && others.length === 0;
  return isSame && answer?.approved === true;
}
