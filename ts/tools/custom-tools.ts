import { customFacts, REFUSED } from '../audit/record.js';
import { listOption } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import { MCP_PREFIX } from '../mcp/names.js';
import type { Redactor } from '../redaction/redactor.js';
import { sanitize } from '../redaction/text.js';
import { TextRedactor } from '../redaction/text-redactor.js';
import { ABORTED, AbortWatch, untilAborted } from '../terminal/abort.js';
import { MAX_LIST_ENTRIES } from '../terminal/limits.js';
import { answerLines } from './answer-lines.js';
import { checkArguments, parametersOf } from './arguments.js';
import type { BoundTool } from './bound-tool.js';
import { CATALOGUE } from './catalogue.js';
import { argumentsSchema } from './custom-arguments.js';
import { type CheckedCustomTool, checkedCustomTool } from './custom-tool.js';
import type { CallContext, CustomData, ToolDefinition } from './definition.js';
import type { ToolHost } from './host.js';

/** Checks `customTools`. No two tools of a toolkit may have one name, whether they are published or not. */
export function customToolsOption(value: unknown): readonly CheckedCustomTool[] {
  const tools = listOption(value, 'customTools', MAX_LIST_ENTRIES, (entry, name) => {
    const tool = checkedCustomTool(entry);
    if (tool !== undefined) return tool;
    throw new HandrailError('ERR_INVALID_ARGUMENT', `Expected \`${name}\` to be what \`defineTool()\` returns`, {
      data: { name },
    });
  });
  const taken = new Set(CATALOGUE.map(({ name }) => name));
  for (const [index, { name }] of (tools ?? []).entries()) {
    if (taken.has(name) || name.startsWith(MCP_PREFIX)) throw duplicate(`customTools[${index}]`, name);
    taken.add(name);
  }
  return tools ?? [];
}

function duplicate(option: string, name: string): HandrailError {
  const reason = name.startsWith(MCP_PREFIX)
    ? `begins with ${MCP_PREFIX}, as the tools of MCP servers do`
    : 'is that of another tool';
  return new HandrailError('ERR_DUPLICATE_TOOL', `The name of \`${option}\` ${reason}: choose another`, {
    data: { name: option },
  });
}

/**
 * Makes the tools of the host callable by the executor of all tools.
 *
 * @param closing Fires when the toolkit is closed.
 */
export function customTools(
  tools: readonly CheckedCustomTool[],
  host: ToolHost,
  closing: AbortSignal,
): readonly BoundTool[] {
  const watch = new AbortWatch();
  return tools.map((tool): BoundTool => {
    const schema = argumentsSchema(tool.schema);
    const definition: ToolDefinition = Object.freeze({
      name: tool.name,
      description: tool.description,
      parameters: parametersOf(schema),
      annotations: tool.annotations,
    });
    return {
      definition,
      check: (args) => checkArguments(schema, args, definition.parameters),
      spec: {
        run: (args, call: CallContext) => perform(tool, args, call, host, { closing, watch }),
        isError: (data) => data.kind !== 'custom' || !data.ok,
        render: async (data, _args, host) =>
          data.kind === 'custom' ? (await answerLines(data.text, host)).join('\n') : '',
        facts: (data, _args) => (data.kind === 'custom' ? customFacts(data) : REFUSED),
      },
    };
  });
}

/** Runs a tool of the host within its time. It may ignore its signal: nobody waits for it any longer then. */
async function perform(
  tool: CheckedCustomTool,
  args: unknown,
  { signal, callId }: CallContext,
  { terminal, files, redactor }: ToolHost,
  { closing, watch }: { readonly closing: AbortSignal; readonly watch: AbortWatch },
): Promise<CustomData> {
  const head = { kind: 'custom', tool: tool.name } as const;
  const failed = (status: 'failed' | 'timed_out' | 'cancelled', reason: string): CustomData => {
    const { text: problem, redactions } = TextRedactor.redactAndCount(redactor, shown(reason));
    return { ...head, ok: false, status, problem, text: `${status.replace('_', ' ')}: ${problem}`, redactions };
  };
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), tool.timeoutMs);
  try {
    const value = await untilAborted(watch, [signal, closing, deadline.signal], async (stop) =>
      tool.run(args, { signal: stop, callId, terminal, files }),
    );
    if (value !== ABORTED) return { ...head, ok: true, status: 'done', ...outputOf(tool, value, args, redactor) };
    if (signal?.aborted === true || closing.aborted) return failed('cancelled', 'the result is not wanted any more');
    return failed('timed_out', `the tool took longer than ${tool.timeoutMs} ms`);
  } catch (error) {
    return failed('failed', error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
  }
}

/** The value as JSON holds it and the text for the model, both masked. */
function outputOf(
  tool: CheckedCustomTool,
  value: unknown,
  args: unknown,
  redactor: Redactor,
): Pick<CustomData, 'value' | 'text' | 'redactions'> {
  const json = JSON.stringify(value) as string | undefined;
  const rendered = tool.render === undefined ? plainText(value) : tool.render(value, args);
  if (typeof rendered !== 'string') throw new TypeError('`render` of the tool gave no text');
  const masked = TextRedactor.redactAndCount(redactor, shown(rendered));
  // Masked as one text, because a secret is often recognised by the name beside it. JSON stays JSON.
  const maskedValue = json === undefined ? {} : { value: JSON.parse(redactor.redact(json)) as unknown };
  return { ...maskedValue, text: masked.text, redactions: masked.redactions };
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '(no output)');
}

/** A text as a terminal would show it, so that secrets are found as a reader sees them. */
function shown(text: string): string {
  return sanitize(Buffer.from(text));
}
