import type { Redactor } from '../redaction/redactor.js';
import { MAX_TOOL_PAGES, MAX_TOOLS_PER_SERVER } from './limits.js';
import { byName } from './names.js';
import { isObject, type Json } from './schema-shape.js';
import { type McpTool, readTool } from './tool.js';
import { pinOf, type ToolPin, type ToolSet, toolSet } from './tool-set.js';

/** The tools of a server as they were listed at one time. */
export interface ToolList {
  /** Those that this host publishes, sorted by name. */
  readonly tools: readonly McpTool[];
  /** All that can be called: a pin is about the server, whatever a host publishes of it. */
  readonly set: ToolSet;
  /** What was left out, and why. */
  readonly problems: readonly string[];
}

/** What a server has answered, unchecked. */
export interface ListAnswer {
  readonly entries: readonly unknown[];
  /** Whether there were no more pages than are asked for. */
  readonly isWhole: boolean;
}

/**
 * Reads the list of a server.
 *
 * @param wanted The tools that are published, by the server's names. Default: all.
 */
export function readToolList(
  redactor: Redactor,
  { name, tools: wanted }: { readonly name: string; readonly tools?: readonly string[] | undefined },
  { entries, isWhole }: ListAnswer,
): ToolList {
  const tools = new Map<string, McpTool>();
  const pins: ToolPin[] = [];
  const problems: string[] = [];
  for (const entry of entries) {
    const { tool, problem } = readTool(redactor, name, entry);
    if (tool !== undefined) pins.push(pinOf(redactor, tool, entry as Json));
    if (!isWanted(wanted, entry)) continue;
    if (problem !== undefined) problems.push(problem);
    if (tool === undefined) continue;
    if (tools.has(tool.name)) problems.push(`${tool.name} is listed twice: the first counts`);
    else tools.set(tool.name, tool);
  }
  const sorted = [...tools.values()].sort((left, right) => byName(left.name, right.name));
  if (sorted.length > MAX_TOOLS_PER_SERVER) {
    problems.unshift(`of ${sorted.length} tools the first ${MAX_TOOLS_PER_SERVER} are published`);
  }
  if (!isWhole) problems.unshift(`what its list has behind ${MAX_TOOL_PAGES} pages is left out`);
  return { tools: Object.freeze(sorted.slice(0, MAX_TOOLS_PER_SERVER)), set: toolSet(pins), problems };
}

function isWanted(wanted: readonly string[] | undefined, entry: unknown): boolean {
  return wanted === undefined || (isObject(entry) && wanted.includes(entry['name'] as string));
}
