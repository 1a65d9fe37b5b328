// Where the commands work: a root with a small repository, files to copy, and something that an attack is after.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDERS = 8;
const FILES_EACH = 10;
const CHANGED = 'folder3/file3.js';

const LINE = 'export const value = compute(42);\n';
const IDENTITY = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];

/** @returns {{root: string, outside: string, remove: () => void}} `outside` is no part of the root */
export function makeWorkplace() {
  const above = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-bench-plans-')));
  const [root, outside] = [join(above, 'root'), join(above, 'outside')];
  for (const folder of [root, outside, join(root, 'copy')]) mkdirSync(folder);
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    const path = join(root, 'tree', `folder${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_EACH; file += 1) writeFileSync(join(path, `file${file}.js`), LINE.repeat(50));
  }
  const git = (...args) => execFileSync('git', [...IDENTITY, ...args], { cwd: join(root, 'tree'), stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'files');
  writeFileSync(join(root, 'tree', CHANGED), LINE);
  return { root, outside, remove: () => rmSync(above, { recursive: true, force: true }) };
}

/** What is measured, by `argv`; with what it has to say and how many rounds it is asked for. */
export const COMMANDS = [
  { name: 'true', argv: () => ['true'], answer: '', rounds: 1_000 },
  {
    name: 'git status',
    argv: ({ root }) => ['git', '-C', join(root, 'tree'), 'status', '--short'],
    answer: ` M ${CHANGED}\n`,
    rounds: 300,
  },
  {
    name: `cp, ${FOLDERS * FILES_EACH} files`,
    argv: ({ root }) => ['cp', '-R', join(root, 'tree', '.'), join(root, 'copy')],
    answer: '',
    rounds: 120,
  },
  { name: 'node -e 0', argv: () => ['node', '-e', '0'], answer: '', rounds: 150 },
];
