import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { reasonText, visibleText } from './clean.js';
import { MAX_DESCRIPTION_CHARS, MAX_TOOL_NAME_CHARS } from './limits.js';
import { publishedName } from './names.js';
import { type McpSchema, readSchema } from './schema.js';
import { isObject, type Json } from './schema-shape.js';

/** The hints of a server about the effects of a tool. Nobody has checked them. */
export interface McpHints {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool of a server. Its texts are visible, masked and bounded. */
export interface McpTool {
  /** The published name, which models call. */
  readonly name: string;
  /** The name of its server. */
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly description: string;
  readonly parameters: McpSchema;
  readonly hints: McpHints;
}

/** An entry of a list of tools: the tool, if it can be published, and the problem with it. */
export interface ReadTool {
  readonly tool?: McpTool;
  /** What was left out of the tool, or why it was left out, without secrets. Undefined when nothing is wrong. */
  readonly problem?: string;
}

/** Reads an unchecked entry of a server's list of tools. */
export function readTool(redactor: Redactor, server: string, entry: unknown): ReadTool {
  const { name } = isObject(entry) ? entry : {};
  if (!isObject(entry) || typeof name !== 'string' || name === '') {
    return { problem: 'an entry of its list without a name was left out' };
  }
  const shownName = reasonText(redactor, name, MAX_TOOL_NAME_CHARS);
  const readResult = readSchema(redactor, entry['inputSchema']);
  if (readResult.refused !== undefined) return { problem: `${shownName} was left out: ${readResult.refused}` };
  const boundedText = (text: string): string => firstChars(redactor.redact(visibleText(text)), MAX_DESCRIPTION_CHARS);
  const annotations = isObject(entry['annotations']) ? entry['annotations'] : {};
  const hint = (key: string, assumed: boolean): boolean => {
    const value = annotations[key];
    return typeof value === 'boolean' ? value : assumed;
  };
  const title = textOf(entry['title']);
  const description = boundedText(textOf(entry['description']) ?? title ?? '') || `A tool of the MCP server ${server}.`;
  const tool = Object.freeze({
    name: publishedName(server, name),
    server,
    tool: name,
    description: description + readResult.note,
    parameters: readResult.schema,
    hints: Object.freeze({
      title: boundedText(textOf(annotations['title']) ?? title ?? name),
      readOnlyHint: hint('readOnlyHint', false),
      destructiveHint: hint('destructiveHint', true),
      idempotentHint: hint('idempotentHint', false),
      openWorldHint: hint('openWorldHint', true),
    }),
  });
  const problem = readResult.problem ?? wrongText(entry);
  return problem === undefined ? { tool } : { tool, problem: `${shownName} is published in part: ${problem}` };
}

/** A clause about a title or a description that is no text. */
function wrongText(entry: Json): string | undefined {
  const wrongField = ['description', 'title'].find((key) => entry[key] !== undefined && typeof entry[key] !== 'string');
  return wrongField === undefined ? undefined : `its ${wrongField} is no text`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
