import { randomUUID } from 'node:crypto';
import { type AuditRecord, auditText, type CallFacts, REFUSED } from '../audit/record.js';
import { nearest } from '../config/nearest.js';
import { isHandrailError } from '../errors.js';
import { countChars, firstChars, fitText } from '../redaction/fit.js';
import { estimateTokens } from '../redaction/tokens.js';
import { answerLines } from './answer-lines.js';
import { checkArguments, parametersOf, signatureOf } from './arguments.js';
import type { BoundTool, ForeignTools } from './bound-tool.js';
import { callerOf } from './call-context.js';
import type { CallContext, CallDecision, ToolDefinition, ToolRefusal, ToolResult } from './definition.js';
import { FILE_WAYS } from './file-ways.js';
import type { ToolHost } from './host.js';
import { MAX_ECHOED_NAME_CHARS, MAX_NAMED_TOOLS, MAX_NOTE_TOKENS } from './limits.js';
import type { AnyToolSpec } from './tool-spec.js';

/** The result of a call, with its facts for the audit. */
interface CallOutcome {
  readonly result: ToolResult;
  readonly facts: CallFacts;
}

/** Codes of errors that a model caused and can act on. Other errors are the host's and pass through. */
const REFUSAL_CODES: Readonly<Record<string, ToolRefusal['refused']>> = {
  ERR_BUSY: 'busy',
  ERR_INVALID_ARGUMENT: 'invalid_arguments',
};

const REFUSAL_TITLES: Readonly<Record<ToolRefusal['refused'], string>> = {
  unknown_tool: 'unknown tool',
  invalid_arguments: 'invalid arguments',
  busy: 'busy',
};

/** What does the work of tools that other systems have, by words of their names. */
const WAYS: readonly { readonly words: readonly string[]; readonly tool: string; readonly does: string }[] = [
  { words: ['move', 'rename'], tool: 'file_patch', does: FILE_WAYS.move },
  { words: ['delete', 'remove', 'unlink'], tool: 'file_patch', does: FILE_WAYS.remove },
  { words: ['mkdir', 'folder', 'directory'], tool: 'file_write', does: FILE_WAYS.make },
];

/** Calls tools by name. For every tool alike it checks arguments, refuses, bounds results, measures time and records. */
export class ToolCalls {
  readonly #host: ToolHost;
  readonly #tools: ReadonlyMap<string, BoundTool>;
  readonly #foreign: ForeignTools | undefined;

  /**
   * @param own The tools of the host.
   * @param foreign The tools of MCP servers. No two tools of these and the catalogue have one name.
   */
  constructor(specs: readonly AnyToolSpec[], host: ToolHost, own: readonly BoundTool[] = [], foreign?: ForeignTools) {
    this.#host = host;
    this.#foreign = foreign;
    const tools = [...specs.map((spec) => bind(spec, host)), ...own];
    this.#tools = new Map(tools.map((tool) => [tool.definition.name, tool]));
  }

  /** The definitions for a model: the tools of the catalogue and of the host in their order, then those of MCP servers by name. */
  definitions(): ToolDefinition[] {
    return [...this.#tools.values(), ...(this.#foreign?.all() ?? [])].map(({ definition }) => definition);
  }

  /** Judges a call. Nothing is done, asked or recorded. */
  explain(name: string, args: unknown): CallDecision {
    const tool = this.#tools.get(name) ?? this.#foreign?.find(name);
    if (tool === undefined) return { decision: 'deny', reasons: [reasonOf('unknown_tool', 'There is no such tool')] };
    const checked = tool.check(args);
    if (checked.ok) return tool.spec.explain?.(checked.value, this.#host) ?? { decision: 'allow', reasons: [] };
    const problems = checked.problems.map((problem) => this.#host.redactor.redact(problem));
    return { decision: 'deny', reasons: problems.map((problem) => reasonOf('invalid_arguments', problem)) };
  }

  /** Makes a call with the arguments of a model. Returns its result and its audit record. */
  async call(name: string, args: unknown, context: CallContext): Promise<{ result: ToolResult; record: AuditRecord }> {
    const startedAt = new Date();
    const started = performance.now();
    const tool = this.#tools.get(name) ?? this.#foreign?.find(name);
    const shownName = firstChars(this.#host.redactor.redact(name), MAX_ECHOED_NAME_CHARS);
    const { result: called, facts } =
      tool === undefined ? this.#unknownTool(shownName) : await this.#run(tool, args, context);
    const result = this.#withEndedJobs(called, context);
    const network = this.#host.takeContacts();
    const record: AuditRecord = Object.freeze({
      id: randomUUID(),
      ...(context.callId === undefined ? {} : { callId: auditText(this.#host.redactor, context.callId) }),
      tool: shownName,
      startedAt: startedAt.toISOString(),
      durationMs: performance.now() - started,
      isError: result.isError,
      contentChars: countChars(result.content),
      ...facts,
      ...(network.length === 0 ? {} : { network }),
    });
    return { result, record };
  }

  async #run({ spec, check, definition }: BoundTool, args: unknown, context: CallContext): Promise<CallOutcome> {
    const checked = check(args);
    if (!checked.ok) {
      return this.#refuse('invalid_arguments', checked.problems, `expected: ${signatureOf(definition.parameters)}`);
    }
    const { digest } = this.#host;
    const host: ToolHost = { ...this.#host, digest: (text, keeps) => digest(text, keeps, callerOf(context)) };
    try {
      const data = await spec.run(checked.value, context, host);
      const text = await spec.render(data, checked.value, host);
      const content = fitText(await withinTokens(text, host), host.resultChars);
      return {
        result: { content, isError: spec.isError(data), data },
        facts: spec.facts(data, checked.value, host),
      };
    } catch (error) {
      const refused = isHandrailError(error) ? REFUSAL_CODES[error.code] : undefined;
      if (refused === undefined) throw error;
      return this.#refuse(refused, [(error as Error).message]);
    }
  }

  /** The result with a line about the jobs that have ended since the last call. */
  #withEndedJobs(result: ToolResult, context: CallContext): ToolResult {
    const line = this.#host.jobs?.takeEnded(context);
    if (line === undefined) return result;
    const content = fitText(result.content, this.#host.resultChars - countChars(line) - 1);
    return { ...result, content: content === '' ? line : `${content}\n${line}` };
  }

  #unknownTool(shownName: string): CallOutcome {
    const names = this.definitions().map(({ name }) => name);
    const ways = WAYS.filter(
      ({ tool, words }) => names.includes(tool) && words.some((word) => shownName.includes(word)),
    );
    const probableName = ways.length === 0 ? nearest(shownName, names) : undefined;
    const problem = `Unknown tool: ${shownName}`;
    const hiddenCount = names.length - MAX_NAMED_TOOLS;
    const toolNames = `${names.slice(0, MAX_NAMED_TOOLS).join(', ')}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ''}`;
    const content = [
      problem,
      ...(probableName === undefined ? [] : [`Did you mean ${probableName}?`]),
      ...ways.slice(0, 1).map(({ does }) => does),
      `Tools: ${toolNames}`,
    ].join('\n');
    return {
      result: { content, isError: true, data: { kind: 'refusal', refused: 'unknown_tool', problems: [problem] } },
      facts: { ...REFUSED, rules: ['unknown_tool'] },
    };
  }

  #refuse(refused: ToolRefusal['refused'], problems: readonly string[], advice?: string): CallOutcome {
    const maskedProblems = problems.map((problem) => this.#host.redactor.redact(problem));
    const lines = [
      `${REFUSAL_TITLES[refused]}: ${maskedProblems.join('; ')}`,
      ...(advice === undefined ? [] : [advice]),
    ];
    const content = fitText(lines.join('\n'), this.#host.resultChars);
    return {
      result: { content, isError: true, data: { kind: 'refusal', refused, problems: maskedProblems } },
      facts: { ...REFUSED, rules: [refused] },
    };
  }
}

/** A text of a tool that has no bound of its own, such as one that shows what it changed, is shortened like any output. */
async function withinTokens(text: string, host: ToolHost): Promise<string> {
  const most = Math.max(host.resultTokens, host.readTokens) + MAX_NOTE_TOKENS;
  if (2 * text.length <= most || estimateTokens(text) <= most) return text;
  return (await answerLines(text, host)).join('\n');
}

function bind(spec: AnyToolSpec, host: ToolHost): BoundTool {
  const schema = spec.schema(host);
  const definition: ToolDefinition = Object.freeze({
    name: spec.name,
    description: spec.describe(host),
    parameters: parametersOf(schema),
    annotations: Object.freeze(spec.annotations),
  });
  return { spec, definition, check: (args) => checkArguments(schema, args, definition.parameters) };
}

/** The reason of a call that does not reach its tool. Its span is empty, because it concerns no part of a command. */
function reasonOf(rule: ToolRefusal['refused'], message: string): CallDecision['reasons'][number] {
  return { rule, span: [0, 0], message };
}
