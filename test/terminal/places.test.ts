/** Programs of a project, by rules that name places beneath a root. */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { Terminal, type TerminalOptions } from '../../ts/index.js';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-places-')));
  mkdirSync(path.join(root, 'src'));
  script('check.sh', '#!/bin/sh\necho checked "$@"\n');
  script('node_modules/tool/cli.js', "#!/usr/bin/env node\nconsole.log('tool', ...process.argv.slice(2));\n");
  mkdirSync(path.join(root, 'node_modules/.bin'));
  symlinkSync('../tool/cli.js', path.join(root, 'node_modules/.bin/tool'));
});
afterEach(() => rmSync(root, { recursive: true }));

function script(name: string, text: string): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

const ALLOW = ['env', 'node', 'cp', 'mkdir', 'echo', './check.sh', './node_modules/.bin/*', 'made/*'];
const terminalWith = (options: TerminalOptions = {}): Terminal =>
  new Terminal({ allow: ALLOW, roots: [root], shell: 'bash', ...options });

test('a program of the project runs by every spelling of its path, as one command, in a script and as words', async () => {
  await using terminal = terminalWith();
  const outputs = [
    './check.sh a',
    ['./check.sh', 'a'],
    [path.join(root, 'check.sh'), 'a'],
    'cd src && ../check.sh a',
    'env ./check.sh a; true',
  ];
  for (const command of outputs) {
    expect(await terminal.run(command), JSON.stringify(command)).toMatchObject({ stdout: 'checked a\n' });
  }
  expect((await terminal.run('../check.sh a', { cwd: 'src' })).stdout).toBe('checked a\n');
  expect((await terminal.run('node_modules/.bin/tool a')).stdout).toBe('tool a\n');
  await using plain = terminalWith({ shell: 'none' });
  expect((await plain.run('./check.sh a')).stdout).toBe('checked a\n');
});

test('what commands put elsewhere is refused with the rule that lifts it', async () => {
  script('bin/other', '#!/bin/sh\necho other\n');
  await using terminal = terminalWith();
  const denied = await terminal.run('bin/other');
  expect(denied.decision.reasons[0]?.rule).toBe('program.untrusted_path');
  expect(denied.decision.reasons[0]?.advice).toEqual([{ kind: 'option', name: 'allow', value: 'bin/other' }]);
  // The kernel says the same where the judgement does not see the name.
  const late = await terminal.run(['env', '--split-string=./bin/other']);
  expect(late.ok).toBe(false);
  await using lifted = terminalWith({ allow: [...ALLOW, 'bin/other'] });
  expect((await lifted.run('bin/other')).stdout).toBe('other\n');
});

test('a folder that is made anew is executed from the next run on', async () => {
  await using terminal = terminalWith();
  expect((await terminal.run('node_modules/.bin/tool')).stdout).toBe('tool\n');
  const first = await terminal.run('mkdir made && cp /bin/echo made/x && made/x');
  expect(first.ok).toBe(false);
  expect(first.blocked?.[0]).toMatchObject({ guarantee: 'exec', hint: 'Run it with another call.', advice: [] });
  expect((await terminal.run('made/x new')).stdout).toBe('new\n');
  cpSync(path.join(root, 'node_modules'), path.join(root, 'fresh'), { recursive: true, verbatimSymlinks: true });
  rmSync(path.join(root, 'node_modules'), { recursive: true });
  renameSync(path.join(root, 'fresh'), path.join(root, 'node_modules'));
  expect((await terminal.run('node_modules/.bin/tool')).stdout).toBe('tool\n');
});

test('what somebody approved runs, a script in a root and its interpreter included', async () => {
  mkdirSync(path.join(root, 'mine'));
  symlinkSync('/bin/sh', path.join(root, 'mine/sh'));
  script('own.sh', `#!${root}/mine/sh\necho own\n`);
  await using terminal = new Terminal({ deny: ['rm'], roots: [root], approve: () => ({ approved: true }) });
  expect((await terminal.run('./check.sh a')).stdout).toBe('checked a\n');
  expect((await terminal.run('./own.sh')).stdout).toBe('own\n');
  await using alone = new Terminal({ deny: ['rm'], roots: [root] });
  expect((await alone.run('./check.sh a')).status).toBe('denied');
});

test('a rule for a place needs a root, and is no other pattern', () => {
  expect(() => new Terminal({ allow: ['./check.sh'] })).toThrow(
    /entry 0 of allow is a path beneath a root, and there are no/,
  );
  expect(() => new Terminal({ allow: ['./ch*.sh'], roots: [root] })).toThrow(/only the last part/);
  expect(() => new Terminal({ allow: ['../check.sh'], roots: [root] })).toThrow(/beneath a root, without `\.`/);
});

test('what go builds is executed in its folder, and not beside it', async () => {
  const allow = ['go', 'cp', 'env', 'echo', 'node'];
  await using listed = new Terminal({ allow, roots: [root], trustInterpreters: ['node'], confine: { exec: 'listed' } });
  const run = (name: string): string =>
    `const { copyFileSync } = require('fs'); const file = process.env.${name} + '/x'; copyFileSync('/bin/true', file);` +
    `console.log(require('child_process').spawnSync(file).status)`;
  expect((await listed.run(['node', '-e', run('GOTMPDIR')])).stdout).toBe('0\n');
  expect((await listed.run(['node', '-e', run('TMPDIR')])).stdout).toBe('null\n');
  await using documented = new Terminal({
    allow: [...allow, 'cargo'],
    roots: [root],
    trustInterpreters: ['node'],
    confine: { exec: 'listed' },
  });
  // Tests in documentation run among temporary files, whichever program starts cargo.
  expect((await documented.run(['node', '-e', run('TMPDIR')])).stdout).toBe('0\n');
  // Nothing is left for the next run.
  expect((await listed.run(['node', '-p', 'require("fs").readdirSync(process.env.GOTMPDIR).length'])).stdout).toBe(
    '0\n',
  );
});

test('npx runs what the project has installed, and asks about what it would download', async () => {
  writeFileSync(path.join(root, 'package.json'), '{"name":"x","version":"1.0.0"}');
  await using terminal = terminalWith({ allow: [...ALLOW, 'npx'], timeoutMs: 120_000 });
  expect((await terminal.run('cd src && npx tool a')).stdout).toBe('tool a\n');
  expect(terminal.explain('npx another-tool').decision).toBe('ask');
  await using narrow = terminalWith({ allow: ['npx'] });
  const reasons = narrow.explain('npx tool').reasons;
  expect(reasons.flatMap(({ advice }) => advice)).toContainEqual({
    kind: 'option',
    name: 'allow',
    value: 'node_modules/.bin/tool',
  });
});

test('of a folder with very many programs those that run are the first by name, and the others are named', async () => {
  const names = Array.from({ length: 4_100 }, (_, index) => `p${String(index).padStart(4, '0')}`);
  for (const name of names) script(`many/${name}`, '#!/bin/sh\necho many\n');
  for (let index = 0; index < 200; index += 1) writeFileSync(path.join(root, `many/a${index}`), '');
  await using terminal = terminalWith({ allow: ['echo', 'many/*', 'many/deeper/*'] });
  expect((await terminal.run('many/p4095')).stdout).toBe('many\n');
  const last = await terminal.run('echo first && many/p4099');
  const advice = { kind: 'option', name: 'allow', value: 'many/p4099' };
  expect(last.blocked?.[0]).toMatchObject({ guarantee: 'exec', subject: 'many/p4099', advice: [advice, {}] });
  await using lifted = terminalWith({ allow: ['echo', 'many/*', 'many/deeper/*', 'many/p4099'] });
  expect((await lifted.run('many/p4099')).stdout).toBe('many\n');
});
