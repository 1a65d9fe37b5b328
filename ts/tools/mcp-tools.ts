import { mcpFacts, REFUSED } from '../audit/record.js';
import { mcpArguments } from '../mcp/arguments.js';
import type { McpData } from '../mcp/data.js';
import type { McpRouter } from '../mcp/router.js';
import type { McpTool } from '../mcp/tool.js';
import { digestLines } from '../report/render.js';
import type { BoundTool, ForeignTools } from './bound-tool.js';
import type { CallContext, ToolDefinition } from './definition.js';
import type { ToolHost } from './host.js';

/**
 * Makes the tools of MCP servers callable by the executor of all tools.
 *
 * @param isPublished Whether the host publishes a tool of this name.
 */
export function mcpTools(router: McpRouter, isPublished: (name: string) => boolean): ForeignTools {
  return {
    all: () => router.tools.filter(({ name }) => isPublished(name)).map((tool) => bind(router, tool)),
    find(name) {
      const tool = router.find(name)?.tool;
      // Only full names are published: without the server, a name could mean another server's tool tomorrow.
      return tool?.name === name && isPublished(name) ? bind(router, tool) : undefined;
    },
  };
}

function bind(router: McpRouter, tool: McpTool): BoundTool {
  return {
    definition: definitionOf(tool),
    check(args) {
      const checkedArguments = mcpArguments(tool.parameters, args);
      return checkedArguments.ok ? checkedArguments : { ok: false, problems: [checkedArguments.problem] };
    },
    spec: {
      async run(args, call: CallContext, host) {
        return await forModel(await router.call(tool, args as Readonly<Record<string, unknown>>, call.signal), host);
      },
      isError: (data) => data.kind !== 'mcp' || !data.ok,
      render: (data) => (data.kind === 'mcp' ? data.text : ''),
      facts: (data, _args, { redactor }) => (data.kind === 'mcp' ? mcpFacts(redactor, data) : REFUSED),
    },
  };
}

/** The data with the text that a model gets of it. */
async function forModel(data: McpData, host: ToolHost): Promise<McpData> {
  const digested = await host.digest(data.text);
  if (digested === undefined) return data;
  const { spill } = digested;
  const text = digestLines(digested).join('\n');
  return Object.freeze({ ...data, text, truncated: true, ...(spill === undefined ? {} : { spill }) });
}

function definitionOf({ name, description, parameters, hints }: McpTool): ToolDefinition {
  return Object.freeze({ name, description, parameters, annotations: hints });
}
