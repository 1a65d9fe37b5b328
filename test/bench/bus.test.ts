import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startNode } from '../support/cli.js';
import { HAS_REDIS } from '../support/redis.js';

const folder = mkdtempSync(path.join(tmpdir(), 'handrail-bench-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(!HAS_REDIS)(
  HAS_REDIS ? 'the benchmark of messages measures every part and checks what it did' : 'skipped: no redis-server',
  async () => {
    const output = path.join(folder, 'bus.json');
    const { code, stdout, stderr } = await startNode(['bench/bus.mjs', '--quick', '--output', output]).ended;
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining('publish to handler') });
    const { measured, table } = JSON.parse(readFileSync(output, 'utf8'));
    expect(Object.keys(measured)).toEqual(['publishing', 'delivering']);
    expect(table.columns).toEqual(['', 'RedisBus', 'ioredis', 'MemoryBus']);
  },
);
