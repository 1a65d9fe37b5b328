/** A loopback of commands' own: where there is none, and ports of the host that lead to it. */
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { Terminal, type TerminalOptions } from '../../ts/index.js';
import { Engine } from '../../ts/terminal/engine.js';

const LISTEN = (port: number, answer: string): string[] => [
  'node',
  '-e',
  `require('node:net').createServer((client) => client.on('end', () => client.end(${JSON.stringify(answer)})).resume()).listen(${port}, '127.0.0.1', () => console.log('listening'))`,
];
const OPTIONS: TerminalOptions = {
  allow: ['node', 'true'],
  trustInterpreters: ['node'],
  confine: { network: 'loopback' },
};

let terminal: Terminal;

beforeEach(() => {
  terminal = new Terminal(OPTIONS);
});

afterEach(() => terminal.close());

/** What a client reads until the end of its connection, or the code of its error. */
async function ask(port: number): Promise<string> {
  const client = createConnection(port, '127.0.0.1');
  let text = '';
  client.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  try {
    client.end('question');
    await once(client, 'close');
    return text;
  } catch (error) {
    return String((error as { code?: string }).code);
  }
}

/** Starts a server among the commands, and gives what ends it. */
async function serve(port: number, answer: string, by = terminal): Promise<() => Promise<void>> {
  const abort = new AbortController();
  let report: (text: string) => void = () => undefined;
  const isListening = new Promise<string>((resolve) => {
    report = resolve;
  });
  const run = by.run(LISTEN(port, answer), { signal: abort.signal, onOutput: ({ text }) => report(text) });
  await Promise.race([isListening, run]);
  return async () => {
    abort.abort();
    await run;
  };
}

describe('without namespaces', () => {
  const engine = (): Engine => new Engine({ kernel: { landlock: 7, filters: true, namespaces: false } });

  test('commands reach nothing, each result says so, and `require` refuses', async () => {
    const shared = engine();
    try {
      const poor = new Terminal({ ...OPTIONS, require: [] }, { engine: shared });
      const result = await poor.run(LISTEN(8080, ''));
      expect(result).toMatchObject({ ok: false });
      expect(result.blocked).toMatchObject([{ message: expect.stringContaining('commands have no network') }]);
      expect(result.sandbox.enforced).toEqual(expect.arrayContaining(['no network at all', 'network: unavailable']));
      const { level, fix } = poor.capabilities().features.find(({ feature }) => feature === 'network') ?? {};
      expect({ level, fix }).toEqual({
        level: 'unavailable',
        fix: expect.stringMatching(/max_net_namespaces|NET_ADMIN|seccomp/),
      });
      const strict = new Terminal({ ...OPTIONS, require: ['network'] }, { engine: shared });
      await expect(strict.run(['true'])).rejects.toMatchObject({ code: 'ERR_GUARANTEE_UNAVAILABLE' });
    } finally {
      await shared.close();
    }
  });
});

describe('a forwarded port', () => {
  test('leads to what listens, also to what listens later, and ends with its terminal', async () => {
    const forwarded = await terminal.forward(8080);
    expect(await ask(forwarded.port)).toBe('ECONNRESET');
    const stop = await serve(8080, 'answer');
    expect(await ask(forwarded.port)).toBe('answer');
    expect(await Promise.all(Array.from({ length: 20 }, () => ask(forwarded.port)))).toEqual(
      new Array(20).fill('answer'),
    );
    await stop();
    await terminal.close();
    expect(await ask(forwarded.port)).toBe('ECONNREFUSED');
    await expect(terminal.forward(8080)).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });

  test('is that of its own terminal', async () => {
    const other = new Terminal(OPTIONS);
    try {
      const stops = [await serve(8080, 'one'), await serve(8080, 'another', other)];
      const ports = await Promise.all([terminal.forward(8080), other.forward(8080)]);
      expect(await Promise.all(ports.map(({ port }) => ask(port)))).toEqual(['one', 'another']);
      await Promise.all(stops.map((stop) => stop()));
    } finally {
      await other.close();
    }
  });

  test.each([0, 65_536, 1.5, '80', undefined])('%s is no port', async (port) => {
    await expect(terminal.forward(port as number)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    if (port !== 0 && port !== undefined) {
      const options = { hostPort: port as number };
      await expect(terminal.forward(80, options)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    }
  });

  test.each([undefined, 'none', 'any'] as const)('needs a loopback, which the network %s has not', async (network) => {
    await using other = new Terminal({ confine: { network } });
    await expect(other.forward(80)).rejects.toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      data: { name: 'confine.network' },
    });
  });

  test('of the host can be chosen, and is refused where somebody has it', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await expect(terminal.forward(80, { hostPort: port })).rejects.toMatchObject({ code: 'ERR_SYSTEM' });
    taken.close();
    await once(taken, 'close');
    expect(await terminal.forward(80, { hostPort: port })).toMatchObject({ host: '127.0.0.1', port });
  });
});
