// The temporary folders that the measured commands work in: a root with a small git repository and files to copy, and a folder
// outside of the root that attacks try to write to.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER_COUNT = 8;
const FILES_PER_FOLDER = 10;
const CHANGED_FILE = 'folder3/file3.js';

const SOURCE_LINE = 'export const value = compute(42);\n';
/** A file beside the root that commands are to be kept from reading. */
export const SECRET_FILE = 'secret';
const GIT_IDENTITY = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];

/** @returns {{root: string, outside: string, secret: string, remove: () => void}} all but `root` lie outside of the root */
export function makeWorkspace() {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-bench-plans-')));
  const [root, outside] = [join(parent, 'root'), join(parent, 'outside')];
  for (const folder of [root, outside, join(root, 'copy')]) mkdirSync(folder);
  for (let folder = 0; folder < FOLDER_COUNT; folder += 1) {
    const path = join(root, 'tree', `folder${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_PER_FOLDER; file += 1)
      writeFileSync(join(path, `file${file}.js`), SOURCE_LINE.repeat(50));
  }
  const git = (...args) => execFileSync('git', [...GIT_IDENTITY, ...args], { cwd: join(root, 'tree'), stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'files');
  writeFileSync(join(root, 'tree', CHANGED_FILE), SOURCE_LINE);
  const secret = join(parent, SECRET_FILE);
  writeFileSync(secret, '');
  return { root, outside, secret, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/** The measured commands. `argv` takes the workspace; `rounds` are those of a full run. */
export const COMMANDS = [
  { name: 'true', argv: () => ['true'], expectedOutput: '', rounds: 1_000 },
  {
    name: 'git status',
    argv: ({ root }) => ['git', '-C', join(root, 'tree'), 'status', '--short'],
    expectedOutput: ` M ${CHANGED_FILE}\n`,
    rounds: 300,
  },
  {
    name: `cp, ${FOLDER_COUNT * FILES_PER_FOLDER} files`,
    argv: ({ root }) => ['cp', '-R', join(root, 'tree', '.'), join(root, 'copy')],
    expectedOutput: '',
    rounds: 120,
  },
  { name: 'node -e 0', argv: () => ['node', '-e', '0'], expectedOutput: '', rounds: 150 },
];
