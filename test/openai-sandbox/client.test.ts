import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Manifest, NoopSnapshotSpec } from '@openai/agents/sandbox';
import { afterAll, describe, expect, it } from 'vitest';
import { removeSandboxes, temporaryFolder, testClient, testSession } from './support.js';

afterAll(removeSandboxes);

type State = Record<string, unknown>;

const asJson = (state: unknown): State => JSON.parse(JSON.stringify(state)) as State;

describe('a snapshot', () => {
  it('that was given for one run is found when that goes on, by the same client alone', async () => {
    const baseDir = temporaryFolder();
    const client = testClient({ snapshot: undefined });
    const session = await client.create({
      snapshot: { type: 'local', baseDir },
      manifest: { entries: { 'a.txt': { type: 'file', content: 'one\n' } } },
    });
    const state = asJson(await client.serializeSessionState(session.state));
    expect(state['snapshotSpec']).toEqual({ type: 'local', baseDir });
    await session.close();
    const resumed = await client.resume(await client.deserializeSessionState(state));
    expect((await resumed.exec({ cmd: 'cat a.txt' })).stdout).toBe('one\n');
    await resumed.close();
    // Nobody told this one of the folder: the word of a state does not do.
    const workspaceBaseDir = path.dirname(session.state.workspaceRootPath);
    const other = testClient({ workspaceBaseDir, snapshot: { type: 'local', baseDir: temporaryFolder() } });
    await expect(other.resume(await other.deserializeSessionState(state))).rejects.toThrow(/no local snapshot/);
  });

  it('is a folder that holds the files, and no link that leads out', async () => {
    const client = testClient();
    const session = await client.create({ manifest: { entries: { 'd/a.sh': { type: 'file', content: 'one\n' } } } });
    symlinkSync('/etc/passwd', path.join(session.state.workspaceRootPath, 'out'));
    await client.serializeSessionState(session.state);
    const folder = String(session.state.snapshot?.['path']);
    expect(readFileSync(path.join(folder, 'd', 'a.sh'), 'utf8')).toBe('one\n');
    expect(readdirSync(folder)).toEqual(['d']);
    session.state.snapshotSpec = new NoopSnapshotSpec();
    expect(await client.serializeSessionState(session.state)).toMatchObject({
      snapshot: null,
      snapshotSpec: { type: 'noop' },
    });
    expect(existsSync(folder)).toBe(false);
    await session.close();
  });

  it('that holds links by now restores none of them that leads out', async () => {
    const client = testClient();
    const session = await client.create();
    const state = asJson(await client.serializeSessionState(session.state));
    const folder = String(session.state.snapshot?.['path']);
    symlinkSync('/etc', path.join(folder, 'etc'));
    await session.close();
    const resumed = await client.resume(await client.deserializeSessionState(state));
    expect(readdirSync(resumed.state.workspaceRootPath)).toEqual([]);
    await resumed.close();
  });
});

describe('a client', () => {
  it.each([0, -1, Number.NaN, '4'])('refuses the limit on concurrency %s', async (limit) => {
    const concurrencyLimits = { manifestEntries: limit as number };
    await expect(testClient().create({ concurrencyLimits })).rejects.toThrow(/positive numbers/);
    await expect(testClient({ concurrencyLimits } as object).create()).rejects.toThrow(/positive numbers/);
  });

  it('names its ports in the state, as the options say and no state', async () => {
    const client = testClient({ exposedPorts: [4173, 4173] });
    const session = await client.create();
    expect(session.state['configuredExposedPorts']).toEqual([4173]);
    await expect(session.resolveExposedPort(3000)).rejects.toThrow(/not configured to expose port 3000/);
    const forged = { ...(await client.serializeSessionState(session.state)), configuredExposedPorts: [22] };
    expect((await client.deserializeSessionState(forged))['configuredExposedPorts']).toEqual([4173]);
    await session.close();
  });

  it('masks the values of a manifest in the errors of making its workspace', async () => {
    const value = 'correct-horse-9';
    const manifest = new Manifest({
      environment: { DEPLOY: value },
      entries: { a: { type: 'local_file', src: path.join(temporaryFolder(), value) } },
    });
    const error = await testClient()
      .create(manifest)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain(value);
  });
});

describe('a session', () => {
  it('writes no entry where the agent has made a link', async () => {
    const session = await testSession();
    const outside = path.join(temporaryFolder(), 'mine');
    writeFileSync(outside, 'mine');
    const root = session.state.workspaceRootPath;
    mkdirSync(path.join(root, 'd'));
    symlinkSync(outside, path.join(root, 'd', 'link'));
    symlinkSync(path.dirname(outside), path.join(root, 'folder'));
    for (const name of ['d/link', 'folder', 'folder/evil']) {
      const entry = { type: 'file', content: 'evil' } as const;
      await expect(session.materializeEntry({ path: name, entry })).rejects.toMatchObject({
        code: 'invalid_manifest_path',
      });
    }
    expect(readFileSync(outside, 'utf8')).toBe('mine');
    expect(readdirSync(path.dirname(outside))).toEqual(['mine']);
  });

  it('shows a compressed SVG, masked, and none that is too large', async () => {
    const value = 'correct-horse-9';
    const svg = (text: string): Uint8Array => gzipSync(`<svg>${text}</svg>`);
    const session = await testSession(
      {},
      {
        manifest: {
          environment: { DEPLOY: value },
          entries: {
            'a.svgz': { type: 'file', content: svg(value) },
            'bomb.svgz': { type: 'file', content: svg(' '.repeat(11 * 1024 * 1024)) },
            'text.svgz': { type: 'file', content: 'no picture' },
          },
        },
      },
    );
    const { image } = (await session.viewImage({ path: 'a.svgz' })) as { image: { data: Uint8Array } };
    expect(Buffer.from(image.data).toString()).toBe('<svg>[REDACTED]</svg>');
    for (const name of ['bomb.svgz', 'text.svgz']) {
      await expect(session.viewImage({ path: name })).rejects.toThrow(/Unsupported image format/);
    }
  });

  it('says where a path of the SDK is on this machine', async () => {
    const session = await testSession();
    expect(session.resolveSandboxPath('/workspace/a')).toBe(path.join(session.state.workspaceRootPath, 'a'));
    expect(() => session.resolveSandboxPath('../a')).toThrow(/must not escape root/);
    expect(() => session.resolveSandboxPath('/etc/passwd')).toThrow(/escapes the workspace root/);
  });
});
