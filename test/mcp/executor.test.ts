import { afterEach, describe, expect, it, vi } from 'vitest';
import { ToolExecutor, type ToolExecutorOptions } from '../../ts/index.js';
import { folderPerTest } from '../support/folder.js';
import { nodeServer } from './routers.js';
import { WatchedServices } from './watched-services.js';

const folder = folderPerTest();
const made: { executor: ToolExecutor; services: WatchedServices }[] = [];

function open(options: ToolExecutorOptions = {}) {
  const services = new WatchedServices();
  const executor = new ToolExecutor(folder(), options, services);
  made.push({ executor, services });
  return { executor, services };
}

afterEach(async () => {
  const used = made.splice(0);
  await Promise.all(used.map(({ executor }) => executor.close()));
  expect(used.map(({ services }) => services.alive)).toEqual(used.map(() => 0));
  await Promise.all(used.map(({ services }) => services.close()));
});

describe('ToolExecutor with MCP servers', () => {
  it('tool_executor_mcp_tool_map_routing: empty at first, then who has what, then empty again', async () => {
    const { executor } = open();
    expect([executor.mcpClients.size, executor.mcpToolMap.size]).toEqual([0, 0]);
    const few = { ...nodeServer('two', ['two']), tools: ['echo'] };
    await executor.connectMcpServers([{ ...nodeServer('one'), tools: ['echo', 'where'] }, few]);
    expect([...executor.mcpClients.keys()]).toEqual(['one', 'two']);
    expect(Object.fromEntries(executor.mcpToolMap)).toEqual({
      mcp__one__echo: 'one',
      mcp__one__where: 'one',
      mcp__two__echo: 'two',
    });
    expect(executor.allToolDefs().map(({ name }) => name)).toEqual([
      'bash',
      'read',
      'write',
      'edit',
      'mcp__one__echo',
      'mcp__one__where',
      'mcp__two__echo',
    ]);
    expect(await executor.execute('mcp__two__echo', { text: 'hi' })).toEqual({ content: 'two: hi', isError: false });
    expect(await executor.execute('where', {})).toEqual({ content: folder(), isError: false });
    expect(await executor.execute('echo', {})).toEqual({
      content: 'Error: several servers have this tool: call mcp__one__echo or mcp__two__echo',
      isError: true,
    });
    await Promise.all([executor.shutdownMcp(), executor.shutdownMcp()]);
    expect([executor.mcpClients.size, executor.mcpToolMap.size]).toEqual([0, 0]);
    expect(await executor.execute('mcp__one__echo', {})).toEqual({
      content: 'Unknown tool: mcp__one__echo',
      isError: true,
    });
    await executor.connectMcpServers([nodeServer('one')]);
    expect((await executor.execute('mcp__one__echo', { text: 'hi' })).content).toBe('raw: hi');
  });

  it('built-in names are reserved in any case', async () => {
    const { executor } = open();
    const tool = JSON.stringify({ name: 'Read', inputSchema: { type: 'object' } });
    await executor.connectMcpServers([{ ...nodeServer('one', ['--extra']), env: { EXTRA_TOOL: tool } }]);
    expect(executor.mcpToolMap.get('mcp__one__Read')).toBe('one');
    expect((await executor.execute('Read', {})).content).toBe("Error: 'file_path' parameter is required");
    expect((await executor.execute('READ', {})).content).toBe("Error: 'file_path' parameter is required");
  });

  it('allowedTools holds for what is listed and what is called', async () => {
    const { executor } = open({ allowedTools: ['READ', 'mcp__one__echo'] });
    await executor.connectMcpServers([nodeServer('one')]);
    expect(executor.allToolDefs().map(({ name }) => name)).toEqual(['read', 'mcp__one__echo']);
    expect((await executor.execute('echo', { text: 'hi' })).content).toBe('raw: hi');
    for (const name of ['where', 'mcp__one__where', 'MCP__ONE__ECHO', 'bash']) {
      expect(await executor.execute(name, {}), name).toEqual({ content: `Unknown tool: ${name}`, isError: true });
    }
    const none = open({ allowedTools: [] }).executor;
    await none.connectMcpServers([nodeServer('one')]);
    expect(none.allToolDefs()).toEqual([]);
    expect((await none.execute('echo', {})).isError).toBe(true);
  });

  it('a server that cannot start is a process warning, and the others go on', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    try {
      const { executor } = open();
      await executor.connectMcpServers([{ name: 'missing', command: '/nowhere/at-all' }, nodeServer('one')]);
      expect(warned.mock.calls).toEqual([
        [
          'The MCP server missing is not connected: The service was not started: there is no file at the path of the program; it may have to be installed first',
          { type: 'HandrailWarning', code: 'HANDRAIL_MCP' },
        ],
      ]);
      expect([...executor.mcpClients.keys()]).toEqual(['one']);
    } finally {
      warned.mockRestore();
    }
  });

  it('a wrong option or a name that is taken is refused before anything starts', async () => {
    const { executor, services } = open();
    const refused = { code: 'ERR_INVALID_ARGUMENT' };
    const wrong = [{ name: 'one' }, { ...nodeServer('one'), command: '' }, { ...nodeServer('one'), shell: true }];
    for (const server of wrong) {
      await expect(executor.connectMcpServers([nodeServer('fine'), server as never])).rejects.toMatchObject(refused);
    }
    expect(services.started).toEqual([]);
    await executor.connectMcpServers([nodeServer('one')]);
    await expect(executor.connectMcpServers([nodeServer('ONE')])).rejects.toMatchObject(refused);
    expect(services.started).toHaveLength(1);
  });

  it('a failed call, wrong arguments and a server that died are errors that say what happened', async () => {
    const { executor } = open();
    await executor.connectMcpServers([nodeServer('one')]);
    const fail = { result: { content: [{ type: 'text', text: 'no' }], isError: true } };
    expect(await executor.execute('give', fail)).toEqual({ content: 'no', isError: true });
    expect(await executor.execute('echo', 'text')).toEqual({
      content: 'Error: the arguments must be an object of JSON',
      isError: true,
    });
    const { content, isError } = await executor.execute('die', { code: 3 });
    expect([content.includes('exited with code 3'), content.includes('hunter2'), isError]).toEqual([true, false, true]);
  });

  it('close ends the servers; what comes later is refused', async () => {
    const { executor, services } = open();
    await executor.connectMcpServers([nodeServer('one')]);
    await executor.close();
    expect(services.alive).toBe(0);
    await expect(executor.connectMcpServers([nodeServer('two')])).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });
});
