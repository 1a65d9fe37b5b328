import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { InMemoryRemoteSnapshotStore, Manifest } from '@openai/agents/sandbox';
import { afterAll, describe, expect, it } from 'vitest';
import { WorkspaceTree } from '../../ts/openai-sandbox/tree.js';
import { removeSandboxes, temporaryFolder, testClient, testSession } from './support.js';

afterAll(removeSandboxes);

const data = Buffer.from('evil').toString('base64');
const file = (name: string) => ({ path: name, data });
const archive = (parts: Record<string, unknown>) =>
  JSON.stringify({ version: 1, directories: [], files: [], ...parts });

/** Archives that must change nothing. */
const BAD_ARCHIVES: Readonly<Record<string, string>> = {
  'a path that climbs': archive({ files: [file('../../evil')] }),
  'a path that climbs in the middle': archive({ files: [file('a/../../evil')] }),
  'a folder that climbs': archive({ directories: ['../evil'] }),
  'an absolute path': archive({ files: [file('/tmp/evil')] }),
  'an empty part': archive({ files: [file('a//b')] }),
  'the folder itself': archive({ files: [file('.')] }),
  'a NUL in a name': archive({ files: [file('a\0b')] }),
  'a name that is too long': archive({ files: [file('n'.repeat(256))] }),
  'names that differ in halves of a surrogate pair': archive({ directories: ['\ud800'], files: [file('\ud801')] }),
  'a target of half a surrogate pair': archive({ links: [{ path: 'l', target: '\ud800' }] }),
  'a target that is too long': archive({ links: [{ path: 'l', target: 'a/'.repeat(3_000).concat('a') }] }),
  'folders that are nested too deep': archive({ directories: ['d/'.repeat(200).concat('d')] }),
  'a link to an absolute place': archive({ links: [{ path: 'l', target: '/etc' }] }),
  'a link that climbs': archive({ links: [{ path: 'd/l', target: '../../etc' }] }),
  'a link that climbs behind another': archive({
    links: [
      { path: 'd', target: '.' },
      { path: 'l', target: 'd/../../etc' },
    ],
  }),
  'a file through a link': archive({ links: [{ path: 'l', target: 'd' }], files: [file('l/evil')] }),
  'a folder through a link': archive({ links: [{ path: 'l', target: 'd' }], directories: ['l/d'] }),
  'a file twice': archive({ files: [file('a'), file('a')] }),
  'a file and a link of one name': archive({ files: [file('a')], links: [{ path: 'a', target: 'b' }] }),
  'a file and a folder of one name': archive({ files: [file('a')], directories: ['a'] }),
  'a file beneath a file': archive({ files: [file('a'), file('a/b')] }),
  'a device': archive({ files: [{ ...file('null'), type: 'device', major: 1, minor: 3 }] }),
  'a mode with setuid': archive({ files: [{ ...file('a'), mode: 0o4755 }] }),
  'a list of devices': archive({ devices: [{ path: 'null' }] }),
  'data that is no base64': archive({ files: [{ path: 'a', data: '!!' }] }),
  'a member that is no object': archive({ files: [null] }),
  'another version': archive({ version: 2 }),
  'no JSON': 'PK\u0003\u0004',
};

describe('an archive', () => {
  it.each(Object.entries(BAD_ARCHIVES))('with %s changes nothing', async (_name, bad) => {
    const session = await testSession();
    const root = session.state.workspaceRootPath;
    writeFileSync(path.join(root, 'kept'), 'kept');
    await expect(session.hydrateWorkspace(bad)).rejects.toMatchObject({ code: 'archive_error' });
    expect(readFileSync(path.join(root, 'kept'), 'utf8')).toBe('kept');
    expect(existsSync(path.join(path.dirname(root), 'evil'))).toBe(false);
  });

  it('leads out of the workspace where its names are taken as they are', () => {
    const outside = temporaryFolder();
    const root = path.join(outside, 'workspace');
    mkdirSync(root);
    const naive = (name: string) => writeFileSync(path.join(root, name), 'evil');
    naive('../climbed');
    symlinkSync(outside, path.join(root, 'link'));
    naive('link/through');
    symlinkSync('.', path.join(root, 'd'));
    symlinkSync('d/../climbed', path.join(root, 'behind'));
    naive('behind');
    for (const evil of ['climbed', 'through']) expect(existsSync(path.join(outside, evil))).toBe(true);
    expect(existsSync(path.join(root, 'climbed'))).toBe(false);
  });

  it('is held to limits of its size, its content and its members, at each and above', async () => {
    const session = await testSession();
    const one = archive({ files: [file('a'), file('b')] });
    for (const [limit, at] of [
      ['maxInputBytes', one.length],
      ['maxExtractedBytes', 8],
      ['maxMembers', 2],
    ] as const) {
      await session.hydrateWorkspace(one, { archiveLimits: { [limit]: at } });
      await expect(session.hydrateWorkspace(one, { archiveLimits: { [limit]: at - 1 } })).rejects.toMatchObject({
        code: 'archive_error',
      });
    }
    session.setArchiveLimits({ maxMembers: 1 });
    await expect(session.hydrateWorkspace(one)).rejects.toMatchObject({ code: 'archive_error' });
  });

  it('of a workspace holds files, modes and inner links, and no FIFO, socket or link that leads out', async () => {
    const session = await testSession();
    const root = session.state.workspaceRootPath;
    mkdirSync(path.join(root, 'd'));
    writeFileSync(path.join(root, 'd', 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync('d/run.sh', path.join(root, 'inner'));
    symlinkSync('/etc/passwd', path.join(root, 'outer'));
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    const packed = await session.persistWorkspace();
    await session.hydrateWorkspace(packed);
    expect(lstatSync(path.join(root, 'd', 'run.sh')).mode & 0o111).not.toBe(0);
    expect(readlinkSync(path.join(root, 'inner'))).toBe('d/run.sh');
    for (const gone of ['outer', 'pipe']) expect(existsSync(path.join(root, gone))).toBe(false);
  });

  it('is never unpacked in a folder of the host', async () => {
    const workspace = temporaryFolder();
    writeFileSync(path.join(workspace, 'mine'), 'mine');
    const session = await testSession({ workspace });
    await expect(session.hydrateWorkspace(archive({}))).rejects.toMatchObject({ code: 'unsupported_feature' });
    await session.close();
    expect(readFileSync(path.join(workspace, 'mine'), 'utf8')).toBe('mine');
  });
});

describe('a tree', () => {
  it('follows no folder that was exchanged for a link, where a path would', async () => {
    const folder = temporaryFolder();
    const outside = temporaryFolder();
    mkdirSync(path.join(folder, 'd'));
    await WorkspaceTree.with(folder, async (tree) => {
      renameSync(path.join(folder, 'd'), path.join(folder, 'old'));
      symlinkSync(outside, path.join(folder, 'd'));
      await expect(tree.write('d/evil', Buffer.from('x'), 0o644)).rejects.toMatchObject({ code: 'ENOTDIR' });
      await expect(tree.makeFolder('d/evil')).rejects.toMatchObject({ code: 'ENOTDIR' });
    });
    expect(existsSync(path.join(outside, 'evil'))).toBe(false);
    // Without the guard: the path leads there.
    writeFileSync(path.join(folder, 'd', 'evil'), 'x');
    expect(existsSync(path.join(outside, 'evil'))).toBe(true);
  });

  it('writes no file through a link or another name of it', async () => {
    const folder = temporaryFolder();
    const outside = path.join(temporaryFolder(), 'mine');
    writeFileSync(outside, 'mine');
    symlinkSync(outside, path.join(folder, 'link'));
    execFileSync('ln', [outside, path.join(folder, 'hard')]);
    await WorkspaceTree.with(folder, async (tree) => {
      for (const name of ['link', 'hard']) await tree.write(name, Buffer.from('evil'), 0o644);
      await expect(tree.read('none', 10)).rejects.toMatchObject({ code: 'ENOENT' });
    });
    expect(readFileSync(outside, 'utf8')).toBe('mine');
  });
});

describe('a state that comes back', () => {
  const client = testClient();
  const made = async () => {
    const session = await client.create({ manifest: { environment: { MODE: 'fast-and-loud' } } });
    writeFileSync(path.join(session.state.workspaceRootPath, 'a.txt'), 'one');
    const state = JSON.parse(JSON.stringify(await client.serializeSessionState(session.state))) as Record<
      string,
      unknown
    >;
    return { session, state };
  };

  it('opens its workspace again, or restores it from the snapshot', async () => {
    const { session, state } = await made();
    const again = await client.resume(await client.deserializeSessionState(state));
    expect((await again.exec({ cmd: 'cat a.txt; printenv MODE | wc -c' })).stdout).toBe('one14\n');
    await again.close();
    await session.close();
    const restored = await client.resume(await client.deserializeSessionState(state));
    expect((await restored.exec({ cmd: 'cat a.txt' })).stdout).toBe('one');
    writeFileSync(path.join(restored.state.workspaceRootPath, 'a.txt'), 'changed');
    await restored.shutdown();
    const drifted = await client.resume(await client.deserializeSessionState(state));
    expect((await drifted.exec({ cmd: 'cat a.txt' })).stdout).toBe('one');
    await drifted.close();
  });

  it.each(['/', '/etc', '/tmp', '..', 'workspace', `/tmp/handrail-sandbox-${'0'.repeat(32)}`])(
    'has no other workspace: %s',
    async (workspaceRootPath) => {
      const { session, state } = await made();
      const forged = {
        ...state,
        workspaceRootPath,
        manifest: { ...(state['manifest'] as object), root: workspaceRootPath },
      };
      await expect(client.deserializeSessionState(forged)).rejects.toMatchObject({ code: 'configuration_error' });
      await expect(client.resume({ ...session.state, workspaceRootPath })).rejects.toMatchObject({
        code: 'configuration_error',
      });
      expect(() => client.validateSessionStateForResume({ source: 'runState', state: forged })).toThrow(
        /workspaceRootPath/,
      );
      await session.close();
    },
  );

  it('has no workspace that is a link by now', async () => {
    const { session, state } = await made();
    const root = session.state.workspaceRootPath;
    await session.close();
    symlinkSync('/etc', root);
    await expect(client.resume(await client.deserializeSessionState(state))).rejects.toMatchObject({
      code: 'configuration_error',
    });
    expect(existsSync('/etc/passwd')).toBe(true);
  });

  it.each(['BASH_ENV', 'LD_PRELOAD', 'PATH', 'NODE_OPTIONS', 'HOME', 'GIT_SSH_COMMAND'])(
    'has no variable that decides what runs: %s',
    async (name) => {
      const { session, state } = await made();
      const manifest = { ...(state['manifest'] as object), environment: { [name]: { value: '/tmp/evil' } } };
      await expect(client.deserializeSessionState({ ...state, manifest })).rejects.toThrow(name);
      await session.close();
      // What the host itself says is taken.
      const own = await testSession({}, new Manifest({ environment: { [name]: '/nonexistent' } }));
      expect(own.state.environment).toEqual({ [name]: '/nonexistent' });
    },
  );

  it.each([
    ['path grants', { extraPathGrants: [{ path: '/etc' }] }],
    ['mounts', { entries: { m: { type: 'mount', source: '/etc' } } }],
    ['a path that climbs', { entries: { '../evil': { type: 'file', content: 'x' } } }],
    [
      'entries without end',
      { entries: Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`f${n}`, { type: 'dir' }])) },
    ],
  ])('has no manifest with %s', async (_name, part) => {
    const { session, state } = await made();
    const manifest = { ...(state['manifest'] as object), ...part };
    await expect(client.deserializeSessionState({ ...state, manifest })).rejects.toMatchObject({
      code: 'configuration_error',
    });
    await session.close();
  });

  it('names no file as its snapshot, no store, and no port', async () => {
    const { session, state } = await made();
    await session.close();
    const forged = {
      ...state,
      snapshot: { type: 'local', id: '../../../etc/passwd', path: '/etc/passwd' },
      exposedPorts: { 80: { host: '169.254.169.254', port: 80 } },
      snapshotSpec: { type: 'local', baseDir: '/etc' },
    };
    const read = await client.deserializeSessionState(forged);
    expect(read.exposedPorts).toBeUndefined();
    expect(JSON.stringify(read)).not.toContain('169.254');
    await expect(client.resume(read)).rejects.toThrow(/no local snapshot/);
  });

  it('leads nowhere else by the root of its manifest, which is a name', async () => {
    const { session, state } = await made();
    for (const root of ['/etc', '/', path.dirname(session.state.workspaceRootPath)]) {
      const manifest = { ...(state['manifest'] as object), root };
      const resumed = await client.resume(await client.deserializeSessionState({ ...state, manifest }));
      expect(Buffer.from(await resumed.readFile({ path: path.join(root, 'a.txt') })).toString()).toBe('one');
      await expect(resumed.readFile({ path: path.join(root, 'passwd') })).rejects.toMatchObject({
        details: { refusal: 'not_found' },
      });
      expect((await resumed.exec({ cmd: 'pwd', workdir: root })).stdout).toBe(`${session.state.workspaceRootPath}\n`);
      await resumed.shutdown();
    }
    await session.close();
  });

  it('copies no file of the host because of an entry', async () => {
    const { session, state } = await made();
    await session.close();
    const manifest = {
      ...(state['manifest'] as object),
      entries: { stolen: { type: 'local_file', src: '/etc/passwd' } },
    };
    const restored = await client.resume(await client.deserializeSessionState({ ...state, manifest }));
    expect(await restored.pathExists('stolen')).toBe(false);
    await restored.close();
  });

  it('is kept without ephemeral values, and in a store of the host', async () => {
    const store = new InMemoryRemoteSnapshotStore();
    const remote = testClient({ snapshot: { type: 'remote', store } });
    const session = await remote.create({
      manifest: {
        environment: { KEPT: { value: 'kept-value' }, GONE: { value: 'gone-value', ephemeral: true } },
        entries: {
          'e.txt': { type: 'file', content: 'ephemeral', ephemeral: true },
          'b.bin': { type: 'file', content: Buffer.from([0, 1]) },
        },
      },
    });
    const text = JSON.stringify(await remote.serializeSessionState(session.state));
    await session.close();
    expect(text).not.toMatch(/gone-value|ephemeral"/);
    const restored = await remote.resume(await remote.deserializeSessionState(JSON.parse(text)));
    expect((await restored.exec({ cmd: 'ls; printenv KEPT | wc -c; printenv GONE | wc -c' })).stdout).toBe(
      'b.bin\n11\n0\n',
    );
    await restored.close();
  });
});
