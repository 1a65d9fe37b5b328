import { mcpFacts, REFUSED } from '../audit/record.js';
import { mcpArguments } from '../mcp/arguments.js';
import type { McpData } from '../mcp/data.js';
import type { McpRouter } from '../mcp/router.js';
import type { McpTool } from '../mcp/tool.js';
import type { Decision } from '../report/decision.js';
import { digestLines } from '../report/render.js';
import { AbortWatch } from '../terminal/abort.js';
import type { BoundTool, ForeignTools } from './bound-tool.js';
import type { CallContext, ToolDefinition } from './definition.js';
import type { ToolHost } from './host.js';
import { decideCall, questionOf } from './mcp-approval.js';

/**
 * Makes the tools of MCP servers callable by the executor of all tools.
 *
 * @param isPublished Whether the host publishes a tool of this name.
 * @param closing Fires when the toolkit is closed.
 */
export function mcpTools(
  router: McpRouter,
  isPublished: (name: string) => boolean,
  closing: AbortSignal,
): ForeignTools {
  const watch = new AbortWatch();
  const bound = (tool: McpTool): BoundTool => bind(router, tool, { closing, watch });
  return {
    all: () => router.tools.filter(({ name }) => isPublished(name)).map(bound),
    find(name) {
      const tool = router.find(name)?.tool;
      // Only full names are published: without the server, a name could mean another server's tool tomorrow.
      return tool?.name === name && isPublished(name) ? bound(tool) : undefined;
    },
  };
}

function bind(
  router: McpRouter,
  tool: McpTool,
  ends: { readonly closing: AbortSignal; readonly watch: AbortWatch },
): BoundTool {
  return {
    definition: definitionOf(tool),
    check(args) {
      const checkedArguments = mcpArguments(tool.parameters, args);
      return checkedArguments.ok ? checkedArguments : { ok: false, problems: [checkedArguments.problem] };
    },
    spec: {
      explain(args, { places }) {
        const decision = router.judge(tool);
        return decision.decision === 'ask'
          ? { ...decision, question: questionOf(tool, args, decision, places) }
          : decision;
      },
      async run(args, call: CallContext, host) {
        const decision = await decideCall(router, tool, args, call, host, ends);
        if (decision.decision === 'deny') return denied(tool, decision, host);
        const data = await router.call(tool, args as Readonly<Record<string, unknown>>, call.signal);
        return Object.freeze({ ...(await forModel(data, host)), decision });
      },
      isError: (data) => data.kind !== 'mcp' || !data.ok,
      render: (data) => (data.kind === 'mcp' ? data.text : ''),
      facts: (data, _args, { redactor }) => (data.kind === 'mcp' ? mcpFacts(redactor, data) : REFUSED),
    },
  };
}

/** The result of a call that was not made. */
function denied({ server, tool }: McpTool, decision: Decision, { redactor }: ToolHost): McpData {
  const reasons = decision.reasons.map(({ message, rule }) => `${message} (${rule})`);
  return Object.freeze({
    kind: 'mcp',
    ok: false,
    server,
    tool: redactor.redact(tool),
    status: 'denied',
    outcomeUnknown: false,
    decision,
    text: `denied: ${redactor.redact(reasons.join('; '))}`,
    blocks: Object.freeze([]),
    bytes: 0,
    redactions: 0,
    truncated: false,
  });
}

/** The data with the text that a model gets of it. */
async function forModel(data: McpData, host: ToolHost): Promise<McpData> {
  const digested = await host.digest(data.text);
  if (digested === undefined) return data;
  const { spill } = digested;
  const text = digestLines(digested).join('\n');
  return { ...data, text, truncated: true, ...(spill === undefined ? {} : { spill }) };
}

function definitionOf({ name, description, parameters, hints }: McpTool): ToolDefinition {
  return Object.freeze({ name, description, parameters, annotations: hints });
}
