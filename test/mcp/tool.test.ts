import { describe, expect, it } from 'vitest';
import { mcpArguments } from '../../ts/mcp/arguments.js';
import {
  MAX_ARGUMENTS_BYTES,
  MAX_DESCRIPTION_CHARS,
  MAX_SCHEMA_BYTES,
  MAX_TOOL_NAME_CHARS,
} from '../../ts/mcp/limits.js';
import { Lines } from '../../ts/mcp/lines.js';
import { publishedName } from '../../ts/mcp/names.js';
import type { McpSchema } from '../../ts/mcp/schema.js';
import { readTool } from '../../ts/mcp/tool.js';
import { Redactor } from '../../ts/redaction/redactor.js';

const redactor = new Redactor();
const SECRET = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

function cleaned(tool: Record<string, unknown>) {
  const read = readTool(redactor, 'one', { name: 'tool', inputSchema: { type: 'object' }, ...tool });
  if (read.tool === undefined) throw new Error(read.problem);
  return read.tool;
}

describe('published names', () => {
  it('are those of server and tool where that fits', () => {
    expect(publishedName('files', 'read_file-2')).toBe('mcp__files__read_file-2');
    const longest = 'x'.repeat(MAX_TOOL_NAME_CHARS - 'mcp__files__'.length);
    expect(publishedName('files', longest)).toBe(`mcp__files__${longest}`);
  });

  it('have a hash where they are too long or have other characters', () => {
    const names = ['a.b', 'a_b', 'a/b', 'a\u00e9b', 'x'.repeat(60), `${'x'.repeat(60)}y`].map((name) =>
      publishedName('files', name),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^mcp__files__[A-Za-z0-9_-]+$/);
    expect(Math.max(...names.map((name) => name.length))).toBe(MAX_TOOL_NAME_CHARS);
    expect(publishedName('files', 'a.b')).toBe(publishedName('files', 'a.b'));
  });
});

describe('what a server says of a tool', () => {
  it('has no character that is not seen, no secret, and is bounded', () => {
    const { description, parameters } = cleaned({
      description: `Reads\u202e\u200b a\u001b[31m file \u{e0041}with ${SECRET}.\n${'x'.repeat(3_000)}`,
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string', description: `\u2066${SECRET} ${'y'.repeat(3_000)}` }, 'a\u200bb': {} },
        required: ['path', 'a\u200bb'],
      },
    });
    expect(description.startsWith('Reads a file with [REDACTED].\n')).toBe(true);
    expect([...description]).toHaveLength(MAX_DESCRIPTION_CHARS);
    const shown = parameters.properties['path']?.['description'] as string;
    expect([shown.startsWith('[REDACTED] y'), [...shown].length]).toEqual([true, MAX_DESCRIPTION_CHARS]);
    expect(Object.keys(parameters.properties)).toEqual(['path']);
    expect(parameters.required).toEqual(['path']);
  });

  it('is replaced where its schema is too large or too deep', () => {
    const around = Buffer.byteLength(JSON.stringify({ type: 'object', title: '' }));
    const sized = (bytes: number) => cleaned({ inputSchema: { type: 'object', title: 'x'.repeat(bytes - around) } });
    expect(sized(MAX_SCHEMA_BYTES).description).not.toContain('too large');
    expect(sized(MAX_SCHEMA_BYTES + 1)).toMatchObject({
      description: expect.stringContaining('its schema is too large'),
      parameters: { type: 'object', properties: {}, additionalProperties: true },
    });
    let deep: Record<string, unknown> = { type: 'string' };
    for (let level = 0; level < 40; level += 1) deep = { type: 'array', items: deep };
    expect(cleaned({ inputSchema: { type: 'object', properties: { deep } } }).parameters.properties).toEqual({});
  });

  it('maps its hints, and assumes the worst of what it does not say', () => {
    expect(cleaned({}).hints).toEqual({
      title: 'tool',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    });
    expect(cleaned({ annotations: { readOnlyHint: true, destructiveHint: false } }).hints).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
    });
  });
});

describe('arguments for a server', () => {
  const schema: McpSchema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: ['string', 'null'] }, c: { type: 'string' } },
    required: ['c'],
    additionalProperties: true,
  };

  it('are an object of a bounded size', () => {
    for (const wrong of [undefined, null, 'text', 1, [], { toJSON: () => 'text' }, { a: 1n }]) {
      expect(mcpArguments(schema, wrong).ok).toBe(false);
    }
    const around = Buffer.byteLength(JSON.stringify({ a: '' }));
    const sized = (bytes: number) => mcpArguments(schema, { a: 'x'.repeat(bytes - around) }).ok;
    expect([sized(MAX_ARGUMENTS_BYTES), sized(MAX_ARGUMENTS_BYTES + 1)]).toEqual([true, false]);
  });

  it('lose null only where it stands for what was left out', () => {
    const given = mcpArguments(schema, { a: null, b: null, c: null, other: null });
    expect(given).toEqual({ ok: true, value: { b: null, c: null, other: null } });
  });

  it('keep a key that only looks like one of the language', () => {
    const args = JSON.parse('{"__proto__": {"x": 1}}') as unknown;
    expect(JSON.stringify(mcpArguments(schema, args))).toBe('{"ok":true,"value":{"__proto__":{"x":1}}}');
  });
});

describe('lines', () => {
  it('are the same however they come', () => {
    const bytes = Buffer.from('one\r\n\nzw\u00f6\u20ac\nrest');
    for (let size = 1; size <= bytes.length; size += 1) {
      const lines = new Lines(100);
      const all: string[] = [];
      for (let at = 0; at < bytes.length; at += size) all.push(...lines.take(bytes.subarray(at, at + size)));
      expect(all).toEqual(['one', '', 'zw\u00f6\u20ac']);
    }
  });

  it('have a bound', () => {
    expect([...new Lines(3).take(Buffer.from('abc\n'))]).toEqual(['abc']);
    expect(() => [...new Lines(3).take(Buffer.from('abcd'))]).toThrow('a line of more than 3 bytes');
  });
});
