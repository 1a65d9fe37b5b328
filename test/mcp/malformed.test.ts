import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, vi } from 'vitest';
import { agentTools } from '../../ts/adapters/openai-agents.js';
import { MAX_KIND_CHARS, MAX_LIST_PROBLEMS } from '../../ts/mcp/limits.js';
import type { Toolkit } from '../../ts/toolkit.js';
import { toolkits } from '../support/toolkits.js';
import { nodeServer, routers } from './routers.js';

const open = routers();
const { make } = toolkits();
const server = nodeServer('bad', [], 'malformed');

/** The adapter, where this Node can load its package. */
const ai = await import('../../ts/adapters/ai.js').catch(() => undefined);

/** A toolkit with the server, and the names of its tools. */
async function quietToolkit(): Promise<{ readonly toolkit: Toolkit; readonly names: string[] }> {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const toolkit = await make({ mcpServers: [server] });
  warned.mockRestore();
  return { toolkit, names: [...Object.keys(MEANT), ...UNSHOWN, ...DEEP].map((name) => `mcp__bad__${name}`) };
}

/** Tools of the server as they are meant, by what it calls them. */
const MEANT: Record<string, object> = {
  first: { properties: { a: { type: 'string' } }, required: ['a'] },
  last: { properties: { b: { type: 'number' } }, required: [] },
  'empty-schema': { properties: {}, required: [] },
  'no-type': { properties: { a: { type: 'string' } }, required: ['a'] },
  'type-list': { properties: { a: { type: 'string' } }, required: [] },
  'empty-list': { properties: {}, required: [] },
  'true-property': { properties: { a: {} }, required: [] },
  'any-of': { properties: { a: { type: 'string' }, b: { type: 'number' } }, required: [] },
  'one-of-references': {
    properties: { a: { type: 'string' }, kind: { anyOf: [{ const: 'a' }, { const: 'b' }] } },
    required: [],
  },
  'all-of': { properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
  'number-description': { properties: { a: { type: 'string' } } },
  'object-title': { properties: {} },
  'wrong-hints': { properties: {} },
  'wrong-output': { properties: { a: { type: 'string' } } },
};

/** Those that take any object, because their schema cannot be shown. */
const UNSHOWN = ['no-schema', 'null-schema', 'wrong-type', 'wrong-properties', 'wrong-required', 'wrong-any-of'];
const DEEP = ['deep-2000', 'deep-100000'];

describe('a list of tools with wrong entries', () => {
  it('keeps every tool that can be called', async () => {
    const { router } = await open([server]);
    const published = new Map(router.tools.map((tool) => [tool.tool, tool]));
    expect([...published.keys()].toSorted()).toEqual([...Object.keys(MEANT), ...UNSHOWN, ...DEEP].toSorted());
    for (const [name, parameters] of Object.entries(MEANT)) {
      expect(published.get(name)?.parameters, name).toMatchObject({ type: 'object', ...parameters });
      expect(published.get(name)?.description, name).not.toContain('not described');
    }
    for (const name of [...UNSHOWN, ...DEEP]) {
      const any = { type: 'object', properties: {}, required: [], additionalProperties: true };
      expect(published.get(name)?.parameters, name).toEqual(any);
      expect(published.get(name)?.description, name).toContain(' Its arguments are not described: ');
    }
    expect(published.get('first')?.description).toBe('Is good.');
    expect(published.get('any-of')?.description).toBe('A tool of the MCP server bad. Takes one of these: (a) or (b).');
    expect(published.get('any-of')?.parameters).not.toHaveProperty('anyOf');
    expect(published.get('wrong-hints')?.hints).toMatchObject({ title: 'wrong-hints', readOnlyHint: false });
  });

  it('says what was left out, once', async () => {
    const { router, warnings } = await open([server]);
    const { problems } = router.servers()[0] ?? { problems: [] };
    expect(problems).toHaveLength(MAX_LIST_PROBLEMS + 1);
    expect(problems.slice(0, 3)).toEqual([
      'an entry of its list without a name was left out',
      'an entry of its list without a name was left out',
      'deep-100000 is published in part: its schema is deeper than 32 levels',
    ]);
    expect(problems).toContain('no-object was left out: its inputSchema is of another type than object');
    expect(problems).toContain('number-description is published in part: its description is no text');
    expect(problems).toContain('wrong-type is published in part: its schema is not valid (it has a wrong type)');
    expect(problems.at(-1)).toBe('1 more like these');
    expect(warnings).toEqual([`The MCP server bad has tools that are not as they should be:\n${problems.join('\n')}`]);
  });

  it('loses all of them to a client that checks the list as one', async () => {
    const { command, args = [] } = server;
    const client = new Client({ name: 'other', version: '1' });
    await client.connect(new StdioClientTransport({ command, args: [...args] }));
    try {
      await expect(client.listTools()).rejects.toThrow(/^Invalid result|call stack/);
      await expect(client.callTool({ name: 'first' })).rejects.toThrow('Invalid result for tools/call');
    } finally {
      await client.close();
    }
  });

  it('is taken whole by the OpenAI Agents SDK', async () => {
    const { toolkit, names } = await quietToolkit();
    const tools = agentTools(toolkit, { tools: names });
    expect(tools).toHaveLength(names.length);
    // The SDK has names of its own for those with a hyphen.
    const anyOf = tools.find(({ name }) => name === 'mcp__bad__any_of');
    expect([anyOf?.strict, Object.keys(anyOf?.parameters.properties ?? {})]).toEqual([true, ['a', 'b']]);
  });

  it('is taken whole by the AI SDK', async ({ skip }) => {
    if (ai === undefined) return skip('skipped: ai needs Node 22');
    const { toolkit, names } = await quietToolkit();
    const tools = ai.aiTools(toolkit, { tools: names });
    expect(Object.keys(tools).toSorted()).toEqual(names.toSorted());
    for (const { inputSchema } of Object.values(tools)) {
      const { jsonSchema: schema } = inputSchema as { readonly jsonSchema: unknown };
      expect(await schema).toMatchObject({ type: 'object' });
      for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref']) expect(await schema).not.toHaveProperty(keyword);
    }
  });
});

describe('an answer with wrong content', () => {
  it('keeps what is right, and says what was left out', async () => {
    const { call } = await open([server]);
    const data = await call('first');
    expect(data).toMatchObject({ status: 'done', ok: true });
    expect(data.text.split('\n')).toEqual([
      'kept',
      '[left out: content of the unknown type hologram]',
      `[left out: content of the unknown type ${'odd'.padEnd(MAX_KIND_CHARS, '!')}]`,
      '[left out: content that is no object]',
      '[left out: content that is no object]',
      '[left out: content without a type]',
      '[left out: content without a type]',
      '[left out: a text without its text]',
      '[left out: a text without its text]',
      '[left out: an image without data in base64]',
      '[left out: an image without data in base64]',
      '[left out: an image without its mimeType]',
      '[left out: an audio without data in base64]',
      '[left out: a resource without its uri]',
      '[left out: a resource with neither a text nor data in base64]',
      '[left out: a resource with neither a text nor data in base64]',
      '[left out: a link without its uri and name]',
      '[image/png 3 bytes]',
      'kept too',
    ]);
    expect(data.blocks).toHaveLength(19);
    expect(data.blocks[1]).toEqual({ type: 'unreadable', reason: 'content of the unknown type hologram' });
  });

  it('is kept where its structured content is deeper than a stack', async () => {
    const { call } = await open([server]);
    const data = await call('deep-2000');
    expect(data).toMatchObject({ status: 'done', text: 'kept' });
    expect(data.structured).toBeUndefined();
    expect(data.bytes).toBeGreaterThan(2_000_000);
  });

  it('is a failure where it does not plainly say that it is none', async () => {
    const { call } = await open([server]);
    expect(await call('last')).toMatchObject({ status: 'failed', ok: false });
  });

  it('may be nothing at all', async () => {
    const { call } = await open([server]);
    expect(await call('no-schema')).toMatchObject({ status: 'done', text: '', blocks: [] });
  });
});
