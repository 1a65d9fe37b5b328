/** Under `remove: 'no'` package managers remove what is theirs, and not what a project's scripts would have them remove. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

import { type ConfineOptions, Terminal } from '../../ts/index.js';
import { folderPerTest } from '../support/folder.js';
import { LIVENESS_MS } from '../support/liveness.js';

const folder = folderPerTest();
const SCRIPT = `
  const { rmSync, renameSync, writeFileSync } = require('node:fs');
  const attempt = (work) => { try { work(); } catch (error) { console.log(error.code); } };
  attempt(() => rmSync('kept'));
  attempt(() => renameSync('moved', 'node_modules/moved'));
  attempt(() => rmSync('src/node_modules.old/x'));
  attempt(() => rmSync('node_modules/a', { recursive: true }));
  attempt(() => rmSync('packages/b/node_modules/c', { recursive: true }));
`;

/** What is left after a command wrote a package.json and npm ran its script. */
async function leftAfter(confine: ConfineOptions, command = 'npm run x'): Promise<Record<string, boolean>> {
  const work = path.join(folder(), 'work');
  const names = ['kept', 'moved', 'src/node_modules.old/x', 'node_modules/a/x', 'packages/b/node_modules/c/x'];
  for (const name of names) {
    mkdirSync(path.join(work, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(work, name), 'x');
  }
  writeFileSync(path.join(work, 'x.cjs'), SCRIPT);
  const terminal = new Terminal({ deny: ['rm'], roots: [work], shell: 'bash', confine });
  try {
    const written = await terminal.run(`echo '{"scripts":{"x":"node x.cjs"}}' > package.json`, { cwd: work });
    expect(written).toMatchObject({ ok: true });
    expect(await terminal.run(command, { cwd: work })).toMatchObject({ exitCode: 0 });
  } finally {
    await terminal.close();
  }
  return Object.fromEntries(names.map((name) => [name, existsSync(path.join(work, name))]));
}

const OURS = { kept: true, moved: true, 'src/node_modules.old/x': true };
const THEIRS = { 'node_modules/a/x': false, 'packages/b/node_modules/c/x': false };

test(
  'npm removes in node_modules, and nothing else that a script of the project names',
  async () => {
    expect(await leftAfter({})).toEqual({ ...OURS, ...THEIRS });
  },
  LIVENESS_MS,
);

test(
  'it removes no more beside git, which may remove everywhere',
  async () => {
    expect(await leftAfter({}, 'git --version; npm run x')).toEqual({ ...OURS, ...THEIRS });
  },
  LIVENESS_MS,
);

test(
  'everything is removed where the host names npm itself',
  async () => {
    const left = await leftAfter({ rewriters: ['npm'] });
    expect(Object.values(left).filter((isLeft) => isLeft)).toEqual([]);
  },
  LIVENESS_MS,
);
