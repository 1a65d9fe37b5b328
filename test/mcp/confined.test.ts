/** What the kernel holds MCP servers to: each attack works without the plan. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type ConfineOptions, ToolExecutor } from '../../ts/index.js';
import type { Toolkit } from '../../ts/toolkit.js';
import { listeners } from '../support/listener.js';
import { outside } from '../support/outside.js';
import { toolkits } from '../support/toolkits.js';
import { nodeServer } from './routers.js';

const { workspace, make } = toolkits();
const listen = listeners();
const beyond = outside();
/** What lies in /tmp is open to all that an executor starts. */
const distant = outside('/var/tmp');

const executors: ToolExecutor[] = [];
afterEach(async () => {
  await Promise.all(executors.splice(0).map((executor) => executor.close()));
});

/** The strictest terminal there is: none of it counts for servers. */
const STRICT = { allow: ['echo'], confine: { writes: 'none', exec: 'listed', network: 'none', remove: 'no' } } as const;

function reaching(confine?: ConfineOptions) {
  return { ...nodeServer('s', [], 'reaching'), ...(confine === undefined ? {} : { confine }) };
}

async function serving(confine?: ConfineOptions, terminal: object = STRICT): Promise<Toolkit> {
  return await make({ terminal, mcpServers: [reaching(confine)] });
}

async function ask(toolkit: Toolkit | ToolExecutor, tool: string, args: object): Promise<string> {
  return (await toolkit.execute(`mcp__s__${tool}`, args)).content;
}

describe('an MCP server', () => {
  it('connects, writes and starts what it likes, unless its options say otherwise', async () => {
    const { port, reached } = await listen();
    const toolkit = await serving();
    expect(await ask(toolkit, 'connect', { port })).toBe('done');
    expect(await ask(toolkit, 'write', { file: beyond.path('free') })).toBe('done');
    expect(await ask(toolkit, 'start', { program: '/bin/true' })).toBe('done');
    // A connection is there before it is accepted.
    await expect.poll(reached).toBe(1);
    expect(beyond.has('free')).toBe(true);
  });

  it('without a network connects to nothing, and speaks over its pipes all the same', async () => {
    const { port, reached } = await listen();
    expect(await ask(await serving({ network: 'none' }), 'connect', { port })).toBe('EAFNOSUPPORT');
    expect(reached()).toBe(0);
  });

  it('with a loopback meets what the toolkit’s sessions listen on, and nothing of the host', async () => {
    const { port, reached } = await listen();
    const toolkit = await serving({ network: 'loopback' });
    expect(await ask(toolkit, 'connect', { port })).toBe('ECONNREFUSED');
    const confine = { network: 'loopback' } as const;
    const session = await toolkit.sessions.open(`python3 -m http.server ${port} --bind 127.0.0.1`, { confine });
    expect(await session.read({ until: { port }, timeoutMs: 60_000 })).toMatchObject({ reason: 'matched' });
    expect(await ask(toolkit, 'connect', { port })).toBe('done');
    expect(reached()).toBe(0);
  });

  it('writes beneath the roots of the toolkit, where it is held to them', async () => {
    const toolkit = await serving({ writes: 'roots' });
    expect(await ask(toolkit, 'write', { file: beyond.path('held') })).toMatch(/^E(ACCES|ROFS)$/);
    expect(await ask(toolkit, 'write', { file: path.join(workspace, 'own') })).toBe('done');
    expect([beyond.has('held'), existsSync(path.join(workspace, 'own'))]).toEqual([false, true]);
  });

  it('starts itself and what the terminal allows, where it is held to the list', async () => {
    const toolkit = await serving({ exec: 'listed' });
    expect(await ask(toolkit, 'start', { program: '/bin/true' })).toMatch(/^E(ACCES|PERM)$/);
    expect(await ask(toolkit, 'start', { program: '/bin/echo' })).toBe('done');
  });

  it('is refused with a wrong option', async () => {
    const wrong = serving({ network: 'some' } as unknown as ConfineOptions);
    await expect(wrong).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
});

describe('an MCP server of a ToolExecutor', () => {
  async function connected(confine?: ConfineOptions): Promise<ToolExecutor> {
    const executor = new ToolExecutor(workspace, { deny: [] });
    executors.push(executor);
    await executor.connectMcpServers([reaching(confine)]);
    return executor;
  }

  it('is held to its options, with the workspace for a root', async () => {
    const { port, reached } = await listen();
    const held = await connected({ writes: 'roots', network: 'none' });
    expect(await ask(held, 'write', { file: distant.path('held') })).toMatch(/^E(ACCES|ROFS)$/);
    expect(await ask(held, 'connect', { port })).toBe('EAFNOSUPPORT');
    expect(await ask(held, 'write', { file: path.join(workspace, 'executor') })).toBe('done');
    expect([distant.has('held'), reached()]).toEqual([false, 0]);
    const free = await connected();
    expect(await ask(free, 'connect', { port })).toBe('done');
    expect(await ask(free, 'write', { file: distant.path('held') })).toBe('done');
  });
});
