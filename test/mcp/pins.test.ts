import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { McpServerInfo } from '../../ts/mcp/server-info.js';
import type { McpServerOptions } from '../../ts/mcp/server-options.js';
import type { Toolkit } from '../../ts/toolkit.js';
import { end, living } from '../support/processes.js';
import { toolkits } from '../support/toolkits.js';
import { APPROVED, CHANGES, type Listed, NO_CHANGES } from './changes.js';
import { nodeServer } from './routers.js';

const { make } = toolkits();

let folder: string;
let list: string;
let mcpLock: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-pins-'));
  list = path.join(folder, 'tools.json');
  mcpLock = path.join(folder, 'mcp.lock');
  listTools(APPROVED);
  vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const listTools = (tools: readonly Listed[]) => writeFileSync(list, JSON.stringify(tools));

function changing(more: Partial<McpServerOptions> = {}): McpServerOptions[] {
  return [{ ...nodeServer('one', [list], 'changing'), ...more }, nodeServer('two')];
}

/** What a model reads of the first server. */
const offered = (toolkit: Toolkit): string =>
  JSON.stringify(toolkit.definitions().filter(({ name }) => name.startsWith('mcp__one__')));

const first = (toolkit: Toolkit): McpServerInfo | undefined => toolkit.mcp?.servers[0];

/** Approves what the first server lists. */
function approve(toolkit: Toolkit): void {
  toolkit.mcp?.approve('one', first(toolkit)?.unapproved?.digest ?? '');
}

/** A lock file in which both servers are approved as they are. */
async function locked(): Promise<string> {
  const toolkit = await make({ mcpServers: changing(), mcpLock });
  expect(offered(toolkit)).toBe('[]');
  for (const { name, unapproved } of toolkit.mcp?.servers ?? []) toolkit.mcp?.approve(name, unapproved?.digest ?? '');
  const before = offered(toolkit);
  expect(before).toContain('mcp__one__search');
  await toolkit.close();
  return before;
}

describe('a server that has changed since it was approved', () => {
  it.each(Object.entries(CHANGES))('is not offered at the next start: %s', async (_way, { now }) => {
    await locked();
    listTools(now);
    const toolkit = await make({ mcpServers: changing(), mcpLock });
    expect(offered(toolkit)).toBe('[]');
    expect(first(toolkit)?.unapproved?.isFirst).toBe(false);
    expect(first(toolkit)?.unapproved?.tools.length).toBeGreaterThan(0);
    expect((await toolkit.execute('mcp__one__search', { words: 'a' })).content).toContain('Unknown tool');
    // The others are there as before, and so is this one once somebody has approved it.
    expect((await toolkit.execute('mcp__two__echo', { text: 'hi' })).isError).toBe(false);
    approve(toolkit);
    expect(offered(toolkit)).not.toBe('[]');
  });

  it.each(Object.entries(CHANGES))('is not offered any more when it says so meanwhile: %s', async (_way, { now }) => {
    const toolkit = await make({ mcpServers: changing() });
    const told: McpServerInfo[] = [];
    toolkit.on('tools', (server) => told.push(server));
    expect(offered(toolkit)).toContain('mcp__one__search');
    listTools(now);
    // The answer comes with the announcement.
    expect((await toolkit.execute('mcp__one__search', { words: 'a' })).content).toBe('search was called');
    await expect.poll(() => told.length).toBe(1);
    expect(told[0]?.unapproved?.isFirst).toBe(false);
    expect(offered(toolkit)).toBe('[]');
    expect((await toolkit.execute('mcp__one__search', { words: 'a' })).isError).toBe(true);
  });

  it.each(Object.entries(CHANGES))('comes to the model where it is not pinned: %s', async (_way, { now, shows }) => {
    const before = await locked();
    listTools(now);
    const toolkit = await make({ mcpServers: changing({ pinned: false }), mcpLock });
    expect(first(toolkit)?.unapproved).toBeUndefined();
    expect(offered(toolkit)).not.toBe('[]');
    if (shows === undefined) return;
    expect(before).not.toContain(shows);
    expect(offered(toolkit)).toContain(shows);
  });

  it.each(Object.entries(NO_CHANGES))('is offered as before where that is no change: %s', async (_way, now) => {
    const before = await locked();
    listTools(now);
    const toolkit = await make({ mcpServers: changing(), mcpLock });
    expect(first(toolkit)?.unapproved).toBeUndefined();
    expect(offered(toolkit).length).toBe(before.length);
  });
});

describe('a pin', () => {
  it('belongs to the program: another one of the same name is another server', async () => {
    await locked();
    const other = path.join(folder, 'other.json');
    writeFileSync(other, JSON.stringify(APPROVED));
    const toolkit = await make({ mcpServers: [nodeServer('one', [other], 'changing')], mcpLock });
    expect(offered(toolkit)).toBe('[]');
    expect(first(toolkit)?.unapproved?.isFirst).toBe(true);
  });

  it('of a process holds for the next toolkit too', async () => {
    await (await make({ mcpServers: changing() })).close();
    listTools(CHANGES['a new tool']?.now ?? []);
    const toolkit = await make({ mcpServers: changing() });
    expect(offered(toolkit)).toBe('[]');
    approve(toolkit);
    expect(offered(toolkit)).toContain('mcp__one__upload');
  });

  it('holds for a server that is started again by a call', async () => {
    const toolkit = await make({ mcpServers: changing() });
    const [server] = living(list);
    listTools(CHANGES['names that are swapped']?.now ?? []);
    end(server === undefined ? [] : [server]);
    await expect.poll(() => first(toolkit)?.state).toBe('down');
    const { content, isError } = await toolkit.execute('mcp__one__search', { words: 'a' });
    expect({ content, isError }).toEqual({
      content: 'The MCP server one was not called: it has other tools than were approved',
      isError: true,
    });
  });

  it('is not approved by the digest of another change, nor of a server that is not there', async () => {
    const toolkit = await make({ mcpServers: changing(), mcpLock });
    const { digest = '' } = first(toolkit)?.unapproved ?? {};
    for (const [server, seen] of [
      ['one', digest.replace(/^./, 'x')],
      ['three', digest],
    ] as const) {
      expect(() => toolkit.mcp?.approve(server, seen)).toThrow(
        expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }),
      );
    }
    toolkit.mcp?.approve('one', digest);
    expect(() => toolkit.mcp?.approve('one', digest)).toThrow('no unapproved change');
  });
});
