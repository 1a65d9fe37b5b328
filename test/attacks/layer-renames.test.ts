/**
 * One call of the kernel renames a folder that was there before the layer, which an overlay refuses: a helper moves it, and passes
 * no wall that the program's own call would not pass.
 */
import { describe, expect, test } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';
import { hostProgram, USERS } from './hosts.js';
import type { LayerAnswer, LayerRequest } from './layer-host.js';

const host = await hostProgram<LayerRequest, LayerAnswer>('layer-host.ts');

const IN_LAYER = { layer: true, judging: false } as const;
const WITHOUT_FILTER = { landlock: 99, filters: false, namespaces: true } as const;
/** Folders that are there before, all alike. */
const COUNT = 12;
/** Folders of which each is renamed once while another thread changes its new name. */
const RACED = 60;

const PREPARE = `mkdir -p t0/sub/deep t0/empty
echo a > t0/a; echo b > t0/sub/b; echo c > t0/sub/deep/c; ln -s ../a t0/sub/link
python3 -c "import os; [os.setxattr(name, 'user.note', b'kept') for name in ('t0/sub', 't0/a')]" || true
chmod 640 t0/sub/b; chmod 750 t0/sub; touch -d 2020-01-02 t0/a t0/sub/b t0/sub/deep t0/sub t0/empty t0
for number in $(seq ${COUNT - 1}); do cp -a t0 t$number; done
for number in $(seq ${RACED}); do mkdir r$number; echo x > r$number/x; done
chmod 555 t8/sub`;

const PYTHON = `import ctypes, errno, os, threading
OUTSIDE = '$OUTSIDE'
def seen(top):
    rows = []
    for at, folders, files in os.walk(top):
        folders.sort()
        for name in ['.', *folders, *sorted(files)]:
            path = os.path.join(at, name)
            found, link = os.lstat(path), os.readlink(path) if os.path.islink(path) else ''
            text = open(path).read() if os.path.isfile(path) and not link else ''
            notes = [] if link else [os.getxattr(path, name) for name in os.listxattr(path) if name == 'user.note']
            rows.append([os.path.relpath(path, top), found.st_mode, found.st_mtime_ns, found.st_uid, found.st_gid, link, text, notes])
    return rows
def attempt(old, new, call=os.rename):
    before = seen(old)
    try:
        call(old, new)
    except OSError as error:
        return errno.errorcode[error.errno], seen(old) == before
    return 'ok', seen(new) == before and not os.path.lexists(old)
def by_descriptors(old, new):
    here, inside = os.open('.', os.O_RDONLY), os.open(os.path.dirname(old), os.O_RDONLY)
    os.rename(os.path.basename(old), new, src_dir_fd=inside, dst_dir_fd=here)
def left():
    return sorted(name for name in os.listdir('.') if name.startswith('.handrail'))
`;

const python = (code: string): string => `python3 - <<'END'\n${PYTHON}${code}\nEND`;
const attempts = (codes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, python(`${code}\nprint(left())`)]));

/** What is renamed, all that it had kept. */
const RENAMED: Readonly<Record<string, string>> = {
  'beside itself': `print(*attempt('t1', 'moved'))`,
  'into another folder': `print(*attempt('t2', 'folder/in'))`,
  'with descriptors': `print(*attempt('t3/sub', 'by-descriptors', by_descriptors))`,
  'over an empty folder that was there': `print(*attempt('t4', 't5/empty'))`,
  'with a slash behind it': `print(*attempt('t6/', 'slashed/'))`,
};

/** What nobody renames. The old folder has all it had. */
const REFUSED: Readonly<Record<string, readonly [code: string, output: string]>> = {
  'over a folder with files': [`print(*attempt('t7', 't9'))`, 'ENOTEMPTY True'],
  'over a file': [`print(*attempt('t7', 'notes.txt'))`, 'ENOTDIR True'],
  'into itself': [`print(*attempt('t7', 't7/sub/in'))`, 'EINVAL True'],
  'out of the root': [`print(*attempt('t7', OUTSIDE + '/t7'))`, 'EXDEV True'],
  'out of the root by a link': [`os.symlink(OUTSIDE, 'out'); print(*attempt('t7', 'out/t7'))`, 'EXDEV True'],
};

/** A program that confines itself further: what it may still rename, nobody renames for it. */
const OWN_WALLS = `libc = ctypes.CDLL(None, use_errno=True)
MAKE_CHAR = 1 << 6
ruleset = libc.syscall(444, ctypes.byref(ctypes.c_uint64(MAKE_CHAR)), 8, 0)
assert ruleset >= 0 and libc.syscall(446, ruleset, 0) == 0
print(*attempt('t10', 'moved10'))`;

/** Another thread changes the new name all the time: it leads out of the root, or not. */
const RACE = `libc = ctypes.CDLL(None, use_errno=True)
new, over = ctypes.create_string_buffer(512), False
names = [b'', b'']
def change():
    while not over:
        for name in names:
            new.value = name
thread = threading.Thread(target=change)
thread.start()
results = set()
for number in range(1, ${RACED} + 1):
    names[:] = [b'raced%d' % number, OUTSIDE.encode() + b'/raced%d' % number]
    new.value = names[0]
    result = libc.rename(b'r%d' % number, new)
    results.add(os.path.exists('raced%d/x' % number) if result == 0 else os.path.exists('r%d/x' % number))
over = True
thread.join()
print(results)`;

const outputs = ({ runs }: LayerAnswer): Record<string, string> =>
  Object.fromEntries(Object.entries(runs).map(([name, { output }]) => [name, output]));

describe.each(USERS)('as user %i', (uid) => {
  const ask = (codes: Readonly<Record<string, string>>, others: Partial<LayerRequest> = {}): Promise<LayerAnswer> =>
    host(uid, { ...IN_LAYER, prepare: PREPARE, scripts: attempts(codes), ...others });
  const all = (codes: object, output: string): Record<string, string> =>
    Object.fromEntries(Object.keys(codes).map((name) => [name, `${output}\n[]\n`]));

  test('a folder that was there is renamed by one call', { timeout: LIVENESS_MS }, async () => {
    const answer = await ask(RENAMED);
    expect(outputs(answer)).toEqual(all(RENAMED, 'ok True'));
    expect(answer.machine).toMatchObject({ 'work/t1/sub/b': 'b\n', 'work/t5/a': 'a\n' });
    // Without the filter nobody sees the calls.
    const refused = await ask(RENAMED, { kernel: WITHOUT_FILTER });
    expect(outputs(refused)).toEqual(all(RENAMED, 'EXDEV True'));
  });

  test('by Node, at once and in another thread', { timeout: LIVENESS_MS }, async () => {
    const node = (code: string): string => `node -e "${code}" && ls -A moved && test ! -e t1 && mv moved t1`;
    const scripts = {
      'at once': node(`fs.renameSync('t1', 'moved')`),
      later: node(`fs.promises.rename('t1', 'moved')`),
    };
    const { runs } = await host(uid, { ...IN_LAYER, prepare: PREPARE, scripts });
    for (const run of Object.values(runs)) expect(run).toMatchObject({ exitCode: 0, output: 'a\nempty\nsub\n' });
  });

  test('nothing is renamed that the kernel would not rename', { timeout: LIVENESS_MS }, async () => {
    const codes = Object.fromEntries(Object.entries(REFUSED).map(([name, [code]]) => [name, code]));
    const answer = await ask(codes);
    for (const [name, [, output]] of Object.entries(REFUSED)) expect(answer.runs[name]?.output).toBe(`${output}\n[]\n`);
    expect(Object.keys(answer.machine).filter((name) => name.startsWith('outside/'))).toEqual(['outside/secret']);
  });

  test('after a failure the old folder has everything again', { timeout: LIVENESS_MS }, async () => {
    // Root may take files out of a folder in which nobody may write.
    const { runs } = await ask({ 'a folder with one that is read-only': `print(*attempt('t8', 'moved'))` });
    const [{ output } = { output: '' }] = Object.values(runs);
    expect(output).toBe(uid === 0 ? 'ok True\n[]\n' : 'EACCES True\n[]\n');
  });

  test('the plan of the command holds its helper', { timeout: LIVENESS_MS }, async () => {
    const codes = { 'nothing may be removed': `print(*attempt('t11', 'moved'))` };
    const { runs } = await ask(codes, { confine: { remove: 'no' } });
    expect(runs['nothing may be removed']?.output).toBe('EACCES True\n[]\n');
    expect(outputs(await ask(codes))).toEqual(all(codes, 'ok True'));
  });

  test('what may not be read stays so', { timeout: LIVENESS_MS }, async () => {
    const code = `
try:
    os.rename('t1', 'moved')
except OSError as error:
    print(errno.errorcode[error.errno])
for name in ('t1', 'moved'):
    try:
        print(open(name + '/sub/b').read())
    except OSError as error:
        print('unread')`;
    const { runs } = await ask({ code }, { confine: { unreadable: ['$REAL/t1/sub'] } });
    expect(runs['code']?.output).toMatch(/^E[A-Z]+\nunread\nunread\n\[\]\n$/);
    const bare = await ask({ code });
    expect(bare.runs['code']?.output).toBe('unread\nb\n\n[]\n');
  });

  test('a program that confines itself further gets no help', { timeout: LIVENESS_MS }, async () => {
    const codes = { 'own walls': OWN_WALLS };
    expect(outputs(await ask(codes))).toEqual(all(codes, 'EXDEV True'));
  });

  test('a name that changes while it is read leads nowhere else', { timeout: LIVENESS_MS }, async () => {
    const answer = await ask({ race: RACE });
    expect(answer.runs['race']?.output).toBe('{True}\n[]\n');
    expect(Object.keys(answer.machine).filter((name) => name.startsWith('outside/'))).toEqual(['outside/secret']);
  });
});
