import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_LOCK_BYTES } from '../../ts/mcp/limits.js';
import { LockFile } from '../../ts/mcp/lock-file.js';
import { type ToolPin, toolSet } from '../../ts/mcp/tool-set.js';
import { toolkits } from '../support/toolkits.js';
import { nodeServer } from './routers.js';

const { make, workspace } = toolkits();

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-lock-'));
  file = path.join(folder, 'kept', 'mcp.lock');
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const digest = (letter: string) => letter.repeat(64);
const pin = (name: string): ToolPin => ({
  name,
  digests: { description: digest('a'), schema: digest('b'), annotations: digest('c') },
  shown: [name],
  notes: [],
});
const server = (name: string, letter = 'd') => ({ name, source: `node ${name}.mjs`, identity: digest(letter) });
const believed = () => {
  const { digest: set, tools } = toolSet([pin('search')]);
  return { ...server('one'), set, tools };
};
const open = (place: string | undefined = file, writable: readonly string[] = []) =>
  new LockFile({ file: place, writable, shownOption: '`mcpLock`' });

/** A lock file with one server. */
function written(): LockFile {
  const lock = open();
  lock.approve(server('one'), toolSet([pin('search')]));
  return lock;
}

describe('a lock file', () => {
  it('keeps the tools of each server, readable by its owner alone, and leaves nothing beside it', () => {
    const lock = written();
    lock.approve(server('two', 'e'), toolSet([]));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(file))).toEqual(['mcp.lock']);
    expect(open().approved(server('one'))).toEqual(toolSet([pin('search')]));
    expect(open().approved(server('one', 'f'))).toBeUndefined();
    expect(open().approved(server('other'))).toBeUndefined();
    expect(open().list()).toEqual([
      { name: 'one', source: 'node one.mjs', tools: 1 },
      { name: 'two', source: 'node two.mjs', tools: 0 },
    ]);
  });

  it('has one entry for a server, whatever was approved before, and forgets what is removed', () => {
    const lock = written();
    lock.approve(server('one'), toolSet([pin('search'), pin('find')]));
    lock.approve(server('one', 'e'), toolSet([]));
    expect(lock.list().map(({ tools }) => tools)).toEqual([2, 0]);
    expect(lock.sourcesOf('one')).toHaveLength(2);
    expect([lock.remove('one'), lock.remove('one'), lock.list()]).toEqual([2, 0, []]);
  });

  it('lies beside the list of trusted files where none is named', () => {
    vi.stubEnv('XDG_CONFIG_HOME', folder);
    new LockFile({ writable: [], shownOption: 'x' }).approve(server('one'), toolSet([]));
    expect(readdirSync(path.join(folder, 'handrail'))).toEqual(['mcp.lock']);
  });

  it.each([
    ['text', 'no JSON'],
    ['{}', 'no lock'],
    [JSON.stringify({ version: 2, servers: [] }), 'another version'],
    [
      JSON.stringify({ version: 1, servers: [{ ...server('one'), set: digest('a'), tools: [] }] }),
      'a set that is none',
    ],
  ])('is an error where it holds %s: %s', (text) => {
    written();
    writeFileSync(file, text);
    expect(() => open()).toThrow(expect.objectContaining({ code: 'ERR_INVALID_CONFIG' }));
  });

  it('is an error where others can write it, and where it is larger than is read', () => {
    written();
    chmodSync(file, 0o666);
    expect(() => open()).toThrow('can be written by other users');
    chmodSync(file, 0o600);
    writeFileSync(file, ' '.repeat(MAX_LOCK_BYTES + 1));
    expect(() => open()).toThrow(`has more than ${MAX_LOCK_BYTES} bytes`);
  });
});

describe('the place of a lock file', () => {
  /** Ways to a file that commands can write. Each gives the path that is asked for. */
  const PLACES: Readonly<Record<string, (root: string) => string>> = {
    'beneath a root': (root) => path.join(root, 'mcp.lock'),
    'by a link of its folder': (root) => {
      symlinkSync(root, path.join(folder, 'linked'));
      return path.join(folder, 'linked', 'mcp.lock');
    },
    'by a link of its own': (root) => {
      writeFileSync(path.join(root, 'mcp.lock'), '');
      symlinkSync(path.join(root, 'mcp.lock'), path.join(folder, 'lock'));
      return path.join(folder, 'lock');
    },
    'by a link in a root that leads out of it': (root) => {
      symlinkSync(folder, path.join(root, 'out'));
      return path.join(root, 'out', 'lock');
    },
    'by a second name': (root) => {
      writeFileSync(path.join(root, 'mcp.lock'), '');
      linkSync(path.join(root, 'mcp.lock'), path.join(folder, 'second'));
      return path.join(folder, 'second');
    },
  };

  it.each(Object.entries(PLACES))('is refused where commands write: %s', async (_way, place) => {
    for (const name of ['mcp.lock', 'out']) rmSync(path.join(workspace, name), { force: true });
    const mcpLock = place(workspace);
    await expect(make({ mcpServers: [nodeServer('one')], mcpLock })).rejects.toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      data: { name: 'mcpLock' },
    });
    // Without the guard the file that a command has written is believed.
    const unguarded = path.join(folder, 'unguarded');
    mkdirSync(unguarded);
    writeFileSync(path.join(unguarded, 'lock'), JSON.stringify({ version: 1, servers: [believed()] }));
    expect(open(path.join(unguarded, 'lock')).approved(server('one'))).toEqual(toolSet([pin('search')]));
  });

  it('is looked at again with each use', () => {
    const root = path.join(folder, 'root');
    mkdirSync(root);
    const lock = open(file, [root]);
    lock.approve(server('one'), toolSet([]));
    rmSync(path.dirname(file), { recursive: true });
    symlinkSync(root, path.dirname(file));
    expect(() => lock.approved(server('one'))).toThrow('lies where the tools write');
    expect(() => lock.approve(server('one'), toolSet([]))).toThrow('lies where the tools write');
    expect(readdirSync(root)).toEqual([]);
  });

  it('may be a root that is read alone, and does not go with commands that write everywhere', async () => {
    mkdirSync(path.join(folder, 'read'));
    const mcpLock = path.join(folder, 'read', 'mcp.lock');
    const roots = [workspace, { path: path.join(folder, 'read'), mode: 'ro' as const }];
    expect((await make({ workspace: undefined, roots, mcpServers: [nodeServer('one')], mcpLock })).mcp).toBeDefined();
    const terminal = { allow: ['echo'], confine: { writes: 'any' as const } };
    await expect(make({ terminal, mcpLock })).rejects.toThrow('`mcpLock` does not go with');
  });

  it('has the file only once somebody has approved something', () => {
    open();
    expect(readdirSync(folder)).toEqual([]);
    written();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1, servers: [{ name: 'one' }] });
  });
});
