import type { Decision, Reason } from '../report/decision.js';
import type { McpTool } from './tool.js';

/** Which tools of a server may be called, by the server's names. An entry that ends with `*` stands for all that begin so. */
export interface McpRules {
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

const ANY = '*';

/**
 * The decision about a call of a tool. `deny` counts before `ask`, and `ask` before `allow`; where there is no `allow`,
 * everything else may be called. What a server says of its own tools decides nothing: it is told to who is asked.
 */
export function judgeTool({ allow, ask = [], deny = [] }: McpRules, tool: McpTool): Decision {
  const named = (entries: readonly string[]): boolean => entries.some((entry) => stands(entry, tool.tool));
  const shown = `'${tool.name}'`;
  if (named(deny)) return { decision: 'deny', reasons: [reason('mcp.denied', `The tool ${shown} is denied`)] };
  if (named(ask)) {
    return { decision: 'ask', reasons: [reason('mcp.ask', `The tool ${shown} is a question: ${hintsOf(tool)}`)] };
  }
  if (allow === undefined || named(allow)) return { decision: 'allow', reasons: [] };
  return {
    decision: 'deny',
    reasons: [reason('mcp.not_allowed', `The tool ${shown} is not among those that are allowed`)],
  };
}

function stands(entry: string, name: string): boolean {
  return entry.endsWith(ANY) ? name.startsWith(entry.slice(0, -ANY.length)) : entry === name;
}

function hintsOf({ server, hints }: McpTool): string {
  const effect = hints.destructiveHint ? 'may remove or overwrite something' : 'removes and overwrites nothing';
  return `its server ${server} says that it ${hints.readOnlyHint ? 'changes nothing' : effect}`;
}

function reason(rule: string, message: string): Reason {
  return { rule, span: [0, 0], message };
}
