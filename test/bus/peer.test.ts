import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startNode } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';
import { folderPerTest } from '../support/folder.js';

const folder = folderPerTest();

it('without ioredis everything but RedisBus works, and that says what to install', async () => {
  const installed = path.join(folder(), 'node_modules/handrail');
  mkdirSync(installed, { recursive: true });
  for (const name of ['dist', 'package.json']) {
    cpSync(path.join(REPOSITORY, name), path.join(installed, name), { recursive: true });
  }
  const code = `
    import { MemoryBus, RedisBus } from 'handrail';
    const memory = new MemoryBus();
    await memory.publish('t', { n: 1 });
    const bus = new RedisBus('redis://127.0.0.1:1');
    const failure = await bus.publish('t', {}).catch((error) => error);
    console.log((await memory.read('t')).length, failure.code, failure.message, JSON.stringify(failure.data));
    const again = await bus.read('t').catch((error) => error);
    console.log(again.code);
    await bus.close();`;
  const { ended } = startNode(['--input-type=module', '--eval', code], { cwd: folder() });
  expect(await ended).toMatchObject({
    code: 0,
    stderr: '',
    stdout:
      '1 ERR_PEER_MISSING RedisBus needs the package ioredis: npm install ioredis@6 ' +
      '{"package":"ioredis","command":"npm install ioredis@6"}\nERR_PEER_MISSING\n',
  });
});
