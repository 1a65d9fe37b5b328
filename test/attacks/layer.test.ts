/** A layer over a root: what is written lands in it, and it holds commands and file tools to the same as the root would. */
import { describe, expect, test } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';
import { hostProgram, USERS } from './hosts.js';
import type { LayerAnswer, LayerRequest } from './layer-host.js';

const host = await hostProgram<LayerRequest, LayerAnswer>('layer-host.ts');

const JUDGED = { layer: true, judging: true } as const;
const KERNEL_ALONE = { layer: true, judging: false } as const;
const OPEN = { writes: 'any', exec: 'any', reads: 'any' } as const;

/** What the machine has before, and has to have after everything that happens in a layer. */
const MACHINE = {
  'work/code.sh': 'echo harmless\n',
  'work/folder/inner.txt': 'inner\n',
  'work/linked': 'key\n',
  'work/notes.txt': 'noted\n',
  'outside/secret': 'outside\n',
};

const USES: Readonly<Record<string, { readonly script: string; readonly output: string }>> = {
  'a new file': { script: 'echo new > new.txt; cat new.txt', output: 'new\n' },
  'a changed file': { script: 'echo more >> notes.txt; cat notes.txt', output: 'noted\nmore\n' },
  'what an earlier command left': { script: 'cat $REAL/new.txt', output: 'new\n' },
  'a removed file': { script: 'rm folder/inner.txt; ls folder', output: '' },
  'a folder in the place of a removed one': {
    script: 'rmdir folder && mkdir folder && touch folder/other && ls folder',
    output: 'other\n',
  },
  'a file under another name': { script: 'mv new.txt folder/moved && ls folder', output: 'moved\nother\n' },
  'the mode of a file': { script: 'chmod 700 notes.txt && test -x notes.txt && echo yes', output: 'yes\n' },
  'a link': { script: 'ln -s folder/moved link && cat link', output: 'new\n' },
};

/** What the kernel refuses in a layer as without one: each script ends with another code than 0. */
const HELD: Readonly<Record<string, string>> = {
  'a file beside the root': 'echo x > $OUTSIDE/made',
  'the mode of a file beside the root': 'chmod 600 $OUTSIDE/secret',
  'the root by the first process': 'echo x > /proc/1/root$REAL/made',
  'the root by the host': 'echo x > $HOST/root$REAL/made',
  'the root by the directory of the host': 'ls $HOST/cwd/',
  'a program in the root': 'cp /bin/true program && ./program',
  'the mount': `python3 -c "import ctypes, sys; sys.exit(ctypes.CDLL(None).umount2(b'$REAL', 2) != 0)"`,
  'the mount, moved away': `python3 -c "import ctypes, sys; sys.exit(ctypes.CDLL(None).mount(b'$REAL', b'$REAL/folder', None, 8192, None) != 0)"`,
};

/** What is nobody's in a layer under any plan: each script ends with another code than 0. */
const HIDDEN: Readonly<Record<string, string>> = {
  'the files of the layer': 'cat $LAYER/layer.json',
  'the list of layers': 'test -n "$(ls $LAYER/..)"',
  'what is written, by its place in the layer': 'echo x > first.txt; cat $LAYER/0/upper/first.txt',
  'writing past the layer': 'echo x > $LAYER/0/upper/past',
  'the work folder': 'ls $LAYER/0/work',
};

describe.each(USERS)('as user %i', (uid) => {
  test('commands and file tools see one tree, and the root stays as it is', { timeout: LIVENESS_MS }, async () => {
    const scripts = Object.fromEntries(Object.entries(USES).map(([name, { script }]) => [name, script]));
    const given = { ...JUDGED, scripts, writes: ['by-tool/a.txt'], reads: ['notes.txt', 'by-tool/a.txt', 'link'] };
    const { runs, files, machine, upper } = await host(uid, given);
    for (const [name, { output }] of Object.entries(USES)) {
      expect(runs[name], name).toEqual({ decision: 'allow', exitCode: 0, output });
    }
    expect(files).toEqual({ 'by-tool/a.txt': 'written\n', 'notes.txt': 'noted\nmore\n', link: 'new\n' });
    expect(machine).toEqual(MACHINE);
    expect(upper).toEqual(['by-tool/a.txt', 'folder/moved', 'folder/other', 'link', 'notes.txt']);
  });

  test('without a layer the same commands change the root', { timeout: LIVENESS_MS }, async () => {
    const scripts = Object.fromEntries(Object.entries(USES).map(([name, { script }]) => [name, script]));
    const { machine, upper } = await host(uid, { ...JUDGED, layer: false, scripts });
    expect(machine).toMatchObject({ 'work/folder/moved': 'new\n', 'work/notes.txt': 'noted\nmore\n' });
    expect(machine).not.toHaveProperty('work/folder/inner.txt');
    expect(upper).toEqual([]);
  });

  test('the kernel holds commands to the layer', { timeout: LIVENESS_MS }, async () => {
    const confine = { exec: 'listed' } as const;
    const { runs, machine } = await host(uid, { ...KERNEL_ALONE, confine, scripts: { ...HELD, ...HIDDEN } });
    for (const name of Object.keys({ ...HELD, ...HIDDEN })) {
      expect(runs[name]?.exitCode, `${name}: ${runs[name]?.output}`).not.toBe(0);
    }
    expect(machine).toEqual(MACHINE);
  });

  test('nobody in a layer reaches its files, under an open plan either', { timeout: LIVENESS_MS }, async () => {
    const { runs, upper } = await host(uid, { ...KERNEL_ALONE, confine: OPEN, scripts: HIDDEN });
    for (const name of Object.keys(HIDDEN)) expect(runs[name]?.exitCode, `${name}: ${runs[name]?.output}`).not.toBe(0);
    expect(upper).toEqual(['first.txt']);
  });

  test('outside of the layer an open plan does reach them', { timeout: LIVENESS_MS }, async () => {
    const scripts = { ...HELD, ...HIDDEN };
    const { runs, machine, upper } = await host(uid, { ...KERNEL_ALONE, layer: false, confine: OPEN, scripts });
    for (const name of ['the files of the layer', 'the list of layers', 'writing past the layer', 'the work folder']) {
      expect(runs[name]?.exitCode, `${name}: ${runs[name]?.output}`).toBe(0);
    }
    for (const name of ['a file beside the root', 'a program in the root']) expect(runs[name]?.exitCode, name).toBe(0);
    expect(machine).toHaveProperty('outside/made');
    expect(upper).toEqual(['past']);
  });

  test('what a command has written is judged as it is in the layer', { timeout: LIVENESS_MS }, async () => {
    const scripts = { written: `echo 'dd if=/dev/zero of=/etc/made' > code.sh`, sourced: '. ./code.sh' };
    const inside = await host(uid, { ...JUDGED, scripts });
    expect(inside.runs['sourced']?.decision).not.toBe('allow');
    expect(inside.machine).toEqual(MACHINE);
    const { runs } = await host(uid, { ...JUDGED, scripts: { sourced: '. ./code.sh' } });
    expect(runs['sourced']).toEqual({ decision: 'allow', exitCode: 0, output: 'harmless\n' });
  });

  test('protected places are those of the root', { timeout: LIVENESS_MS }, async () => {
    const scripts = { hook: 'echo x > .git/hooks/pre-commit' };
    const places = { writes: ['.git/hooks/post-commit', '../outside/made'], reads: ['linked', '../outside/secret'] };
    const { runs, files, machine } = await host(uid, { ...JUDGED, scripts, ...places });
    expect(runs['hook']?.decision).not.toBe('allow');
    expect(files['.git/hooks/post-commit']).not.toBe('written');
    expect(files['../outside/made']).toBe('outside_root');
    expect(files['../outside/secret']).toBe('outside_root');
    // A second name of a key.
    expect(files['linked']).toBe('secrets.credentials');
    expect(machine).toEqual(MACHINE);
    // Without a judgement the hook is written: into the layer.
    const unjudged = await host(uid, { ...KERNEL_ALONE, scripts });
    expect(unjudged.upper).toContain('.git/hooks/pre-commit');
    expect(unjudged.machine).toEqual(MACHINE);
  });

  test('without a namespace there is no layer', { timeout: LIVENESS_MS }, async () => {
    const kernel = { landlock: 99, filters: true, namespaces: false };
    const { refused, runs, machine } = await host(uid, { ...JUDGED, kernel, scripts: { written: 'echo x > made' } });
    expect(refused).toBe('ERR_GUARANTEE_UNAVAILABLE');
    expect(runs).toEqual({});
    expect(machine).toEqual(MACHINE);
  });
});
