// Connections through the way out of commands, beside a direct connection. Each sample is one process of a command that makes
// connections of one kind; the kinds are interleaved, in a random order in every round.
import { createServer } from 'node:http';
import { Terminal } from '../../dist/index.js';
import { median, quantile, rounded } from '../lib/statistics.mjs';
import { shuffled } from './shuffled.mjs';

/** The port of the proxy in the network of commands. */
const PROXY_PORT = 61_080;
const SMALL = 'ok';
const COUNTS = {
  full: { warmUpRounds: 2, rounds: 30, connections: 50, bytes: 64 * 2 ** 20 },
  quick: { warmUpRounds: 1, rounds: 2, connections: 5, bytes: 2 ** 20 },
};

export const DIRECT = 'direct';
/** By name: the network, and how a connection begins: where, and whether the proxy is asked for a tunnel. */
export const CONNECTIONS = {
  [DIRECT]: { network: 'any', through: 'nothing' },
  // The same a second time shows how much two measurements of it differ.
  'direct again': { network: 'any', through: 'nothing' },
  'address of an entry': { network: 'list', through: 'nothing' },
  'by CONNECT': { network: 'list', through: 'CONNECT' },
  'by plain HTTP': { network: 'list', through: 'HTTP' },
};

/** Code for node that makes connections one after the other, and prints the milliseconds and the bytes of the answer of each. */
const clientCode = (port, through, path, count) => `
  const net = require('node:net');
  const target = 'localhost:${port}';
  const head = (start) => start + ' HTTP/1.1\\r\\nHost: ' + target + '\\r\\nConnection: close\\r\\n\\r\\n';
  const request = head('GET ' + (${JSON.stringify(through)} === 'HTTP' ? 'http://' + target : '') + '${path}');
  const once = () => new Promise((resolve, reject) => {
    const began = process.hrtime.bigint();
    let isOpen = ${JSON.stringify(through)} !== 'CONNECT';
    let bytes = 0;
    let end = Buffer.alloc(0);
    const socket = net.connect(${through === 'nothing' ? port : PROXY_PORT}, '127.0.0.1', () => {
      socket.write(isOpen ? request : 'CONNECT ' + target + ' HTTP/1.1\\r\\nHost: ' + target + '\\r\\n\\r\\n');
    });
    socket.setNoDelay(true);
    socket.on('data', (part) => {
      if (!isOpen) {
        isOpen = part.toString().startsWith('HTTP/1.1 200');
        if (!isOpen) reject(new Error(part.toString()));
        else socket.write(request);
        return;
      }
      const all = bytes === 0 ? part.subarray(part.indexOf('\\r\\n\\r\\n') + 4) : part;
      bytes += all.length;
      end = all.length === 0 ? end : all.subarray(-2);
    });
    socket.on('error', reject);
    socket.on('close', () => {
      resolve({ ms: Number(process.hrtime.bigint() - began) / 1e6, bytes, end: end.toString() });
    });
  });
  (async () => {
    const answers = [];
    for (let made = 0; made < ${count}; made += 1) answers.push(await once());
    console.log(JSON.stringify(answers));
  })();`;

/** A server with a short answer and a long one. */
async function startServer(bytes) {
  const long = Buffer.alloc(bytes, SMALL);
  const server = createServer((request, response) => response.end(request.url === '/long' ? long : SMALL));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: server.address().port };
}

/** The milliseconds of each connection of one sample; throws when an answer is not whole. */
async function sample(terminal, code, expectedBytes) {
  const { ok, stdout, output } = await terminal.run(['node', '-e', code]);
  if (!ok) throw new Error(`the client failed: ${output}`);
  return JSON.parse(stdout).map(({ ms, bytes, end }) => {
    if (bytes !== expectedBytes || end !== SMALL) throw new Error(`the answer had ${bytes} bytes`);
    return ms;
  });
}

/** Latency: connecting, a request and its short answer. Throughput: one long answer. */
export async function connections({ quick }) {
  const { warmUpRounds, rounds, connections: count, bytes } = quick ? COUNTS.quick : COUNTS.full;
  const { server, port } = await startServer(bytes);
  const policy = { allow: ['node'], trustInterpreters: ['node'] };
  const terminals = {
    any: new Terminal({ ...policy, confine: { network: 'any' } }),
    list: new Terminal({ ...policy, confine: { network: { allow: [`localhost:${port}`] } } }),
  };
  const names = Object.keys(CONNECTIONS);
  const measured = names.map((name) => [name, { latency: [], throughput: [] }]);
  const samples = Object.fromEntries(measured);
  try {
    for (let round = -warmUpRounds; round < rounds; round += 1) {
      for (const name of shuffled(names)) {
        const { network, through } = CONNECTIONS[name];
        const run = (path, times, size) => sample(terminals[network], clientCode(port, through, path, times), size);
        const latency = median(await run('/short', count, SMALL.length));
        const [longMs] = await run('/long', 1, bytes);
        if (round < 0) continue;
        samples[name].latency.push(latency);
        samples[name].throughput.push(bytes / 1e3 / longMs);
      }
    }
  } finally {
    await Promise.all(Object.values(terminals).map((terminal) => terminal.close()));
    server.close();
  }
  const ratio = (kind, name) =>
    rounded(median(samples[name][kind].map((value, round) => value / samples[DIRECT][kind][round])), 3);
  const figures = names.map((name) => {
    const { latency, throughput } = samples[name];
    const ms = { median: rounded(median(latency), 3), p95: rounded(quantile(latency, 0.95), 3) };
    const megabytes = rounded(median(throughput), 1);
    return [name, { ms, timesDirect: ratio('latency', name), megabytes, ofDirect: ratio('throughput', name) }];
  });
  return { connections: Object.fromEntries(figures) };
}
