import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

import { hookFolder, hooksIn } from '../../ts/terminal/hook-snapshot.js';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-scripts-')));
let count = 0;

afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

/** The files that the hook `pre-commit` with this text is compared by, relative to the work tree. Undefined: too much. */
function compared(hook: string, files: Readonly<Record<string, string>> = {}, setUp?: (work: string) => void) {
  count += 1;
  const work = path.join(base, String(count));
  spawnSync('git', ['init', '-q', work]);
  for (const [name, text] of Object.entries({ ...files, '.git/hooks/pre-commit': hook })) {
    mkdirSync(path.dirname(path.join(work, name)), { recursive: true });
    writeFileSync(path.join(work, name), text);
  }
  chmodSync(path.join(work, '.git/hooks/pre-commit'), 0o755);
  setUp?.(work);
  const place = hookFolder('git', work);
  if (place === undefined) throw new Error('no repository');
  const [found] = hooksIn('git', place);
  if (found === undefined) return;
  const paths = [...found.digests.keys(), ...found.missing].map((file) => path.relative(work, file));
  return paths.filter((file) => !file.startsWith('.git/'));
}

const words = (length: number, word: (index: number) => string) => Array.from({ length }, (_, index) => word(index));

test('follows scripts, also of scripts, and no data', () => {
  const files = {
    'a.sh': 'node tools/b.mjs "$ROOT/index.js"',
    'tools/b.mjs': 'import "./c.js"; "../data.json"; "./index.js"',
  };
  const more = { 'tools/c.js': '', 'data.json': '{}', 'src/index.js': '', 'lib/index.js': '' };
  const found = compared('sh a.sh # see data.json', { ...files, ...more });
  expect(found?.toSorted()).toEqual(['a.sh', 'lib/index.js', 'src/index.js', 'tools/b.mjs', 'tools/c.js']);
});

test('has a bound for scripts', () => {
  const scripts = (length: number) => words(length, (index) => `s/${index}.sh`);
  const filesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '']));
  // The hook itself is one, and that of husky another.
  expect(compared(scripts(62).join('\n'), filesOf(scripts(62)))).toHaveLength(62);
  expect(compared(scripts(63).join('\n'), filesOf(scripts(63)))).toBeUndefined();
  // Missing ones count.
  expect(compared(scripts(63).join('\n'))).toBeUndefined();
});

test('has a bound for words, whatever each of them names', () => {
  const text = (length: number) => words(length, (index) => `w${index}`).join(' ');
  expect(compared(text(4_096))).toEqual([]);
  const paths = words(4_097, (index) => `${'./'.repeat(index % 20)}a${index}/../big.sh`).join(' ');
  expect(compared(paths, { 'big.sh': '#'.repeat(1_048_576) })).toBeUndefined();
});

test('has a bound for bytes', () => {
  const big = (bytes: number) => ({ 'a.sh': '#'.repeat(bytes - 'sh a.sh'.length) });
  expect(compared('sh a.sh', big(4_194_304))).toEqual(['a.sh']);
  expect(compared('sh a.sh', big(4_194_305))).toBeUndefined();
});

test('takes the folder of another repository for no script', () => {
  const submodule = (work: string) => {
    spawnSync('git', ['init', '-q', path.join(work, 'sub')]);
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@b.example'];
    spawnSync('git', ['-C', path.join(work, 'sub'), ...author, 'commit', '-q', '--allow-empty', '-m', 'x']);
    spawnSync('git', ['-C', work, 'add', 'sub']);
  };
  expect(compared('cd sub && sh ./a.sh', { 'a.sh': '' }, submodule)).toEqual(['a.sh', 'sub']);
});

test('opens no pipe, and does not wait for one', () => {
  const pipe = (work: string) => void spawnSync('mkfifo', [path.join(work, 'a.sh')]);
  expect(compared('sh ./a.sh', {}, pipe)).toEqual(['a.sh']);
});
