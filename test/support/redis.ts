/** A Redis server per test file: on a free port of this machine, in a temporary folder, without persistence. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIVENESS_MS } from './liveness.js';
import { sleep } from './processes.js';

const PAUSE_MS = 20;

export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0;

/** A server that can be stopped and started again on the same port. */
export class RedisServer {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'handrail-redis-'));
  #port = 0;
  #child: ChildProcess | undefined;

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Starts the server; tries further ports when another program takes a free one first. */
  async start(): Promise<void> {
    const isNew = this.#port === 0;
    for (let tries = 0; tries < 5; tries += 1) {
      if (isNew) this.#port = await freePort();
      if (await this.#startOnce()) return;
    }
    throw new Error('redis-server does not start');
  }

  async #startOnce(): Promise<boolean> {
    const settings = {
      port: this.#port,
      bind: '127.0.0.1',
      dir: this.folder,
      save: '',
      appendonly: 'no',
      loglevel: 'warning',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn('redis-server', args, { stdio: 'ignore' });
    this.#child = child;
    const started = performance.now();
    while (performance.now() - started < LIVENESS_MS) {
      if (child.exitCode !== null) return false;
      if (await this.#answers()) return true;
      await sleep(PAUSE_MS);
    }
    return false;
  }

  async #answers(): Promise<boolean> {
    const client = this.client({ lazyConnect: true, retryStrategy: null });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.ping()) === 'PONG';
    } catch {
      return false;
    } finally {
      client.disconnect();
    }
  }

  /** A plain client of the server. */
  client(options: object = {}): Redis {
    return new Redis({ host: '127.0.0.1', port: this.#port, replyMapping: 'legacy', ...options });
  }

  /** Stops the server, which loses its data. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    child.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Defines tests that need Redis. Without redis-server they are skipped; with HANDRAIL_REQUIRE_REDIS=1 its absence is a failure. */
export function describeWithRedis(title: string, define: (server: RedisServer) => void): void {
  if (process.env['HANDRAIL_REQUIRE_REDIS'] === '1') {
    it('there is a redis-server, as HANDRAIL_REQUIRE_REDIS says', () => {
      expect(HAS_REDIS).toBe(true);
    });
  }
  describe.skipIf(!HAS_REDIS)(HAS_REDIS ? title : `${title} (skipped: no redis-server)`, () => {
    const server = new RedisServer();
    beforeAll(() => (HAS_REDIS ? server.start() : undefined));
    afterAll(() => server.remove());
    define(server);
  });
}
