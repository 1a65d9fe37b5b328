import { isHandrailError } from '../errors.js';
import type { Approve } from '../terminal/approval.js';
import type { ToolResult } from '../tools/definition.js';
import type { Toolkit } from '../tools/toolkit.js';
import { VERSION } from '../version.js';
import { isObject, RPC_CODES, RpcError } from './protocol.js';
import {
  type AskedCall,
  answerOf,
  approvalOf,
  digestOf,
  QUESTION_NAME,
  questionParams,
  SealedQuestions,
  TOO_LONG,
} from './questions.js';
import { ServedResources } from './resources.js';

type Params = Readonly<Record<string, unknown>>;

/** How a call is made. */
export interface ServedCall {
  /** Whose call it is. Default: one caller. */
  readonly caller?: string | undefined;
  readonly callId: string;
  readonly signal: AbortSignal;
  /** The `_meta` of the request. */
  readonly meta?: unknown;
}

/** What the server is. */
export const SERVER_INFO = Object.freeze({ name: 'handrail', title: 'Handrail', version: VERSION });

/** Longest text of a field that the structured answer has. What is longer is in the text of the answer. */
const MAX_FIELD_CHARS = 200;

/** Every tool answers with this: the text, and what its result says in single values. */
const OUTPUT_SCHEMA = Object.freeze({
  type: 'object',
  properties: {
    text: { type: 'string', description: 'The answer: the same as the text of the result.' },
    kind: { type: 'string', description: 'Which of the results it is, such as command.' },
    ok: { type: 'boolean', description: 'Whether the tool did what it was asked to do.' },
  },
  required: ['text', 'kind', 'ok'],
});

/** The tools of a toolkit as every transport and revision of the protocol offers them. */
export class ServedTools {
  readonly #toolkit: Toolkit;
  readonly #questions = new SealedQuestions();
  readonly resources: ServedResources;
  /** Whether the host decides itself about what the policy leaves open. */
  readonly #hasApprover: boolean;

  constructor(toolkit: Toolkit, hasApprover: boolean) {
    this.#toolkit = toolkit;
    this.resources = new ServedResources(toolkit);
    this.#hasApprover = hasApprover;
  }

  /** Only the tools of other MCP servers can change. */
  capabilities(): object {
    return { tools: this.#toolkit.mcp === undefined ? {} : { listChanged: true }, resources: {} };
  }

  list(): object[] {
    return this.#toolkit.definitions().map(({ name, description, parameters, annotations }) => ({
      ...{ name, title: annotations.title, description },
      ...{ inputSchema: parameters, outputSchema: OUTPUT_SCHEMA, annotations },
    }));
  }

  /**
   * Makes a call.
   *
   * @param ask Takes a question to a person of the client. Undefined where the client cannot.
   * @throws RpcError for an unknown tool, and where the call failed.
   */
  async call(
    params: Params,
    call: ServedCall,
    ask: ((params: object, signal: AbortSignal) => Promise<unknown>) | undefined,
  ) {
    const { redactor } = this.#toolkit;
    const approve: Approve | undefined =
      ask &&
      (async ({ signal, ...question }) => {
        const asked = questionParams(question, (text) => redactor.redact(text));
        return asked === undefined ? TOO_LONG : approvalOf(answerOf(await ask(asked, signal)));
      });
    return await this.#execute(nameOf(params), params['arguments'], call, this.#hasApprover ? undefined : approve);
  }

  /**
   * Makes a call of the revision without a state: a question goes back to the client as the answer, and the same call comes
   * again with what a person said to it.
   *
   * @param asks Whether the client can ask a person.
   * @throws RpcError as `call`, and for an answer to a question that is not open.
   */
  async callStateless(params: Params, call: ServedCall, asks: boolean): Promise<object> {
    const name = nameOf(params);
    const { arguments: args = {}, requestState, inputResponses } = params;
    const asked: AskedCall = { caller: call.caller ?? '', name, args };
    const answered = requestState === undefined ? undefined : this.#questions.take(asked, requestState);
    if (requestState !== undefined && answered === undefined) {
      const why = 'the question it answers is not open: it was answered, is old, or is of another call';
      throw new RpcError(RPC_CODES.invalidParams, `Invalid params: ${why}. Call again without requestState`);
    }
    const question = asks && !this.#hasApprover ? this.#explain(name, args) : undefined;
    if (question === undefined) return await this.#execute(name, args, call, undefined);
    const digest = digestOf(question);
    const response = isObject(inputResponses) ? inputResponses[QUESTION_NAME] : undefined;
    const asking = questionParams(question, (text) => this.#toolkit.redactor.redact(text));
    if (asking === undefined) return await this.#execute(name, args, call, () => TOO_LONG);
    if (answered !== digest || response === undefined) {
      return {
        resultType: 'input_required',
        inputRequests: { [QUESTION_NAME]: { method: 'elicitation/create', params: asking } },
        requestState: this.#questions.seal(asked, digest),
      };
    }
    const approval = approvalOf(answerOf(response));
    // Whatever else is asked while it runs was not shown to anybody.
    const approve: Approve = (other) =>
      digestOf(other) === digest
        ? approval
        : { approved: false, reason: 'This was not what the person was asked about' };
    return await this.#execute(name, args, call, approve);
  }

  #explain(name: string, args: unknown) {
    try {
      return this.#toolkit.explain(name, args).question;
    } catch (error) {
      throw rpcErrorOf(error);
    }
  }

  async #execute(
    name: string,
    args: unknown,
    { caller, callId, signal, meta }: ServedCall,
    approve: Approve | undefined,
  ) {
    let result: ToolResult;
    try {
      const traceparent = isObject(meta) ? meta['traceparent'] : undefined;
      const context = {
        ...{ signal, callId, ...(caller === undefined ? {} : { caller }) },
        ...(typeof traceparent === 'string' ? { traceparent } : {}),
      };
      result = await this.#toolkit.execute(
        name,
        args === undefined ? {} : args,
        approve === undefined ? context : { ...context, approve },
      );
    } catch (error) {
      throw rpcErrorOf(error);
    }
    const { content, isError, data } = result;
    // An unknown tool is an error of the protocol, although the call was recorded.
    if (data.kind === 'refusal' && data.refused === 'unknown_tool')
      throw new RpcError(RPC_CODES.invalidParams, content);
    this.resources.remember(caller ?? '', name, data);
    return {
      content: [{ type: 'text', text: content }],
      structuredContent: { ...singleValues(data), ok: !isError, text: content },
      isError,
    };
  }
}

/** The single values of a result: numbers, truths and short texts. Lists and long texts are left to its text. */
function singleValues(data: object): Record<string, unknown> {
  const isSingle = (value: unknown) =>
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && value.length <= MAX_FIELD_CHARS);
  return Object.fromEntries(Object.entries(data).filter(([, value]) => isSingle(value)));
}

function nameOf({ name }: Params): string {
  if (typeof name === 'string') return name;
  throw new RpcError(RPC_CODES.invalidParams, 'Invalid params: name has to be a text');
}

/** The error for a client when a call threw. Messages of Handrail hold no secret; those of other errors are not repeated. */
function rpcErrorOf(error: unknown): RpcError {
  const message = isHandrailError(error) ? `${error.message} (${error.code})` : 'The tool failed';
  return new RpcError(RPC_CODES.internalError, message);
}
