import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HandrailError } from '../../ts/errors.js';
import {
  MAX_CALLS,
  MAX_ID_CHARS,
  MAX_MESSAGE_BYTES,
  MAX_WAITING_UNITS,
  PROGRESS_MS,
} from '../../ts/mcp-server/limits.js';
import { PROTOCOL_VERSIONS } from '../../ts/mcp-server/protocol.js';
import { serveMcp } from '../../ts/mcp-server/serve.js';
import type { Toolkit } from '../../ts/toolkit.js';
import { living, marker, until } from '../support/processes.js';
import { toolkits } from '../support/toolkits.js';
import { served } from './client.js';

const { make, audited } = toolkits();

afterEach(() => {
  vi.useRealTimers();
});

describe('the protocol', () => {
  it.each<[unknown, string]>([
    ...PROTOCOL_VERSIONS.map((version): [string, string] => [version, version]),
    ['1999-01-01', '2025-11-25'],
    [7, '2025-11-25'],
  ])('speaks %s as %s', async (asked, spoken) => {
    const { client } = served(await make());
    client.send({ id: 1, method: 'initialize', params: { protocolVersion: asked } });
    expect((await client.answer(1)).result).toMatchObject({
      protocolVersion: spoken,
      capabilities: { tools: {} },
      serverInfo: { name: 'handrail' },
    });
  });

  it('lists the tools with their schemas and annotations', async () => {
    const toolkit = await make();
    const { client } = served(toolkit);
    client.send({ id: 'list', method: 'tools/list' });
    expect((await client.answer('list')).result?.tools).toEqual(
      toolkit.definitions().map(({ name, description, parameters, annotations }) => ({
        ...{ name, title: annotations.title, description, inputSchema: parameters, annotations },
        outputSchema: expect.objectContaining({ required: ['text', 'kind', 'ok'] }),
      })),
    );
  });

  it('answers a call with one text, and says what failed', async () => {
    const { toolkit, records } = await audited();
    const { client } = served(toolkit);
    client.call(1, 'terminal_run', { command: 'echo password=hunter2' });
    client.call(2, 'terminal_run', { command: 'rm a' });
    client.call(3, 'terminal_run', { comand: 'echo' });
    client.call(4, 'terminal_run', 'echo');
    client.call(5, 'terminal_run', undefined);
    expect(await client.answer(1)).toMatchObject({ result: { isError: false } });
    expect(await client.text(1)).toContain('password=[REDACTED]');
    expect(await client.answer(2)).toMatchObject({ result: { isError: true } });
    expect(await client.text(2)).toContain('denied');
    expect(await client.text(3)).toContain('did you mean command?');
    expect(await client.text(4)).toContain('the arguments must be an object');
    expect(await client.text(5)).toContain('missing argument: command');
    expect(records.map(({ callId }) => callId).sort()).toEqual(['1', '2', '3', '4', '5']);
  });

  it('answers a ping, and neither notifications nor answers', async () => {
    const { client } = served(await make());
    client.send({ method: 'notifications/initialized' });
    client.send({ method: 'notifications/nonsense', params: { a: 1 } });
    client.send({ id: 7, result: {} });
    client.send({ id: 8, error: { code: 1, message: 'no' } });
    client.write('\n \n');
    client.send({ id: 1, method: 'ping' });
    expect(await client.answer(1)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(client.answers).toHaveLength(1);
  });

  it.each<[string, object, number]>([
    ['an unknown method', { id: 1, method: 'prompts/list' }, -32_601],
    ['another page', { id: 1, method: 'tools/list', params: { cursor: 'x' } }, -32_602],
    ['no name', { id: 1, method: 'tools/call', params: {} }, -32_602],
    ['an unknown tool', { id: 1, method: 'tools/call', params: { name: 'terminal_fly' } }, -32_602],
    ['a list of params', { id: 1, method: 'ping', params: [] }, -32_602],
    ['a method that is none', { id: 1, method: 7 }, -32_600],
    ['another release of JSON-RPC', { id: 1, method: 'ping', jsonrpc: '1.0' }, -32_600],
  ])('answers %s with an error', async (_title, message, code) => {
    const { client } = served(await make());
    client.send(message);
    expect((await client.answer(1)).error?.code).toBe(code);
  });

  it('names the tools there are when one is unknown', async () => {
    const { client } = served(await make({ tools: ['file_read', 'terminal_run'] }));
    client.call(1, 'terminal_rum', {});
    expect((await client.answer(1)).error?.message).toBe(
      'Unknown tool: terminal_rum\nDid you mean terminal_run?\nTools: terminal_run, file_read',
    );
  });

  it('tells our own errors of a call, and nothing of those of others', async () => {
    const toolkit = await make();
    const { client } = served(toolkit);
    vi.spyOn(toolkit, 'execute').mockRejectedValueOnce(new HandrailError('ERR_SUPERVISOR', 'It cannot be started'));
    client.call(1, 'terminal_run', {});
    expect((await client.answer(1)).error).toEqual({ code: -32_603, message: 'It cannot be started (ERR_SUPERVISOR)' });
    vi.spyOn(toolkit, 'execute').mockRejectedValueOnce(new Error('password=hunter2'));
    client.call(2, 'terminal_run', {});
    expect((await client.answer(2)).error).toEqual({ code: -32_603, message: 'The tool failed' });
  });

  it('reports progress to who asked for it, and stops with the answer', async () => {
    const toolkit = await make();
    const { client } = served(toolkit);
    let finish: () => void = () => undefined;
    const answer = new Promise<Awaited<ReturnType<Toolkit['execute']>>>((resolve) => {
      finish = () =>
        resolve({ content: 'done', isError: false, data: { kind: 'refusal', refused: 'busy', problems: [] } });
    });
    vi.spyOn(toolkit, 'execute').mockReturnValue(answer);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    client.call(1, 'terminal_run', {}, { progressToken: 'p' });
    client.call(2, 'terminal_run', {});
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(2 * PROGRESS_MS);
    finish();
    await vi.waitFor(() => expect(client.answers.some(({ id }) => id === 1)).toBe(true));
    vi.advanceTimersByTime(2 * PROGRESS_MS);
    await new Promise((resolve) => setImmediate(resolve));
    expect(client.answers.filter(({ method }) => method === 'notifications/progress')).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'p', progress: PROGRESS_MS / 1_000 },
      },
      {
        ...{ jsonrpc: '2.0', method: 'notifications/progress' },
        params: { progressToken: 'p', progress: (2 * PROGRESS_MS) / 1_000 },
      },
    ]);
  });
});

describe('cancelling', () => {
  it('ends the call and what it started, without an answer', async () => {
    const { toolkit, records } = await audited();
    const { client } = served(toolkit);
    const mark = marker();
    client.call(1, 'terminal_run', { command: `sleep ${mark}` });
    await until(() => living(mark).length > 0);
    client.send({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } });
    await until(() => records.length > 0);
    expect(records[0]?.detail).toMatchObject({ status: 'cancelled' });
    expect(living(mark)).toEqual([]);
    // Its id is free again.
    client.call(1, 'terminal_run', { command: 'echo again' });
    expect(await client.text(1)).toContain('again');
    expect(client.answers).toHaveLength(1);
  });

  it('of what is not there changes nothing', async () => {
    const { client } = served(await make());
    for (const requestId of ['1', 1, null, {}, undefined]) {
      client.send({ method: 'notifications/cancelled', params: { requestId } });
    }
    client.call(1, 'terminal_run', { command: 'echo hi' });
    expect(await client.text(1)).toContain('hi');
  });

  it.each(['the end of the input', 'the signal'])('%s cancels every call and ends the serving', async (how) => {
    const { toolkit, records } = await audited();
    const { client, done, end } = served(toolkit);
    const mark = marker();
    for (const id of [1, 2, 3]) client.call(id, 'terminal_run', { command: `sleep ${mark}` });
    await until(() => living(mark).length === 3);
    if (how === 'the signal') end.abort();
    else client.end();
    await done;
    await until(() => records.length === 3);
    expect(living(mark)).toEqual([]);
    expect(client.answers).toEqual([]);
  });
});

describe('a hostile client', () => {
  it.each<[string, string | Uint8Array, number]>([
    ['garbage', '\u0000\u0001 garbage {\n', -32_700],
    ['half of a message', '{"jsonrpc":"2.0","id":9,"method"\n', -32_700],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x80, 0x0a]), -32_700],
    ['a list of messages', '[{"jsonrpc":"2.0","id":9,"method":"ping"}]\n', -32_600],
    ['a number', '7\n', -32_600],
    ['nothing', 'null\n', -32_600],
    ['a request with an object for its id', '{"jsonrpc":"2.0","id":{},"method":"ping"}\n', -32_600],
    ['a request with a fraction for its id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n', -32_600],
    ['deep nesting', `${'['.repeat(100_000)}\n`, -32_700],
  ])('is answered when it writes %s, and may go on', async (_title, line, code) => {
    const { client } = served(await make());
    client.write(line);
    client.send({ id: 1, method: 'ping' });
    expect(await client.answer(1)).toMatchObject({ result: {} });
    expect(client.answers[0]).toMatchObject({ id: null, error: { code } });
    expect(client.answers).toHaveLength(2);
  });

  it('is told nothing of its own back', async () => {
    const { client } = served(await make());
    client.write('{"password": "hunter2"\n');
    client.send({ id: 1, method: 'hunter2' });
    client.send({ id: 2, method: 'tools/list', params: { cursor: 'hunter2' } });
    await client.answer(2);
    expect(JSON.stringify(client.answers)).not.toContain('hunter2');
  });

  it('may write a message of the most bytes, and not one of more', async () => {
    const { client } = served(await make());
    const frame = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":""}}'.length;
    const longest = 'x'.repeat(MAX_MESSAGE_BYTES - frame);
    client.send({ id: 1, method: 'ping', params: { x: longest } });
    expect(await client.answer(1)).toMatchObject({ result: {} });
    client.send({ id: 2, method: 'ping', params: { x: `${longest}x` } });
    client.send({ id: 3, method: 'ping' });
    expect(await client.answer(3)).toMatchObject({ result: {} });
    expect(client.answers[1]).toMatchObject({ id: null, error: { code: -32_600 } });
    expect(client.answers).toHaveLength(3);
  });

  it('may use an id of the most characters, and not one of more', async () => {
    const { client } = served(await make());
    const longest = 'i'.repeat(MAX_ID_CHARS);
    client.send({ id: longest, method: 'ping' });
    client.send({ id: `${longest}i`, method: 'ping' });
    expect(await client.answer(longest)).toMatchObject({ result: {} });
    expect((await client.answer(null)).error?.code).toBe(-32_600);
  });

  it('has so many calls at once and no more, and ids that are open only once', async () => {
    const { toolkit } = await audited();
    const { client, done } = served(toolkit);
    for (let id = 0; id <= MAX_CALLS; id += 1) client.call(id, 'terminal_run', { command: 'sleep 600' });
    client.call(0, 'terminal_run', { command: 'echo' });
    expect(await client.text(MAX_CALLS)).toMatch(/^busy: 64 calls/);
    expect((await client.answer(0)).error?.code).toBe(-32_600);
    client.send({ method: 'notifications/cancelled', params: { requestId: 3 } });
    client.call('more', 'file_read', { path: 'nothing-here' });
    expect(await client.text('more')).not.toMatch(/^busy: 64/);
    client.end();
    await done;
  });

  it('that does not read is not answered, and nothing is lost', async () => {
    const toolkit = await make();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const done = serveMcp(toolkit, { input, output });
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';
    for (let count = 0; count < 2_000; count += 1) input.write(list);
    await until(() => input.readableLength + input.writableLength === 0);
    const one = JSON.stringify(toolkit.definitions()).length;
    expect(output.readableLength + output.writableLength).toBeLessThan(100 * one);
    let read = 0;
    output.on('data', (chunk: Uint8Array) => {
      read += Buffer.from(chunk).toString('latin1').split('\n').length - 1;
    });
    await until(() => read === 2_000);
    expect(read).toBe(2_000);
    input.end();
    await done;
  });

  it('that does not read ends all the same, with what it has started', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const done = serveMcp(await make({ terminal: { allow: ['sleep'] } }), { input, output });
    const mark = marker();
    const call = { name: 'terminal_run', arguments: { command: `sleep ${mark}` } };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'open', method: 'tools/call', params: call })}\n`);
    await until(() => living(mark).length > 0);
    expect(living(mark)).not.toEqual([]);
    for (let id = 0; id < 300; id += 1) input.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}\n`);
    input.end();
    await done;
    await until(() => living(mark).length === 0);
    expect(living(mark)).toEqual([]);
  });

  it('that writes on and on without reading is left', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const done = serveMcp(await make(), { input, output });
    for (let id = 0; id < 300; id += 1) input.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}\n`);
    const message = `${'x'.repeat(MAX_MESSAGE_BYTES - 1)}\n`;
    for (let written = 0; written <= MAX_WAITING_UNITS; written += message.length) input.write(message);
    await expect(done).rejects.toMatchObject({ code: 'ERR_BUSY', data: { limit: MAX_WAITING_UNITS } });
  });
});

describe('the streams', () => {
  it('are given back as they were', async () => {
    const toolkit = await make();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const end = new AbortController();
    const done = serveMcp(toolkit, { input, output, signal: end.signal });
    await until(() => input.listenerCount('data') > 0);
    end.abort();
    await done;
    expect([input.destroyed, output.destroyed, output.writableEnded]).toEqual([false, false, false]);
    expect(input.listenerCount('data')).toBe(0);
    await serveMcp(toolkit, { input, output, signal: end.signal });
  });

  it('may have ended before, or fail', async () => {
    const toolkit = await make();
    const ended = new PassThrough();
    ended.destroy();
    await serveMcp(toolkit, { input: ended, output: new PassThrough() });
    const [input, output] = [new PassThrough(), new PassThrough()];
    const done = serveMcp(toolkit, { input, output });
    await until(() => input.listenerCount('data') > 0);
    output.destroy(new Error('nobody reads'));
    await done;
  });

  it.each([
    ['options', 7],
    ['an unknown option', { imput: 7 }],
    ['an input', { input: 7 }],
    ['an output', { output: {} }],
    ['a signal', { signal: 7 }],
  ])('refuses %s that is none', async (_title, options) => {
    await expect(serveMcp(await make(), options as never)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
});
