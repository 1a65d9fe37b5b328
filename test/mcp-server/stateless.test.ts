/** The revision without a state, in which each request says which it speaks. */
import { describe, expect, it } from 'vitest';
import { MAX_SUBSCRIPTIONS } from '../../ts/mcp-server/limits.js';
import { META, PROTOCOL_VERSIONS } from '../../ts/mcp-server/protocol.js';
import { nodeServer } from '../mcp/routers.js';
import { until } from '../support/processes.js';
import { toolkits } from '../support/toolkits.js';
import { type Client, served } from './client.js';

const { make, audited } = toolkits();

const VERSION = '2026-07-28';

const meta = (capabilities: object = {}) => ({
  [META.protocolVersion]: VERSION,
  [META.clientCapabilities]: capabilities,
});

function request(client: Client, id: number, method: string, params: object = {}) {
  client.send({ id, method, params: { _meta: meta(), ...params } });
  return client.answer(id);
}

describe('the revision without a state', () => {
  it('is discovered, and lists and calls tools without initialize', async () => {
    const { client } = served(await make());
    const about = { _meta: { [META.serverInfo]: { name: 'handrail' } } };
    expect(await request(client, 1, 'server/discover')).toMatchObject({
      result: { ...{ resultType: 'complete', supportedVersions: [VERSION], capabilities: { tools: {} } }, ...about },
    });
    const { result } = await request(client, 2, 'tools/list');
    expect(result).toMatchObject({
      resultType: 'complete',
      cacheScope: 'private',
      ttlMs: expect.any(Number),
      ...about,
    });
    expect(result?.tools?.map(({ name }) => name)).toContain('terminal_run');
    const call = { name: 'terminal_run', arguments: { command: 'echo password=hunter2' } };
    expect(await request(client, 3, 'tools/call', call)).toMatchObject({
      result: {
        ...{ resultType: 'complete', isError: false, content: [{ type: 'text' }], ...about },
        structuredContent: { ok: true, kind: 'command', text: expect.stringContaining('password=[REDACTED]') },
      },
    });
  });

  it.each<[string, object, string, number]>([
    ['no capabilities', { [META.protocolVersion]: VERSION }, 'tools/list', -32_602],
    ['a revision that is no text', { ...meta(), [META.protocolVersion]: 7 }, 'tools/list', -32_602],
    ['a revision that is not spoken', { ...meta(), [META.protocolVersion]: '1900-01-01' }, 'tools/list', -32_022],
    [
      'a revision that begins with initialize',
      { ...meta(), [META.protocolVersion]: '2025-11-25' },
      'tools/list',
      -32_022,
    ],
    ['a method of another revision', meta(), 'ping', -32_601],
    ['initialize', meta(), 'initialize', -32_601],
    ['an unknown tool', meta(), 'tools/call', -32_602],
  ])('refuses %s', async (_title, about, method, code) => {
    const { client } = served(await make());
    client.send({ id: 1, method, params: { _meta: about, name: 'terminal_fly' } });
    const { error } = await client.answer(1);
    expect(error?.code).toBe(code);
    if (code === -32_022) expect(error).toMatchObject({ data: { supported: [VERSION, ...PROTOCOL_VERSIONS] } });
  });

  it('is spoken beside one that begins with initialize', async () => {
    const { client } = served(await make());
    client.send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    client.send({ id: 2, method: 'tools/list' });
    expect((await client.answer(2)).result).not.toHaveProperty('resultType');
    expect((await request(client, 3, 'tools/list')).result).toHaveProperty('resultType', 'complete');
  });

  it('tells of other tools who listens, each of its own request, until it is cancelled', async () => {
    const toolkit = await make({ mcpServers: [nodeServer('raw')] });
    const { client, end } = served(toolkit);
    for (const id of [1, 2]) {
      const notifications = { toolsListChanged: true, promptsListChanged: true };
      client.send({ id, method: 'subscriptions/listen', params: { _meta: meta(), notifications } });
    }
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await request(client, 3, 'tools/list');
    expect(client.answers.slice(0, 2)).toEqual(
      [1, 2].map((id) => ({
        ...{ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged' },
        params: { notifications: { toolsListChanged: true }, _meta: { [META.subscriptionId]: id } },
      })),
    );
    await request(client, 4, 'tools/call', { name: 'mcp__raw__grow', arguments: { name: 'late' } });
    const told = () => client.answers.filter(({ method }) => method === 'notifications/tools/list_changed');
    await until(() => told().length > 0);
    expect(told().map(({ params }) => params)).toEqual([{ _meta: { [META.subscriptionId]: 2 } }]);
    end.abort();
    expect(await client.answer(2)).toEqual({
      ...{ jsonrpc: '2.0', id: 2 },
      result: { resultType: 'complete', _meta: { [META.subscriptionId]: 2 } },
    });
    expect(client.answers.some(({ id }) => id === 1)).toBe(false);
  });

  it('has a bound for those who listen', async () => {
    const { client } = served(await make());
    for (let id = 0; id <= MAX_SUBSCRIPTIONS; id += 1) {
      client.send({ id, method: 'subscriptions/listen', params: { _meta: meta() } });
    }
    expect((await client.answer(MAX_SUBSCRIPTIONS)).error?.code).toBe(-32_603);
    client.send({ method: 'notifications/cancelled', params: { requestId: 0 } });
    client.send({ id: 900, method: 'subscriptions/listen', params: { _meta: meta() } });
    await request(client, 901, 'tools/list');
    expect(client.answers.some(({ id }) => id === 900)).toBe(false);
  });
});

describe('a batch', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };

  it('is answered by one list, where the revision has batches', async () => {
    const { toolkit } = await audited();
    const { client } = served(toolkit);
    client.send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-03-26' } });
    const call = { name: 'terminal_run', arguments: { command: 'echo hi' } };
    const messages = [list, notification, ping, { ...list, id: 3, method: 'tools/call', params: call }, 7];
    client.write(`${JSON.stringify(messages)}\n`);
    await client.answer(0);
    const find = () => client.answers.find((answer) => Array.isArray(answer)) as unknown as { id: unknown }[];
    await until(() => find() !== undefined);
    const answers = find();
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([1, 2, 3, null]));
  });

  it.each([
    ['2025-11-25', [list]],
    ['2025-03-26', []],
    ['2025-03-26', Array.from({ length: 65 }, () => ping)],
  ])('is refused under %s where it is none', async (protocolVersion, messages) => {
    const { client } = served(await make());
    client.send({ id: 0, method: 'initialize', params: { protocolVersion } });
    client.write(`${JSON.stringify(messages)}\n`);
    expect((await client.answer(null)).error?.code).toBe(-32_600);
  });
});
