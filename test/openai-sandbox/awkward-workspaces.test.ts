import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../support/processes.js';
import { removeSandboxes, testClient, testSession } from './support.js';

afterAll(removeSandboxes);

const EMPTY_ARCHIVE = JSON.stringify({ version: 1, directories: [], files: [] });

/** Nests folders of 100 letters, which have no absolute path from the 41st on. */
function nestFolders(root: string, count: number): void {
  const script = `import os\nfor _ in range(${count}):\n  os.mkdir("n" * 100)\n  os.chdir("n" * 100)\nopen("deepest", "w")`;
  execFileSync('python3', ['-c', script], { cwd: root });
}

describe('a workspace', () => {
  it('is kept while a program renames its files', async () => {
    const client = testClient();
    const session = await client.create();
    const root = session.state.workspaceRootPath;
    const files = 'for n in range(40): open(f"a{n}", "w")';
    const renames = 'for a, b in ("ab", "ba"):\n    for n in range(40): os.rename(f"{a}{n}", f"{b}{n}")';
    const renaming = spawn('python3', ['-c', `import os\n${files}\nwhile True:\n  ${renames}`], { cwd: root });
    try {
      await until(() => readdirSync(root).some((name) => name.startsWith('b')));
      for (let round = 0; round < 10; round += 1) {
        expect(await client.serializeSessionState(session.state)).toMatchObject({ workspaceRootPath: root });
      }
    } finally {
      renaming.kill('SIGKILL');
      await once(renaming, 'exit');
    }
    await session.close();
  });

  it('is packed without names and targets that are not UTF-8, and cleared of them', async () => {
    const session = await testSession();
    const root = session.state.workspaceRootPath;
    const noUtf8 = Buffer.from([0xff]);
    writeFileSync(Buffer.concat([Buffer.from(`${root}/n`), noUtf8]), 'x');
    symlinkSync(noUtf8, path.join(root, 'link'));
    writeFileSync(path.join(root, '\ufffd'), 'x');
    const { files, links } = JSON.parse(Buffer.from(await session.persistWorkspace()).toString()) as {
      files: { path: string }[];
      links?: unknown;
    };
    expect([files.map((file) => file.path), links]).toEqual([['\ufffd'], undefined]);
    await session.hydrateWorkspace(EMPTY_ARCHIVE);
    expect(readdirSync(root)).toEqual([]);
  });

  it('comes back with folders that have no absolute path, and is removed with them', async () => {
    const client = testClient();
    const session = await client.create();
    const root = session.state.workspaceRootPath;
    nestFolders(root, 60);
    const packed = await session.persistWorkspace();
    const state = JSON.parse(JSON.stringify(await client.serializeSessionState(session.state)));
    await session.close();
    expect(existsSync(root)).toBe(false);
    const restored = await client.resume(await client.deserializeSessionState(state));
    expect(await restored.persistWorkspace()).toEqual(packed);
    await restored.shutdown();
    await client.delete(restored.state);
    expect(existsSync(root)).toBe(false);
  });

  it('of too many nested folders is refused by name, cleared and removed', async () => {
    const session = await testSession();
    const root = session.state.workspaceRootPath;
    nestFolders(root, 300);
    await expect(session.persistWorkspace()).rejects.toMatchObject({ code: 'archive_error' });
    await session.hydrateWorkspace(EMPTY_ARCHIVE);
    expect(readdirSync(root)).toEqual([]);
    nestFolders(root, 300);
    await session.close();
    expect(existsSync(root)).toBe(false);
  });

  it('that is gone is restored once for two that resume it at once', async () => {
    const client = testClient();
    const session = await client.create({
      manifest: { entries: { 'a.txt': { type: 'file', content: 'one' } } },
    });
    const state = JSON.parse(JSON.stringify(await client.serializeSessionState(session.state)));
    await session.close();
    const resumed = [1, 2].map(async () => client.resume(await client.deserializeSessionState(state)));
    for (const again of await Promise.all(resumed)) {
      expect((await again.exec({ cmd: 'cat a.txt' })).stdout).toBe('one');
    }
    await Promise.all((await Promise.all(resumed)).map((again) => again.close()));
  });
});
