import { describe, expect, it, vi } from 'vitest';
import { agentTools } from '../../ts/adapters/openai-agents.js';
import { OWN_TOOLS, toolkits } from '../support/toolkits.js';
import { nodeServer } from './routers.js';

const { workspace, make, audited } = toolkits();

describe('a toolkit with MCP servers', () => {
  it('lists their tools after its own, and says how the servers are', async () => {
    const toolkit = await make({ mcpServers: [{ ...nodeServer('one'), tools: ['where', 'echo'] }] });
    expect(toolkit.definitions().map(({ name }) => name)).toEqual([...OWN_TOOLS, 'mcp__one__echo', 'mcp__one__where']);
    expect(toolkit.definitions().at(-1)?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(toolkit.mcp?.servers.map((server) => ({ ...server }))).toEqual([
      { name: 'one', state: 'ready', tools: ['mcp__one__echo', 'mcp__one__where'], reason: '', problems: [] },
    ]);
    expect((await make()).mcp).toBeUndefined();
  });

  it('calls them through the same executor, with a record', async () => {
    const { toolkit, records } = await audited({ mcpServers: [nodeServer('one')] });
    expect(await toolkit.execute('mcp__one__echo', { text: 'hi' })).toMatchObject({
      content: 'raw: hi',
      isError: false,
      data: { kind: 'mcp', server: 'one', tool: 'echo', status: 'done' },
    });
    expect(records).toMatchObject([
      {
        tool: 'mcp__one__echo',
        decision: 'allow',
        detail: { kind: 'mcp', server: 'one', tool: 'echo', status: 'done', bytes: expect.any(Number) },
      },
    ]);
    expect((await toolkit.execute('mcp__one__where', {})).content).toContain(workspace.split('/').at(-1));
    expect(await toolkit.execute('mcp__one__echo', [])).toMatchObject({
      isError: true,
      data: { kind: 'refusal', refused: 'invalid_arguments' },
    });
    expect(await toolkit.execute('echo', {})).toMatchObject({ data: { refused: 'unknown_tool' } });
    const signal = AbortSignal.abort();
    expect(await toolkit.execute('mcp__one__echo', {}, { signal })).toMatchObject({ data: { status: 'cancelled' } });
  });

  it('bounds what they give by the limit of the toolkit', async () => {
    const toolkit = await make({ mcpServers: [nodeServer('one')], limits: { resultChars: 500 } });
    const { content } = await toolkit.execute('mcp__one__echo', { text: 'x'.repeat(5_000) });
    expect([...content].length).toBeLessThanOrEqual(500);
  });

  it('publishes of them only what `tools` names', async () => {
    const mcpServers = [nodeServer('one')];
    const toolkit = await make({ tools: ['terminal_run', 'mcp__one__echo'], mcpServers });
    expect(toolkit.definitions().map(({ name }) => name)).toEqual(['terminal_run', 'mcp__one__echo']);
    expect((await toolkit.execute('mcp__one__where', {})).content).toBe(
      'Unknown tool: mcp__one__where\nTools: terminal_run, mcp__one__echo',
    );
    await expect(make({ tools: ['mcp__two__echo'], mcpServers })).rejects.toMatchObject({ code: 'ERR_UNKNOWN_TOOL' });
  });

  it('is there although a server is not', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    try {
      const toolkit = await make({ mcpServers: [{ name: 'missing', command: '/nowhere/at-all' }] });
      expect(warned).toHaveBeenCalledTimes(1);
      expect(toolkit.mcp?.servers).toMatchObject([{ name: 'missing', state: 'down', tools: [] }]);
      expect(toolkit.definitions()).toHaveLength(OWN_TOOLS.length);
    } finally {
      warned.mockRestore();
    }
  });

  it('gives agents strict tools where strict can say it, and the schema as it is elsewhere', async () => {
    const open = { name: 'open', inputSchema: { type: 'object', properties: { any: { oneOf: [{}] } } } };
    const server = { ...nodeServer('one', ['--extra']), env: { EXTRA_TOOL: JSON.stringify(open) } };
    const toolkit = await make({ mcpServers: [{ ...server, tools: ['open', 'echo'] }] });
    const tools = agentTools(toolkit).slice(-2);
    expect(tools.map(({ name, strict }) => [name, strict])).toEqual([
      ['mcp__one__echo', true],
      ['mcp__one__open', false],
    ]);
    expect(tools[1]?.parameters).toMatchObject({ properties: { any: { oneOf: [{}] } }, additionalProperties: true });
    expect(tools[0]?.parameters).toMatchObject({ required: ['text'], additionalProperties: false });
  });
});
