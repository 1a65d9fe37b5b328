import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { McpServerInfo, Toolkit } from '../../ts/index.js';
import type { McpServerOptions } from '../../ts/mcp/server-options.js';
import { served } from '../mcp-server/client.js';
import { folderPerTest } from '../support/folder.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { living, marker, until } from '../support/processes.js';
import { toolkits } from '../support/toolkits.js';
import { nodeServer } from './routers.js';

const folder = folderPerTest();
const { make } = toolkits();
const PATIENCE = { timeout: LIVENESS_MS };
let warnings: string[];

beforeEach(() => {
  warnings = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((message) => void warnings.push(String(message)));
});

afterEach(() => {
  vi.restoreAllMocks();
});

const gate = () => path.join(folder(), 'gate');
const calls = () => path.join(folder(), 'calls');

/** A server that says nothing until its gate is opened. */
function gated(name: string, ...more: readonly string[]): McpServerOptions {
  return { ...nodeServer(name, ['--gated', ...more]), env: { GATE_FILE: gate(), CALLS_FILE: calls() } };
}

const namesOf = (toolkit: Toolkit) =>
  toolkit
    .definitions()
    .map(({ name }) => name)
    .filter((name) => name.endsWith('__echo'));

function changesOf(toolkit: Toolkit): McpServerInfo[] {
  const changes: McpServerInfo[] = [];
  toolkit.on('tools', (server) => changes.push(server));
  return changes;
}

describe('a server that is late', () => {
  it('holds nobody up, and its tools come with an event', async () => {
    const toolkit = await make({ mcpServers: [gated('late'), nodeServer('fine')], mcpReadyMs: 0 });
    const changes = changesOf(toolkit);
    await vi.waitFor(() => expect(namesOf(toolkit)).toEqual(['mcp__fine__echo']), PATIENCE);
    await vi.waitFor(() => expect(toolkit.mcp?.servers[1]?.state).toBe('ready'), PATIENCE);
    expect(toolkit.mcp?.servers.map(({ name, state }) => [name, state])).toEqual([
      ['late', 'connecting'],
      ['fine', 'ready'],
    ]);
    expect(warnings).toContain('The MCP server late is not ready after 0 ms: its tools come when it is');
    expect((await toolkit.execute('mcp__late__echo', {})).isError).toBe(true);
    writeFileSync(gate(), 'open');
    // The other one may have been ready before anybody listened.
    const ofLate = () => changes.filter(({ name }) => name === 'late');
    await vi.waitFor(() => expect(ofLate()).toHaveLength(1), PATIENCE);
    expect(ofLate()[0]).toMatchObject({ state: 'ready', reason: '', problems: [] });
    expect(ofLate()[0]?.tools).toContain('mcp__late__echo');
    expect(namesOf(toolkit)).toEqual(['mcp__fine__echo', 'mcp__late__echo']);
    expect((await toolkit.execute('mcp__late__echo', { text: 'hi' })).content).toBe('raw: hi');
  });

  it('is waited for as long as the host says', async () => {
    const made = make({ mcpServers: [gated('late'), nodeServer('fine')], mcpReadyMs: 60_000 });
    let isMade = false;
    void made.then(() => {
      isMade = true;
    });
    expect(await until(() => existsSync(calls()))).toBeDefined();
    expect(isMade).toBe(false);
    writeFileSync(gate(), 'open');
    expect(namesOf(await made)).toEqual(['mcp__fine__echo', 'mcp__late__echo']);
    expect(warnings).toEqual([]);
  });

  it('says with the same event that it failed', async () => {
    const toolkit = await make({ mcpServers: [gated('late')], mcpReadyMs: 0 });
    const changes = changesOf(toolkit);
    writeFileSync(gate(), 'exit');
    await vi.waitFor(() => expect(changes).toHaveLength(1), PATIENCE);
    expect(changes[0]).toMatchObject({ name: 'late', state: 'down', tools: [], reason: 'it exited with code 9' });
    expect(warnings.at(-1)).toBe('The MCP server late is not connected: it exited with code 9');
  });

  it('is ended by close, without a word', async () => {
    const mark = marker();
    const toolkit = await make({ mcpServers: [gated('late', mark)], mcpReadyMs: 0 });
    const changes = changesOf(toolkit);
    expect(await until(() => living(mark).length > 0)).toBeDefined();
    await toolkit.close();
    expect([living(mark), changes]).toEqual([[], []]);
  });
});

describe('a server that has other tools than before', () => {
  it('is told of once, also to a client that the toolkit is served to', async () => {
    const toolkit = await make({ mcpServers: [{ ...nodeServer('one'), pinned: false }] });
    const changes = changesOf(toolkit);
    const { client, end } = served(toolkit);
    client.send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    expect((await client.answer(1)).result).toMatchObject({ capabilities: { tools: { listChanged: true } } });
    await toolkit.execute('mcp__one__grow', { name: 'fresh' });
    await vi.waitFor(() => expect(changes).toHaveLength(1), PATIENCE);
    expect(changes[0]?.tools).toContain('mcp__one__fresh');
    const told = () => client.answers.filter(({ method }) => method === 'notifications/tools/list_changed');
    await vi.waitFor(() => expect(told()).toHaveLength(1), PATIENCE);
    end.abort();
  });

  it('is told of to nobody who does not listen any more, and a listener that throws does no harm', async () => {
    const toolkit = await make({ mcpServers: [{ ...nodeServer('one'), pinned: false }] });
    const changes: McpServerInfo[] = [];
    const gone = (server: McpServerInfo) => changes.push(server);
    toolkit.on('tools', gone).off('tools', gone);
    toolkit.on('tools', () => {
      throw new Error('password=hunter2');
    });
    await toolkit.execute('mcp__one__grow', { name: 'fresh' });
    await vi.waitFor(() => expect(warnings).toEqual(['A listener failed: password=[REDACTED]']), PATIENCE);
    expect(changes).toEqual([]);
  });
});
