// Starts a Redis server for the benchmark: on a free port of this machine, in a temporary folder, without persistence.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';

const MAX_CONNECTION_ATTEMPTS = 200;
const ATTEMPT_PAUSE_MS = 25;

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
  for (let attempt = 0; attempt < MAX_CONNECTION_ATTEMPTS; attempt += 1) {
    const client = new Redis({ port, lazyConnect: true, retryStrategy: null }).on('error', () => undefined);
    const isReady = await client.connect().then(
      () => true,
      () => false,
    );
    client.disconnect();
    if (isReady) return { port, stop };
    await pause(ATTEMPT_PAUSE_MS);
  }
  await stop();
  throw new Error(`redis-server is needed: ${failure}`);
}
