import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRuleList } from '../../ts/terminal/rule-list.js';
import { temporaryFolder } from '../compat/terminal-environment.js';
import { handrail } from '../support/cli.js';
import { shell } from './shell.js';

const folder = temporaryFolder();

describe('the words of a rule', () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ['ls', [['ls']]],
    ['ls,cat', [['ls'], ['cat']]],
    [' ls , cat ', [['ls'], ['cat']]],
    ['npm test', [['npm', 'test']]],
    ['ls,npm  run\tbuild,cat', [['ls'], ['npm', 'run', 'build'], ['cat']]],
    [`git commit -m 'a, b'`, [['git', 'commit', '-m', 'a, b']]],
    [`git commit -m "a, 'b'"`, [['git', 'commit', '-m', "a, 'b'"]]],
    [`a"b c"d'e f'`, [['ab cde f']]],
    [String.raw`a\ b\,c`, [['a b,c']]],
    [String.raw`a "\"\\\$\x"`, [['a', String.raw`"\$\x`]]],
    [String.raw`a '\'`, [['a', '\\']]],
    [`a '*' "?" '$x'`, [['a', '*', '?', '$x']]],
    [`a ''`, [['a', '']]],
    ['[ -f', [['[', '-f']]],
  ])('%j is %j', (list, words) => {
    expect(readRuleList(list)).toEqual({ rules: words });
  });
});

describe('a rule with arguments', () => {
  it.each<[string, readonly string[], number]>([
    ['allows them', ['--allow', 'echo a', 'echo', 'a'], 0],
    ['allows more after them', ['--allow', 'echo a', 'echo', 'a', 'b'], 0],
    ['allows no others', ['--allow', 'echo a', 'echo', 'b'], 123],
    ['stands beside programs', ['--allow', 'ls,echo a', 'echo', 'a'], 0],
    ['holds a blank in quotes', ['--allow', "echo 'a b'", 'echo', 'a b'], 0],
    ['denies them', ['--deny', 'echo a', 'echo', 'a'], 123],
    ['denies no others', ['--deny', 'echo a', 'echo', 'b'], 0],
  ])('%s', async (_name, args, code) => {
    expect((await handrail('run', ...args)).code).toBe(code);
  });

  it('lets the script of a package run', async () => {
    writeFileSync(path.join(folder(), 'package.json'), '{"scripts":{"test":"echo tested"}}');
    const { stdout } = await shell(`handrail run --allow 'npm test,git status' npm test`, folder());
    expect(stdout).toMatch(/\ntested\n$/);
  });

  it('decides in explain as well', async () => {
    const judged = async (script: string) => (await handrail('explain', '--allow', 'git status,wc', script)).code;
    expect(await judged('git status | wc -l')).toBe(0);
    expect(await judged('git push | wc -l')).toBe(123);
  });
});
