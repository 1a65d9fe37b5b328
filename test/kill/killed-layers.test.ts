/**
 * A host that is killed at one system call after another while it brings a layer over, or takes that back: the next one finds
 * all of it or none, and no file of ours.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Files } from '../../ts/files/files.js';
import { commitLayer, discardLayer } from '../../ts/files/layer-changes.js';
import { hasStrace, killAtEachCall } from './killed-calls.js';

const TREE = `mkdir -p d/e gone/in here && echo a > a && echo b > b && echo c > d/c && echo f > d/e/f && echo g > gone/in/g &&
  echo h > here/h && ln -s a link && touch -d 2020-01-02 a d/c d here`;
const SCRIPT = `echo A > a; rm b; echo new > n; ln n second; mkdir -p fresh/in; echo z > fresh/in/z; chmod 700 d; echo C > d/c;
  rm -r gone; rm -r here; mkdir here; echo H > here/o; rm link; mkdir link; echo l > link/l; ln -s ../n d/e/to`;
const SNAPSHOT = "find . -printf '%P|%y|%m|%T@|%l\\n' | sort; find . -type f -exec cksum {} + | sort -k3";

const HOST = `
  import { Files } from 'handrail';
  const { root, state, layer, change } = JSON.parse(process.argv[1]);
  const files = new Files({ roots: [root], changes: { folder: state + '/changes' } });
  const done = change === 'undo'
    ? await files.undo({ all: true })
    : await Files.layer(files, 'layer_commit', { layer, takes: true });
  if (!done.ok || done.committed === false) throw new Error(JSON.stringify(done));`;

const mounted = 'mkdir l u w m && mount -t overlay overlay -o lowerdir=l,upperdir=u,workdir=w,userxattr m';
const tried = mkdtempSync(path.join(tmpdir(), 'handrail-overlay-'));
const hasOverlays = spawnSync('unshare', ['-Urm', 'sh', '-c', mounted], { cwd: tried }).status === 0;
spawnSync('chmod', ['-R', 'u+rwx', tried]);
rmSync(tried, { recursive: true, force: true });
const isSkipped = !hasStrace || !hasOverlays;
const skipped = isSkipped ? ` (skipped: no ${hasStrace ? 'overlay in a namespace' : 'strace'})` : '';

/** A folder in another file system than temporary files. */
const SHARED = '/dev/shm';
const hasShared = existsSync(SHARED) && statSync(SHARED).dev !== statSync(tmpdir()).dev;

let base: string;
let root: string;
/** The state of the host, with the journal and the layer. */
let state: string;
let layer: string;
/** The trees before and after; each preparation has times of its own. */
const trees = new Set<string>();

beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'handrail-killed-'));
  root = path.join(base, 'root');
  state = path.join(base, 'state');
  trees.clear();
});
afterEach(() => {
  for (const folder of [base, state]) {
    spawnSync('chmod', ['-R', 'u+rwx', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
});

const sh = (script: string, cwd: string): string => execFileSync('sh', ['-c', script], { cwd, encoding: 'utf8' });
const snapshot = (): string => sh(SNAPSHOT, root);

/** Makes the tree, and a layer over it in which the script has run. What the tree looks like in the layer. */
function setUp(): string {
  for (const folder of [root, state]) {
    spawnSync('chmod', ['-R', 'u+rwx', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
  mkdirSync(root);
  sh(TREE, root);
  for (const name of ['upper', 'work']) mkdirSync(path.join(layer, '0', name), { recursive: true, mode: 0o700 });
  mkdirSync(path.join(state, 'merged'));
  sh(`chmod --reference=${root} upper && touch -r ${root} upper`, path.join(layer, '0'));
  const owner = { pid: process.pid, start: 0 };
  writeFileSync(path.join(layer, 'layer.json'), JSON.stringify({ version: 1, owner, roots: [root] }));
  const begun = path.join(layer, 'begun');
  const touch = (): number => {
    writeFileSync(begun, '');
    return statSync(begun).ctimeMs;
  };
  const first = touch();
  while (touch() === first);
  const options = `lowerdir=${root},upperdir=${layer}/0/upper,workdir=${layer}/0/work,userxattr,index=off,metacopy=off`;
  const merged = path.join(state, 'merged');
  const script = `mount -t overlay overlay -o ${options} ${merged} && cd ${merged} && ${SCRIPT}; ${SNAPSHOT}`;
  return execFileSync('unshare', ['-Urm', 'sh', '-c', script], { encoding: 'utf8' });
}

const open = (): Files => new Files({ roots: [root], changes: { folder: path.join(state, 'changes') } });

/** Tries one call after another; gives what is found after each, before the next start and after it. */
async function killAtEach(prepare: () => Promise<unknown>, change: 'commit' | 'undo') {
  const found = { left: new Set<string>(), mended: new Set<string>() };
  const place = hasShared && state.startsWith(SHARED) ? 'elsewhere' : 'in the same file system';
  const name = `${change} of a layer with a state ${place}`;
  await killAtEachCall({ name, program: HOST, request: { root, state, layer, change } }, prepare, async () => {
    found.left.add(snapshot());
    {
      await using files = open();
      expect(await files.history({ all: true })).toMatchObject({ ok: true });
      expect(readdirSync(path.join(state, 'changes')).filter((name) => name.endsWith('.open'))).toEqual([]);
      expect(await discardLayer(files, layer)).toMatchObject({ ok: true });
    }
    found.mended.add(snapshot());
  });
  return found;
}

describe(`a host that is killed while it brings a layer over${skipped}`, () => {
  const places = [tmpdir(), ...(hasShared ? [SHARED] : [])];
  it.skipIf(isSkipped).each(places)('leaves all of it or none, with a state in %s', async (place) => {
    state = mkdtempSync(path.join(place, 'handrail-killed-state-'));
    layer = path.join(state, 'layers/one');
    const prepare = (): Promise<unknown> => Promise.resolve(trees.add(setUp()).add(snapshot()));
    const found = await killAtEach(prepare, 'commit');
    for (const tree of found.mended) expect([...trees]).toContain(tree);
    // Before the next start some of it is there and some is not.
    expect([...found.left].some((tree) => !trees.has(tree))).toBe(true);
  });

  it.skipIf(isSkipped).each(places)('leaves all of what takes it back or none, with a state in %s', async (place) => {
    state = mkdtempSync(path.join(place, 'handrail-killed-state-'));
    layer = path.join(state, 'layers/one');
    const found = await killAtEach(async () => {
      setUp();
      trees.add(snapshot());
      await using files = open();
      expect(await commitLayer(files, layer, { takes: true })).toMatchObject({ ok: true, committed: true });
      trees.add(snapshot());
    }, 'undo');
    for (const tree of found.mended) expect([...trees]).toContain(tree);
    expect([...found.left].some((tree) => !trees.has(tree))).toBe(true);
  });
});
