import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ToolExecutor } from '../../ts/index.js';
import type { McpServerOptions } from '../../ts/mcp/server-options.js';
import { folderPerTest } from '../support/folder.js';
import { living, marker, until } from '../support/processes.js';
import { toolkits } from '../support/toolkits.js';
import { nodeServer, routers } from './routers.js';

const open = routers();
const folder = folderPerTest();
const { make } = toolkits();

const notesFile = () => path.join(folder(), 'notes');
const notes = () => (existsSync(notesFile()) ? readFileSync(notesFile(), 'utf8').trimEnd().split('\n') : []);

function endingServer(mode: string, mark?: string): McpServerOptions & { readonly command: string } {
  const args = mark === undefined ? [mode] : [mode, mark];
  return { ...nodeServer('ending', args, 'ending'), env: { NOTES_FILE: notesFile() } };
}

describe('the end of a server', () => {
  it('is the end of its input; what it flushes then is there, whoever closes', async () => {
    const flushed = ['end of input', 'flushed'];
    const { router } = await open([endingServer('input')]);
    await router.close();
    expect(notes()).toEqual(flushed);

    const toolkit = await make({ mcpServers: [endingServer('input')] });
    await toolkit.close();
    expect(notes()).toEqual([...flushed, ...flushed]);

    const executor = new ToolExecutor(folder());
    await executor.connectMcpServers([endingServer('input')]);
    await executor.close();
    expect(notes()).toEqual([...flushed, ...flushed, ...flushed]);
  });

  it('is SIGTERM where it stays after the end of its input; what it flushes then is there', async () => {
    const toolkit = await make({ mcpServers: [endingServer('signal')] });
    await toolkit.close();
    expect(notes()).toEqual(['end of input', 'TERM', 'flushed']);
  });

  it('is SIGKILL where it stays after that too, with what it started', async () => {
    const mark = marker();
    const toolkit = await make({ mcpServers: [endingServer('none', mark)] });
    expect(await until(() => living(mark).length > 0)).toBeDefined();
    await toolkit.close();
    expect(notes()).toEqual(['end of input', 'TERM']);
    expect(living(mark)).toEqual([]);
  });

  it('finds one that is stopped: it is woken to hear of it', async () => {
    const mark = marker();
    const toolkit = await make({ mcpServers: [endingServer('frozen', mark)] });
    expect(await until(() => living(mark).some(({ pid }) => isStopped(pid)))).toBeDefined();
    await toolkit.close();
    expect(notes().toSorted()).toEqual(['TERM', 'end of input']);
    expect(living(mark)).toEqual([]);
  });

  it('without any of these loses what it holds', async () => {
    const { command, args = [], env = {} } = endingServer('input');
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(notes()).not.toContain('flushed');
  });
});

function isStopped(pid: number): boolean {
  return readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') T ');
}
