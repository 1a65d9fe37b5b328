// Runs as a host of its own, perhaps as another user: makes the attempts of `network-rows.ts` in one command, with a list of hosts
// or with an open network. Prints a JSON object {row: whether it worked}.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { Terminal } from '../../ts/index.js';
import type { NetworkAttempt } from './network-rows.js';

export interface NetworkRequest {
  readonly network: 'list' | 'any';
  readonly allow: readonly string[];
  readonly rows: readonly NetworkAttempt[];
  /** The text of `programs/network.py`. */
  readonly program: string;
}

export interface NetworkAnswer {
  readonly worked: boolean;
  /** What the program said about it. */
  readonly said: string;
}

/** The port of the proxy in the network of commands. */
const WAY_OUT = 61080;
const LIVENESS_MS = 240_000;
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';

const { network, allow, rows, program } = JSON.parse(readFileSync(0, 'utf8')) as NetworkRequest;
const folder = mkdtempSync(path.join(os.tmpdir(), 'handrail-network-attempts-'));
let received = '';
const take = (bytes: Buffer): void => {
  received += bytes.toString('latin1');
};

const sink = await listening('::', 0);
const listed = await listening('::', 0);
const [SINK, LISTED] = [sink, listed].map((server) => (server.address() as net.AddressInfo).port) as [number, number];
const packets = createSocket('udp6').on('message', take);
packets.bind(SINK, '::');
await once(packets, 'listening');
const ABSTRACT = `handrail-network-${process.pid}`;
const abstract = await listening(`\0${ABSTRACT}`);
const HOST = os.hostname();
for (const name of ['http_proxy', 'https_proxy']) process.env[name] = `http://127.0.0.1:${SINK}`;
process.env['no_proxy'] = HOST;

const token = (index: number): string => `token${index}of${process.pid}`;
const places = { PROXY: network === 'list' ? WAY_OUT : SINK, SINK, LISTED, ADDRESS: ownAddress(), HOST, ABSTRACT };
const filled = (text: string): string =>
  text.replaceAll('{SINK}', String(SINK)).replaceAll('{LISTED}', String(LISTED)).replaceAll('{HOST}', HOST);
const file = path.join(folder, 'network.py');
writeFileSync(file, program);
const terminal = new Terminal({
  allow: ['python3'],
  trustInterpreters: ['python3'],
  confine: { exec: 'any', writes: 'any', network: network === 'list' ? { allow: allow.map(filled) } : 'any' },
});
const attempts = rows.map(({ id, attempt }, index) => ({ id, attempt, token: token(index) }));
const { stdout, stderr } = await terminal.run(['python3', file], {
  stdin: JSON.stringify({ places, rows: attempts }),
  timeoutMs: LIVENESS_MS,
});
if (stdout === '') throw new Error(stderr);
const said = JSON.parse(stdout) as Record<string, string>;
await terminal.close();
await settle();
const answers = rows.map(({ id, effect, needle = '{T}' }, index) => {
  const worked = effect === 'said' ? said[id] === 'done' : received.includes(needle.replace('{T}', token(index)));
  return [id, { worked, said: said[id] ?? '' } satisfies NetworkAnswer] as const;
});
for (const server of [sink, listed, abstract]) server.close();
packets.close();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify(Object.fromEntries(answers)));
process.exit();

/** A server that keeps what it gets. It answers like a proxy that checks nothing, in HTTP and in SOCKS5. */
async function listening(at: string, port?: number): Promise<net.Server> {
  const server = net.createServer((client) => {
    client.on('error', () => client.destroy());
    client.on('data', (bytes: Buffer) => {
      take(bytes);
      client.write(answerTo(bytes));
    });
  });
  if (port === undefined) server.listen(at);
  else server.listen(port, at);
  await once(server, 'listening');
  return server;
}

function answerTo(bytes: Buffer): Buffer | string {
  const text = bytes.toString('latin1');
  if (bytes[0] === 5) return bytes.length === 3 ? Buffer.from([5, 0]) : Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  if (text.startsWith('CONNECT ')) return 'HTTP/1.1 200 Connection established\r\n\r\n';
  const redirected = /\/redirect\/(\w+)/.exec(text)?.[1];
  if (redirected === undefined) return OK;
  const location = `Location: http://redirected-${redirected}.evil.example/\r\n`;
  return `HTTP/1.1 302 Found\r\n${location}Content-Length: 0\r\nConnection: close\r\n\r\n`;
}

/** Sends something of its own and waits for it: what was sent before is there then. */
async function settle(): Promise<void> {
  const fences = ['tcp', 'udp'].map((name) => `fence ${name} ${process.pid};`) as [string, string];
  net.connect(SINK, '127.0.0.1').end(fences[0]);
  createSocket('udp4').send(fences[1], SINK, '127.0.0.1');
  while (!fences.every((fence) => received.includes(fence))) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** An address of this machine that others reach it by. */
function ownAddress(): string {
  const all = Object.values(os.networkInterfaces()).flatMap((addresses = []) => addresses);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.3';
}
