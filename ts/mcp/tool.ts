import type { Tool } from '@modelcontextprotocol/client';
import type { Redactor } from '../redaction/redactor.js';
import { firstChars } from '../terminal/bounding.js';
import { isDeeperThan, mapTexts, visibleText } from './clean.js';
import { MAX_DESCRIPTION_CHARS, MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH } from './limits.js';
import { publishedName } from './names.js';

/** What a server says a tool does to the world. Nobody checked it. */
export interface McpHints {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A JSON Schema of a server for an object. */
export interface McpSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
  readonly additionalProperties?: boolean | Readonly<Record<string, unknown>>;
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

const ANY_OBJECT: McpSchema = Object.freeze({
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: true,
});

/** Said of a schema that is not shown. */
const UNSHOWN = ' Its arguments are not described: its schema is too large.';

/** A tool as its server lists it, fit to be shown to a model. */
export function cleanTool(redactor: Redactor, server: string, tool: Tool): McpTool {
  const bounded = (text: string): string => firstChars(redactor.redact(visibleText(text)), MAX_DESCRIPTION_CHARS);
  const parameters = cleanSchema(redactor, tool.inputSchema);
  const description = bounded(tool.description ?? tool.title ?? '') || `A tool of the MCP server ${server}.`;
  return Object.freeze({
    name: publishedName(server, tool.name),
    server,
    tool: tool.name,
    description: parameters === undefined ? description + UNSHOWN : description,
    parameters: parameters ?? ANY_OBJECT,
    hints: Object.freeze({
      title: bounded(tool.annotations?.title ?? tool.title ?? tool.name),
      readOnlyHint: tool.annotations?.readOnlyHint ?? false,
      destructiveHint: tool.annotations?.destructiveHint ?? true,
      idempotentHint: tool.annotations?.idempotentHint ?? false,
      openWorldHint: tool.annotations?.openWorldHint ?? true,
    }),
  });
}

/** The schema with its texts masked; undefined when it is too large. */
function cleanSchema(redactor: Redactor, schema: Tool['inputSchema']): McpSchema | undefined {
  if (isDeeperThan(schema, MAX_SCHEMA_DEPTH) || Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES) {
    return undefined;
  }
  const cleaned = mapTexts(schema, (text, field) => {
    const masked = redactor.redact(visibleText(text));
    return field === 'description' || field === 'title' ? firstChars(masked, MAX_DESCRIPTION_CHARS) : masked;
  }) as Record<string, unknown>;
  const { properties = {}, required = [] } = cleaned;
  return Object.freeze({
    ...cleaned,
    type: 'object',
    properties: properties as McpSchema['properties'],
    required: (required as readonly string[]).filter((name) => Object.hasOwn(properties as object, name)),
  });
}
