// A Redis for the benchmark: on a free port of this machine, in a folder that goes away, without files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';

const TRIES = 200;
const PAUSE_MS = 25;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** @returns {Promise<{port: number, stop: () => Promise<void>}>} */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-bench-bus-'));
  const port = await freePort();
  const settings = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', settings.map(String), { stdio: 'ignore' });
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  let failure = 'it does not answer';
  child.on('error', ({ message }) => {
    failure = message;
  });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const client = new Redis({ port, lazyConnect: true, retryStrategy: null }).on('error', () => undefined);
    const answers = await client.connect().then(
      () => true,
      () => false,
    );
    client.disconnect();
    if (answers) return { port, stop };
    await pause(PAUSE_MS);
  }
  await stop();
  throw new Error(`redis-server is needed: ${failure}`);
}
