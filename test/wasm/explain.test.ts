/**
 * `explain` judges as a `Terminal` with the same options does, where neither has links to follow and the kernel holds no list
 * of programs: the same answers, word by word. Where it does, `explain` allows no more.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type ExplainOptions, explain, Terminal, type TerminalOptions } from '../../ts/index.js';
import { REPOSITORY } from '../support/copy.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-explain-')));
mkdirSync(path.join(folder, '.ssh'));
mkdirSync(path.join(folder, '.git', 'hooks'), { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Corpus {
  readonly cases: readonly { readonly command: string; readonly policy: Pick<ExplainOptions, 'allow' | 'deny'> }[];
}

const { cases } = JSON.parse(readFileSync(path.join(REPOSITORY, 'test/corpus/commands.json'), 'utf8')) as Corpus;
const LINES = readFileSync(path.join(REPOSITORY, 'crates/policy/tests/all/lines.txt'), 'utf8').split('\n');

/** What runs the text of a file: a terminal reads that file, and WASM has no files. */
const READS_FILE = /(^|[;&|\s])(source|\.)\s/;

/** Places that nothing writes to, and variables that every command has. */
const GUARDED = [
  ...['.ssh/authorized_keys', '.bashrc', '.git/hooks/pre-commit', '.env', 'note.txt'].flatMap((name) => [
    `echo x > ${name}`,
    `echo x > ${folder}/${name}`,
    `echo x >> ~/${name}`,
  ]),
  ...['/etc/passwd', '/usr/bin/x', '/tmp/x', '$HOME/x', '../x'].map((place) => `echo x > ${place}`),
  ...['PAGER', 'GIT_PAGER', 'GIT_CONFIG_COUNT', 'GIT_EDITOR', 'HOME', 'PATH', 'LANG', 'CI', 'OTHER'].flatMap((name) => [
    `${name}=x; ls`,
    `for ${name} in a b; do ls; done`,
    `echo $${name}`,
    `export ${name}=x; git log`,
  ]),
];

type Common = Pick<TerminalOptions, 'shell' | 'allow' | 'deny' | 'trustInterpreters'> & { roots?: string[] };

const POLICIES: readonly (readonly [string, Common])[] = [
  ['within a root', { shell: 'bash', allow: ['echo', 'ls', 'git', 'cat'], roots: [folder] }],
  ['anywhere', { shell: 'bash', allow: ['echo', 'ls', 'git', 'cat'] }],
  ['with a list of what is denied', { shell: 'bash', deny: ['rm'], trustInterpreters: ['python3'], roots: [folder] }],
  ['without a shell', { allow: ['ls', { program: 'git', args: ['status'] }] }],
  ['with nothing allowed', { shell: 'bash', allow: [], roots: [folder] }],
];

describe.each(POLICIES)('%s', (_name, policy) => {
  test('explain says what a terminal says', async () => {
    await using terminal = new Terminal({ ...policy, cwd: folder, sandbox: 'off' });
    const options = { ...policy, cwd: folder, home: homedir() };
    const texts = [...cases.map(({ command }) => command), ...LINES, ...GUARDED];
    const commands = texts.filter((text) => !READS_FILE.test(text));
    for (const command of [...commands, ...commands.slice(0, 50).map((text) => text.split(' ')), []]) {
      expect({ command, ...explain(command, options) }).toEqual({ command, ...terminal.explain(command) });
    }
  });
});

test('the cases of the corpus, each with its own lists', async () => {
  for (const { command, policy } of cases.filter(({ command }) => !READS_FILE.test(command))) {
    const own = { ...policy, shell: 'bash', roots: [folder] } as const;
    await using terminal = new Terminal({ ...own, sandbox: 'off' });
    await using held = new Terminal(own);
    const answer = explain(command, { ...own, home: homedir() });
    expect({ command, ...answer }).toEqual({ command, ...terminal.explain(command) });
    if (answer.decision === 'allow') expect({ command, ...held.explain(command) }).toMatchObject(answer);
  }
});

test('what is protected is refused', () => {
  const options = { shell: 'bash', allow: ['echo', 'git'], roots: [folder] } as const;
  expect(explain('echo x > note.txt', options).decision).toBe('allow');
  expect(explain('echo x > .git/hooks/pre-commit', options)).toMatchObject({ decision: 'deny' });
  expect(explain('GIT_PAGER=x; git log', options)).toMatchObject({ decision: 'deny' });
});
