// Runs as a host of its own, perhaps as another user: tries what commands with a network namespace reach, and what the host
// reaches of theirs. Prints a JSON object.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { createToolkit } from '../../ts/index.js';

export interface LoopbackRequest {
  readonly network: 'loopback' | 'any';
}

export interface LoopbackAnswer {
  /** What a command reached at addresses of the host, by address. */
  readonly addresses: Readonly<Record<string, boolean>>;
  /** Whether a command could make each of these sockets, by name. Kinds that this kernel lacks are left out. */
  readonly sockets: Readonly<Record<string, boolean>>;
  /** Whether each of these calls succeeded. */
  readonly calls: Readonly<Record<string, boolean>>;
  /** Sockets and namespaces that a command found open. */
  readonly inherited: string;
  /** What the server of a session answered: the next run, a service, the host by a forwarded port, and another toolkit. */
  readonly answered: Readonly<Record<'run' | 'until' | 'forwarded' | 'unforwarded' | 'elsewhere' | 'host', string>>;
  /** The last line of a test suite that listens on a port, and how it ended. */
  readonly suite: string;
  readonly sandbox: readonly string[];
  readonly blocked: readonly string[];
}

const { network } = JSON.parse(readFileSync(0, 'utf8')) as LoopbackRequest;
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-loopback-')));

/** Port of the session's server; any other process of the machine may have it with `any`. */
const PORT = 20_000 + (process.pid % 20_000);
const LIVENESS_MS = 60_000;
const SERVER = `
require('node:http').createServer((request, response) => response.end('hello')).listen(${PORT}, '127.0.0.1');
setInterval(() => undefined, 1000);
`;
const SUITE = `
const test = require('node:test');
const assert = require('node:assert');
const http = require('node:http');
test('a server answers', async () => {
  const server = http.createServer((request, response) => response.end('tested'));
  await new Promise((resolve) => server.listen(0, resolve));
  const answer = await fetch('http://localhost:' + server.address().port);
  assert.equal(await answer.text(), 'tested');
  await new Promise((resolve) => server.close(resolve));
});
`;
const FETCH = `
fetch('http://127.0.0.1:${PORT}/').then((answer) => answer.text()).then(console.log, (error) => console.log(error.cause.code));
`;
/** Connects to each address, and sends a packet to each. */
const REACH = `
import socket, sys
for address in sys.argv[2:]:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            client = socket.socket(family, kind)
            client.settimeout(5)
            client.connect((address, int(sys.argv[1])))
            client.sendall(address.encode() + b" " + str(int(kind)).encode() + b";")
            client.close()
        except OSError:
            pass
`;
/** Name, family, type, protocol, whether only root may. */
const SOCKETS = [
  ['raw', 2, 3, 1, true],
  ['raw IPv6', 10, 3, 58, true],
  ['ping', 2, 2, 1, false],
  ['packet', 17, 3, 3, true],
  ['audit of netlink', 16, 3, 9, false],
  ['events of devices', 16, 3, 15, false],
  ['diagnosis of sockets', 16, 3, 4, false],
  ['vsock', 40, 1, 0, false],
  ['crypto', 38, 5, 0, false],
  ['Bluetooth', 31, 3, 1, false],
  ['TIPC', 30, 1, 0, false],
  ['QIPC', 42, 2, 0, false],
  ['CAN', 29, 3, 1, false],
  ['KCM', 41, 5, 0, false],
  ['XDP', 44, 3, 0, true],
  ['SCTP', 2, 1, 132, false],
  ['UDP-Lite', 2, 2, 136, false],
] as const;
const MAKE = `
import socket, sys
try:
    socket.socket(*map(int, sys.argv[1:4]))
    print("done")
except OSError as error:
    print("lacks" if error.errno in (22, 93, 94, 97) else error)
`;
const NETNS = `
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
with open("/proc/self/ns/net") as own:
    print("done" if libc.setns(own.fileno(), 0x40000000) == 0 else ctypes.get_errno())
`;
const URING = `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print("done" if libc.syscall(425, 4, ctypes.create_string_buffer(120)) >= 0 else ctypes.get_errno())
`;
const INHERITED = `
import os
for name in os.listdir("/proc/self/fd"):
    try:
        target = os.readlink("/proc/self/fd/" + name)
    except OSError:
        continue
    if "socket:" in target or "net:" in target or "user:" in target:
        print(name, target)
`;

writeFileSync(path.join(folder, 'server.js'), SERVER);
writeFileSync(path.join(folder, 'server.test.js'), SUITE);

const programs = ['python3', 'node', 'true'];
const make = () =>
  createToolkit({
    workspace: folder,
    terminal: {
      allow: programs,
      trustInterpreters: programs,
      confine: { network, writes: 'roots' },
    },
  });
const [toolkit, other] = await Promise.all([make(), make()]);
const run = (command: string[], by = toolkit) => by.terminal.run(command, { timeoutMs: LIVENESS_MS });
const output = async (command: string[], by = toolkit): Promise<string> => (await run(command, by)).output.trim();

const answer: LoopbackAnswer = {
  addresses: await reachedAddresses(),
  sockets: await madeSockets(),
  calls: {
    setns: (await output(['python3', '-c', NETNS])) === 'done',
    io_uring: (await output(['python3', '-c', URING])) === 'done',
  },
  inherited: await output(['python3', '-c', INHERITED]),
  answered: await answers(),
  suite: await suite(),
  sandbox: (await run(['true'])).sandbox.enforced,
  blocked: await blocked(),
};
await Promise.all([toolkit.close(), other.close()]);
rmSync(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify(answer));

/** Listens at every address of the host, and has a command try all of them. */
async function reachedAddresses(): Promise<Record<string, boolean>> {
  let text = '';
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      text += bytes.toString();
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, '::');
  await once(server, 'listening');
  const { createSocket } = await import('node:dgram');
  const at = server.address();
  const port = typeof at === 'object' && at !== null ? at.port : 0;
  const packets = createSocket('udp6');
  packets.on('message', (bytes) => {
    text += bytes.toString();
  });
  await new Promise<void>((resolve) => {
    packets.bind(port, '::', resolve);
  });
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.filter(({ scopeid = 0 }) => scopeid === 0).map(({ address }) => address),
  );
  const all = [...new Set(['127.0.0.1', '127.0.0.2', '0.0.0.0', '::1', '::ffff:127.0.0.1', '::', ...own])];
  await output(['python3', '-c', REACH, String(port), ...all]);
  const last = `${process.pid} over;`;
  createConnection(port, '127.0.0.1').end(last);
  while (!text.includes(last)) await new Promise((resolve) => setTimeout(resolve, 5));
  server.close();
  packets.close();
  return Object.fromEntries(
    all.flatMap((address) => [1, 2].map((kind) => [`${address} ${kind}`, text.includes(`${address} ${kind};`)])),
  );
}

async function madeSockets(): Promise<Record<string, boolean>> {
  const isRoot = process.getuid?.() === 0;
  const mayTry = SOCKETS.filter(([, , , , root]) => isRoot || !root);
  const tried = await Promise.all(
    mayTry.map(async ([name, ...numbers]) => {
      const said = await output(['python3', '-c', MAKE, ...numbers.slice(0, 3).map(String)]);
      return [name, said] as const;
    }),
  );
  return Object.fromEntries(tried.map(([name, said]) => [name, said === 'done']));
}

async function answers(): Promise<LoopbackAnswer['answered']> {
  const session = await toolkit.sessions.open('node server.js', { confine: { network } });
  const { reason: until } = await session.read({ until: { port: PORT }, timeoutMs: LIVENESS_MS });
  // Only what is not the machine's own loopback is forwarded.
  const forwarded = network === 'any' ? undefined : await toolkit.forward(PORT);
  const askForwarded = async () => (forwarded === undefined ? '' : await ask(forwarded.port));
  const answered = {
    until,
    run: await output(['node', '-e', FETCH]),
    elsewhere: await output(['node', '-e', FETCH], other),
    host: await ask(PORT),
    forwarded: await askForwarded(),
    unforwarded: '',
  };
  await forwarded?.close();
  return { ...answered, unforwarded: await askForwarded() };
}

async function ask(port: number): Promise<string> {
  try {
    return await (await fetch(`http://127.0.0.1:${port}/`)).text();
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return String(cause?.code);
  }
}

async function suite(): Promise<string> {
  const { exitCode } = await run(['node', '--test', 'server.test.js']);
  return String(exitCode);
}

async function blocked(): Promise<readonly string[]> {
  const code =
    "require('net').connect(9, '203.0.113.1').on('error', (e) => { console.error(e.message); process.exit(1); })";
  const result = await toolkit.terminal.run(['node', '-e', code], { timeoutMs: 2_000 });
  return (result.blocked ?? []).map(({ guarantee, message }) => `${guarantee}: ${message}`);
}
