import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { reasonText, visibleText } from './clean.js';
import { MAX_DESCRIPTION_CHARS, MAX_TOOL_NAME_CHARS } from './limits.js';
import { publishedName } from './names.js';
import { type McpSchema, readSchema } from './schema.js';
import { isObject, type Json } from './schema-shape.js';

/** What a server says a tool does to the world. Nobody checked it. */
export interface McpHints {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool of a server, its texts visible, masked and bounded. */
export interface McpTool {
  /** What models call it by. */
  readonly name: string;
  /** Its server. */
  readonly server: string;
  /** What the server calls it. */
  readonly tool: string;
  readonly description: string;
  readonly parameters: McpSchema;
  readonly hints: McpHints;
}

/** A listed tool: as it is published, if it can be, and what is wrong with it. */
export interface ReadTool {
  readonly tool?: McpTool;
  /** What was left out of it, or why it was: without secrets. Undefined when nothing was. */
  readonly problem?: string;
}

/** One entry of a server's list, which may be anything, fit to be shown to a model. */
export function readTool(redactor: Redactor, server: string, entry: unknown): ReadTool {
  const { name } = isObject(entry) ? entry : {};
  if (!isObject(entry) || typeof name !== 'string' || name === '') {
    return { problem: 'an entry of its list without a name was left out' };
  }
  const shown = reasonText(redactor, name, MAX_TOOL_NAME_CHARS);
  const read = readSchema(redactor, entry['inputSchema']);
  if (read.refused !== undefined) return { problem: `${shown} was left out: ${read.refused}` };
  const bounded = (text: string): string => firstChars(redactor.redact(visibleText(text)), MAX_DESCRIPTION_CHARS);
  const annotations = isObject(entry['annotations']) ? entry['annotations'] : {};
  const hint = (key: string, assumed: boolean): boolean => {
    const value = annotations[key];
    return typeof value === 'boolean' ? value : assumed;
  };
  const title = textOf(entry['title']);
  const description = bounded(textOf(entry['description']) ?? title ?? '') || `A tool of the MCP server ${server}.`;
  const tool = Object.freeze({
    name: publishedName(server, name),
    server,
    tool: name,
    description: description + read.note,
    parameters: read.schema,
    hints: Object.freeze({
      title: bounded(textOf(annotations['title']) ?? title ?? name),
      readOnlyHint: hint('readOnlyHint', false),
      destructiveHint: hint('destructiveHint', true),
      idempotentHint: hint('idempotentHint', false),
      openWorldHint: hint('openWorldHint', true),
    }),
  });
  const problem = read.problem ?? wrongText(entry);
  return problem === undefined ? { tool } : { tool, problem: `${shown} is published in part: ${problem}` };
}

/** What it says of itself that is no text. */
function wrongText(entry: Json): string | undefined {
  const wrong = ['description', 'title'].find((key) => entry[key] !== undefined && typeof entry[key] !== 'string');
  return wrong === undefined ? undefined : `its ${wrong} is no text`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
