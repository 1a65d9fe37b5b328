import type { Redactor } from '../redaction/redactor.js';
import { canonicalDigest } from './canonical.js';
import { hiddenNotes } from './hidden-text.js';
import { byName } from './names.js';
import type { Json } from './schema-shape.js';
import { shownTool } from './shown-tool.js';
import type { McpTool } from './tool.js';

/** The parts of a tool that are compared one by one. */
const PARTS: readonly McpToolPart[] = ['description', 'schema', 'annotations'];

/** A part of a tool: its name, title and description; the schemas of its arguments and its result; its annotations. */
export type McpToolPart = 'description' | 'schema' | 'annotations';

/** What a tool was when its server listed it. */
export interface ToolPin {
  /** The server's name of the tool. */
  readonly name: string;
  /** A digest of each part, as the server sent it. */
  readonly digests: Readonly<Record<McpToolPart, string>>;
  /** The tool as a model reads it, in lines for a person: no character in them is hidden, secrets are masked. */
  readonly shown: readonly string[];
  /** What its texts hide, in sentences of the same kind. */
  readonly notes: readonly string[];
}

/** All tools of a server at one time. */
export interface ToolSet {
  /** A digest of the names and digests of all of them. */
  readonly digest: string;
  /** Sorted by name. */
  readonly tools: readonly ToolPin[];
}

/** A tool that changed. Every text is masked, and has no hidden character. */
export interface McpToolChange {
  /** The name that models call, or would call. */
  readonly name: string;
  /** What happened to it. */
  readonly change: 'added' | 'changed' | 'removed';
  /** The parts that are others. All of them for a tool that was added or removed. */
  readonly parts: readonly McpToolPart[];
  /** The tool as a model read it, in lines. Empty for one that was added. */
  readonly before: readonly string[];
  /** The tool as a model would read it, in lines. Empty for one that was removed. */
  readonly after: readonly string[];
  /** What its texts hide from a reader: invisible characters, comments, terminal controls, what is too long to be shown. */
  readonly notes: readonly string[];
}

/** What is different in the tools of a server from what was approved. */
export interface McpToolsChange {
  /** Whether nothing of this server was approved before. */
  readonly isFirst: boolean;
  /** Names this state of the tools. `approve` takes it. */
  readonly digest: string;
  /** The tools that are different, by name. */
  readonly tools: readonly McpToolChange[];
}

/** What there is to pin of a tool. */
export function pinOf(redactor: Redactor, tool: McpTool, entry: Json): ToolPin {
  const { name, title, description, inputSchema, outputSchema, annotations } = entry;
  return {
    name: tool.tool,
    digests: {
      description: canonicalDigest({ name, title, description }),
      schema: canonicalDigest({ inputSchema, outputSchema }),
      annotations: canonicalDigest(annotations ?? {}),
    },
    shown: shownTool(tool),
    notes: hiddenNotes(redactor, { name, title, description, inputSchema, outputSchema, annotations }),
  };
}

/** The set of these tools. */
export function toolSet(pins: readonly ToolPin[]): ToolSet {
  const tools = [...pins].sort((left, right) => byName(left.name, right.name));
  return { digest: canonicalDigest(tools.map(({ name, digests }) => [name, digests])), tools };
}

/** What is different in `now`. Undefined where nothing is. */
export function changeOf(approved: ToolSet | undefined, now: ToolSet): McpToolsChange | undefined {
  if (approved?.digest === now.digest) return undefined;
  const before = byTurn(approved?.tools ?? []);
  const after = byTurn(now.tools);
  const names = [...new Set([...before.keys(), ...after.keys()])].sort(byName);
  const tools = names.flatMap((name) => toolChange(before.get(name), after.get(name)) ?? []);
  return Object.freeze({ isFirst: approved === undefined, digest: now.digest, tools });
}

/** Tools by name; a second one of a name, of which the first counts, has a key of its own. */
function byTurn(tools: readonly ToolPin[]): ReadonlyMap<string, ToolPin> {
  const keyed = new Map<string, ToolPin>();
  for (const tool of tools) {
    let key = tool.name;
    while (keyed.has(key)) key += '\0';
    keyed.set(key, tool);
  }
  return keyed;
}

function toolChange(before: ToolPin | undefined, after: ToolPin | undefined): McpToolChange | undefined {
  const parts = PARTS.filter((part) => before?.digests[part] !== after?.digests[part]);
  const [change, pin] =
    after === undefined ? (['removed', before] as const) : ([before ? 'changed' : 'added', after] as const);
  if (parts.length === 0 || pin === undefined) return undefined;
  return Object.freeze({
    // The first of its lines is its published name.
    name: pin.shown[0] ?? '',
    change,
    parts,
    before: before?.shown ?? [],
    after: after?.shown ?? [],
    notes: after?.notes ?? [],
  });
}
