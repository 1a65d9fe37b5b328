import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_MAX_CALL_MS,
  MAX_CALL_MS,
  MAX_CALL_TIMEOUT_MS,
  MAX_CALLS_PER_SERVER,
  MAX_LINE_BYTES,
  MAX_QUEUED_CALLS,
  MAX_TOOL_PAGES,
} from '../../ts/mcp/limits.js';
import { McpRouter } from '../../ts/mcp/router.js';
import { mcpServersOption } from '../../ts/mcp/server-options.js';
import { Redactor } from '../../ts/redaction/redactor.js';
import { pastDeadline } from '../support/deadlines.js';
import { folderPerTest } from '../support/folder.js';
import { living, marker, until } from '../support/processes.js';
import { nodeServer, routers, wrappedServer } from './routers.js';
import { WatchedServices } from './watched-services.js';

const open = routers();
const folder = folderPerTest();

describe('servers of both lines of the SDK', () => {
  it.each(['sdk-v1', 'sdk-v2'])('%s: tools are listed and called', async (file) => {
    const { router, call, warnings } = await open([nodeServer('calc', [], file)]);
    expect(warnings).toEqual([]);
    expect([...router.toolMap]).toEqual([
      ['mcp__calc__add', 'calc'],
      ['mcp__calc__fail', 'calc'],
    ]);
    expect(router.tools[0]).toMatchObject({
      description: 'Adds two numbers.',
      parameters: { type: 'object', required: ['a', 'b'], properties: { a: { type: 'number' } } },
      hints: { readOnlyHint: true, destructiveHint: true },
    });
    expect(await call('mcp__calc__add', { a: 2, b: 3 })).toMatchObject({
      status: 'done',
      ok: true,
      structured: { sum: 5 },
      text: '{\n  "sum": 5\n}',
    });
    expect(await call('mcp__calc__fail')).toMatchObject({ status: 'failed', ok: false, text: 'it broke' });
    expect(await call('mcp__calc__add', { a: 'two' })).toMatchObject({ ok: false, status: 'failed' });
  });
});

describe('tools', () => {
  it('of all pages are listed, sorted', async () => {
    const { router } = await open([nodeServer('paged', ['--pages'])]);
    const names = router.tools.map(({ tool }) => tool);
    expect(names).toEqual([...names].sort());
    expect(names).toContain('echo');
    expect(names).toContain('where');
  });

  it('of a list without end are those of as many pages as are asked for, and it says so', async () => {
    const { router } = await open([nodeServer('long', ['--endless'])]);
    expect(router.tools).toHaveLength(MAX_TOOL_PAGES);
    expect(router.servers()[0]?.problems).toEqual([`what its list has behind ${MAX_TOOL_PAGES} pages is left out`]);
  });

  it('of one name on two servers are both there, and the bare name says where', async () => {
    const { router, call } = await open([nodeServer('left', ['left']), nodeServer('right', ['right'])]);
    expect((await call('mcp__left__echo', { text: 'hi' })).text).toBe('left: hi');
    expect((await call('mcp__right__echo', { text: 'hi' })).text).toBe('right: hi');
    expect(router.find('echo')?.candidates?.map(({ name }) => name)).toEqual(['mcp__left__echo', 'mcp__right__echo']);
  });

  it('are found by the name of their server while only one has it', async () => {
    const { call } = await open([nodeServer('one')]);
    expect((await call('echo', { text: 'hi' })).text).toBe('raw: hi');
  });

  it('are limited to those the host names', async () => {
    const { router } = await open([{ ...nodeServer('few'), tools: ['echo', 'missing'] }]);
    expect([...router.toolMap.keys()]).toEqual(['mcp__few__echo']);
  });

  it('are listed anew when the server says so', async () => {
    const { router, call } = await open([{ ...nodeServer('one'), pinned: false }]);
    await call('grow', { name: 'fresh' });
    expect(await until(() => router.toolMap.has('mcp__one__fresh'))).toBeDefined();
    expect(router.clients.get('one')?.tools).toContain('mcp__one__fresh');
  });

  it('a server without any is fine', async () => {
    const { router, warnings } = await open([nodeServer('none', ['--no-tools']), nodeServer('empty', ['--empty'])]);
    expect([router.tools, warnings, [...router.clients.keys()]]).toEqual([[], [], ['none', 'empty']]);
  });
});

describe('a server that cannot be connected', () => {
  it('is a warning with its reason and keeps no other from its turn', async () => {
    const { router, warnings } = await open([
      nodeServer('exits', ['--exit']),
      { name: 'missing', command: '/nowhere/at-all' },
      nodeServer('lister', ['--dies-listing']),
      nodeServer('fine'),
    ]);
    expect([...router.clients.keys()]).toEqual(['fine']);
    const [exited, ...others] = warnings.sort();
    // On a busy machine the greeting is written to it before its exit code is known.
    expect(exited).toMatch(
      /^The MCP server exits is not connected: (it exited with code 9|the program has ended, or takes no input any more)\nIts standard error ended with:\ncannot find its token$/,
    );
    expect(others).toEqual([
      'The MCP server lister is not connected: it exited with code 4',
      'The MCP server missing is not connected: The service was not started: there is no file at the path of the program; it may have to be installed first',
    ]);
    expect(router.servers().map(({ name, state }) => [name, state])).toEqual([
      ['exits', 'down'],
      ['missing', 'down'],
      ['lister', 'down'],
      ['fine', 'ready'],
    ]);
  });

  it('is refused when its name is taken or none', async () => {
    await expect(open([nodeServer('one'), nodeServer('One')])).rejects.toThrow(/of the name in `servers\[1\]\.name`/);
    for (const name of ['', 'a__b', 'a_', '_a', 'a b', 'é', 'x'.repeat(33)]) {
      await expect(open([nodeServer(name)]), name).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    }
    const { router } = await open([nodeServer('x'.repeat(32))]);
    expect(router.clients.size).toBe(1);
  });

  it('says what to install when the SDK is missing', async () => {
    const missing = Object.assign(new Error("Cannot find package '@modelcontextprotocol/client'"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    const { loadMcpSdk } = await import('../../ts/mcp/peer.js');
    const loadSdk = () => loadMcpSdk(() => Promise.reject(missing));
    await expect(open([nodeServer('one')], { loadSdk })).rejects.toMatchObject({
      code: 'ERR_PEER_MISSING',
      message: 'MCP servers need @modelcontextprotocol/client: run `npm install @modelcontextprotocol/client@^2.4`',
    });
  });
});

describe('a server that dies in a call', () => {
  it('is told at once with its exit code and standard error, and lives again for the next call', async () => {
    const { router, call, services } = await open([nodeServer('one')]);
    expect(await call('die', { code: 3 })).toMatchObject({
      status: 'interrupted',
      outcomeUnknown: true,
      text:
        'The MCP server one ended during the call (it exited with code 3): whether it did something is unknown. ' +
        'Check before you call it again.\nIts standard error ended with:\nabout to die\npassword=[REDACTED]',
    });
    expect(router.clients.get('one')).toMatchObject({ state: 'down', reason: 'it exited with code 3' });
    expect((await call('echo', { text: 'again' })).text).toBe('raw: again');
    expect(services.started).toHaveLength(2);
  });

  it('is told although a helper holds its pipes open, and the helper goes with it', async () => {
    const { call } = await open([nodeServer('one')]);
    const mark = marker();
    expect(await call('holder', { mark })).toMatchObject({ status: 'interrupted' });
    expect(await until(() => living(mark).length === 0)).toBeDefined();
  });

  it('is told when it is the shell around it that was killed', async () => {
    const mark = marker();
    const server = wrappedServer('wrapped');
    const { call, services } = await open([{ ...server, args: [...(server.args ?? []), mark] }]);
    expect((await call('echo', { text: 'hi' })).text).toBe('wrapped: hi');
    const pending = call('silent');
    // The shell is older than what it started.
    const shell = Math.min(...living(mark).map(({ pid }) => pid));
    process.kill(shell, 'SIGKILL');
    expect(await pending).toMatchObject({ status: 'interrupted', text: expect.stringContaining('by SIGKILL') });
    expect(services.alive).toBe(0);
  });

  it('is left alone after five times in a row', async () => {
    const { call, router } = await open([nodeServer('one')]);
    const all: string[] = [];
    while (router.clients.get('one')?.state !== 'resting') {
      const { status, text } = await call('die');
      // Between two lives it rests for a moment.
      if (status !== 'unavailable' || !text.includes('it is started again')) all.push(status);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(all).toEqual(Array.from({ length: 5 }, () => 'interrupted'));
    expect(await call('echo')).toMatchObject({
      status: 'unavailable',
      outcomeUnknown: false,
      text: 'The MCP server one is not running: it exited with code 3; it is started again in 60 s',
    });
  });
});

describe('a call', () => {
  it('of a server that never answers is given up, and the server told', async () => {
    const calls = path.join(folder(), 'calls');
    const { call } = await open([{ ...nodeServer('one'), timeoutMs: 200, env: { CALLS_FILE: calls } }]);
    expect(await call('silent')).toMatchObject({
      status: 'timed_out',
      outcomeUnknown: true,
      text:
        'The MCP server one gave no answer (it may be silent for 200 ms): whether it did something is unknown. ' +
        'Check before you call it again.',
    });
    expect(await until(() => readFileSync(calls, 'utf8').includes('cancelled'))).toBeDefined();
    // A busy machine takes longer to answer.
    await expect.poll(async () => (await call('echo', { text: 'hi' })).text).toBe('raw: hi');
  });

  it('that reports progress has its time anew', async () => {
    const slow = async (timeoutMs: number) => {
      const { call } = await open([{ ...nodeServer('one'), timeoutMs }]);
      return await call('slow', { steps: 4, ms: 0.4 * timeoutMs });
    };
    const data = await pastDeadline(slow, ({ ok }) => ok, 1_000);
    expect(data).toMatchObject({ status: 'done', text: 'done' });
  });

  it('that reports progress without end is given up at the limit, and the server told', async () => {
    const calls = path.join(folder(), 'calls');
    const one = { ...nodeServer('one'), timeoutMs: 500, env: { CALLS_FILE: calls } };
    const { call } = await open([
      { ...one, maxCallMs: 1_500 },
      { ...one, name: 'unbounded', maxCallMs: MAX_CALL_MS },
    ]);
    const giveUp = new AbortController();
    let isHeld = true;
    const held = call('mcp__unbounded__flood', {}, giveUp.signal).finally(() => {
      isHeld = false;
    });
    expect(await call('mcp__one__flood')).toMatchObject({
      status: 'timed_out',
      outcomeUnknown: true,
      text:
        'The MCP server one gave no answer within 1500 ms: whether it did something is unknown. ' +
        'Check before you call it again.',
    });
    // Three times as long as it may be silent.
    expect(isHeld).toBe(true);
    giveUp.abort();
    expect(await held).toMatchObject({ status: 'cancelled' });
    expect(await until(() => readFileSync(calls, 'utf8').includes('cancelled'))).toBeDefined();
  });

  it('may take as long as the options of its server say, and no longer', () => {
    const checked = (more: object) => mcpServersOption([{ ...nodeServer('one'), ...more }], 'servers')[0];
    expect(checked({})).toMatchObject({ timeoutMs: 60_000, maxCallMs: DEFAULT_MAX_CALL_MS });
    expect(checked({ timeoutMs: MAX_CALL_TIMEOUT_MS })).toMatchObject({ maxCallMs: MAX_CALL_TIMEOUT_MS });
    expect(checked({ maxCallMs: MAX_CALL_MS })).toMatchObject({ maxCallMs: MAX_CALL_MS });
    for (const wrong of [{ timeoutMs: MAX_CALL_TIMEOUT_MS + 1 }, { maxCallMs: MAX_CALL_MS + 1 }, { maxCallMs: 0 }]) {
      expect(() => checked(wrong)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
    }
  });

  it('that is cancelled says that nobody knows, and the server is told', async () => {
    const calls = path.join(folder(), 'calls');
    const { call } = await open([{ ...nodeServer('one'), env: { CALLS_FILE: calls } }]);
    const giveUp = new AbortController();
    const pending = call('silent', {}, giveUp.signal);
    expect(await until(() => readFileSync(calls, 'utf8').includes('call silent'))).toBeDefined();
    giveUp.abort();
    expect(await pending).toMatchObject({ status: 'cancelled', outcomeUnknown: true });
    expect(await until(() => readFileSync(calls, 'utf8').includes('cancelled'))).toBeDefined();
    expect(await call('echo', {}, AbortSignal.abort())).toMatchObject({ status: 'cancelled', outcomeUnknown: false });
  });

  it('beyond those that run and wait is busy', async () => {
    const { call } = await open([nodeServer('one')]);
    const giveUp = new AbortController();
    const all = Array.from({ length: MAX_CALLS_PER_SERVER + MAX_QUEUED_CALLS }, () =>
      call('silent', {}, giveUp.signal),
    );
    await expect(call('echo')).rejects.toMatchObject({ code: 'ERR_BUSY' });
    giveUp.abort();
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set(['cancelled']));
    expect((await call('echo', { text: 'free' })).ok).toBe(true);
  });

  it('that the protocol refuses keeps code and message, masked', async () => {
    const { call } = await open([nodeServer('one')]);
    const data = await call('refuse');
    expect(data).toMatchObject({ status: 'protocol_error', error: { code: -32_042 } });
    expect(data.text).toContain('answered with error -32042: ');
    expect(JSON.stringify(data)).not.toContain('ghs_16C7e42F292c6912E7710c838347Ae178B4a');
  });

  it('that is answered with a line over the bound ends the server, one at the bound does not', async () => {
    const { call, services } = await open([nodeServer('one')]);
    const giveUp = new AbortController();
    const pending = call('line', { bytes: MAX_LINE_BYTES }, giveUp.signal);
    // Behind the line, on the same pipe.
    expect((await call('echo', { text: 'behind' })).text).toBe('raw: behind');
    giveUp.abort();
    expect(await pending).toMatchObject({ status: 'cancelled' });
    expect(services.started).toHaveLength(1);
    expect(await call('line', { bytes: MAX_LINE_BYTES + 1 })).toMatchObject({
      status: 'interrupted',
      text: expect.stringContaining(`(it sent a line of more than ${MAX_LINE_BYTES} bytes)`),
    });
    expect((await call('echo', { text: 'again' })).text).toBe('raw: again');
  });
});

describe('a server', () => {
  it('that floods standard error, prints other lines and pings works', async () => {
    const calls = path.join(folder(), 'calls');
    const { call } = await open([
      { ...nodeServer('loud', ['--flood', '--chatty', '--ping']), env: { CALLS_FILE: calls } },
    ]);
    expect((await call('echo', { text: 'hi' })).text).toBe('raw: hi');
    expect(readFileSync(calls, 'utf8')).toContain('answer are-you-there {}');
  });

  it('sees nothing of the host and what it was given', async () => {
    process.env['HANDRAIL_TEST_PLANTED'] = 'yes';
    try {
      const { call } = await open([{ ...nodeServer('one'), env: { GIVEN: 'yes' } }]);
      const { text } = await call('env');
      expect(text.split(' ')).toContain('GIVEN');
      expect(text.split(' ')).toContain('PATH');
      expect(text).not.toContain('HANDRAIL_TEST_PLANTED');
    } finally {
      delete process.env['HANDRAIL_TEST_PLANTED'];
    }
  });

  it('runs where it was told to', async () => {
    const { call } = await open([{ ...nodeServer('one'), cwd: folder() }]);
    expect((await call('where')).text).toBe(folder());
  });

  it('is ended by close, also one that has not answered its greeting; closing twice is fine', async () => {
    const services = new WatchedServices();
    const router = new McpRouter(services, { redactor: new Redactor(), cwd: '/', onWarning: () => undefined });
    const connecting = router.connect(
      mcpServersOption([nodeServer('mute', ['--mute']), nodeServer('fine')], 'servers'),
    );
    expect(await until(() => router.clients.has('fine'))).toBeDefined();
    await Promise.all([router.close(), router.close()]);
    await connecting;
    expect(services.started).toHaveLength(2);
    expect(services.alive).toBe(0);
    expect([router.tools, [...router.clients], [...router.toolMap]]).toEqual([[], [], []]);
    await expect(router.connect(mcpServersOption([nodeServer('new')], 'servers'))).rejects.toMatchObject({
      code: 'ERR_CLOSED',
    });
  });
});
