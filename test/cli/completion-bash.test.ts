/** The completion in a real bash: the script is sourced, and its function called as bash calls it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../ts/cli/command-table.js';
import { temporaryFolder } from '../compat/terminal-environment.js';
import { MAIN, shell } from './shell.js';

const folder = temporaryFolder();

let script: string;

beforeAll(() => {
  script = execFileSync(process.execPath, [MAIN, 'completion', 'bash'], { encoding: 'utf8' });
});

beforeEach(() => {
  mkdirSync(path.join(folder(), 'logs'));
  writeFileSync(path.join(folder(), 'lost log.txt'), '');
});

/** What bash offers for the last of `words`. Prints nothing else, also with unset variables as errors. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const list = words.map((word) => `'${word}'`).join(' ');
  const lines = [
    'set -u',
    // What a user may have changed.
    'IFS=d',
    'export HANDRAIL_TEST_ONE=1 HANDRAIL_TEST_TWO=2',
    script,
    `COMP_WORDS=(${list}) COMP_CWORD=${words.length - 1}`,
    '_handrail',
    'for match in "$' + '{COMPREPLY[@]}"; do printf "%s\\n" "$match"; done',
  ];
  const { stdout, stderr } = await shell(lines.join('\n'), folder());
  expect(stderr).toBe('');
  return [...new Set(stdout.split('\n').filter(Boolean))].sort();
}

describe('bash completes', () => {
  it('commands, and what can stand in their place', async () => {
    const names = COMMANDS.map(({ name }) => name);
    expect(await complete('handrail', '')).toEqual(['--help', '--version', 'help', ...names].sort());
    expect(await complete('handrail', 'red')).toEqual(['redact']);
    expect(await complete('handrail', 'help', 'do')).toEqual(['doctor']);
  });

  it.each(COMMANDS.map(({ name }) => name))('all options of %s', async (name) => {
    const options = COMMANDS.find((command) => command.name === name)?.options.map((option) => `--${option.name}`);
    const offered = (await complete('handrail', name, '--')).filter((word) => word !== '--');
    expect(offered).toEqual(options?.toSorted());
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['a file', ['redact', 'lo'], ['logs', 'lost log.txt']],
    ['a file behind options', ['redact', '--report', '--pattern', 'x', 'los'], ['lost log.txt']],
    ['a file behind dashes', ['redact', '--', 'los'], ['lost log.txt']],
    ['one more file', ['redact', 'logs', 'los'], ['lost log.txt']],
    ['a folder', ['run', '--cwd', 'lo'], ['logs']],
    ['a folder of several', ['run', '--path', '/', '--path', 'lo'], ['logs']],
    ['a folder behind =', ['run', '--cwd', '=', 'lo'], ['logs']],
    ['a folder right behind =', ['run', '--cwd', '='], ['logs']],
    ['a folder in one word', ['run', '--cwd=lo'], ['--cwd=logs']],
    ['a variable', ['redact', '--secret-env', 'HANDRAIL_TEST_O'], ['HANDRAIL_TEST_ONE']],
    ['a variable of a list', ['redact', '--secret-env', 'X,HANDRAIL_TEST_O'], ['X,HANDRAIL_TEST_ONE']],
    [
      'a variable behind what is no name',
      ['redact', '--secret-env=a&b,HANDRAIL_TEST_O'],
      ['--secret-env=a&b,HANDRAIL_TEST_ONE'],
    ],
    ['a list in one word', ['redact', '--secret-env=X,HANDRAIL_TEST_O'], ['--secret-env=X,HANDRAIL_TEST_ONE']],
    ['a program of a list', ['run', '--allow', 'ls,basena'], ['ls,basename']],
    ['a program with its path', ['run', '--allow', '/usr/bin/basena'], ['/usr/bin/basename']],
    ['the program behind the dashes', ['run', '--allow', 'ls', '--', 'basena'], ['basename']],
    ['the program without dashes', ['run', '--allow', 'ls', 'basena'], ['basename']],
    ['its files', ['run', '--allow', 'cat', '--', 'cat', 'los'], ['lost log.txt']],
    ['no option of ours behind the program', ['run', '--allow', 'cat', 'cat', '--al'], []],
    ['no builtin as a program', ['run', '--', 'compgen'], []],
    ['a choice', ['run', '--writes', ''], ['any', 'none', 'roots']],
    ['a choice in one word', ['run', '--remove=no-'], ['--remove=no-truncate']],
    ['a guarantee', ['run', '--require', 'exec', '--require', 'net'], ['network']],
    ['nothing for a number', ['run', '--timeout', ''], []],
    ['what to do with a bus', ['bus', ''], ['send', 'tail']],
    ['options where there is nothing else', ['doctor', ''], ['--config', '--help', '--json', '--no-config']],
    ['a shell', ['completion', ''], ['bash', 'fish', 'zsh']],
    ['one shell only', ['completion', 'bash', ''], []],
    ['nothing for an unknown command', ['fly', ''], []],
  ])('%s', async (_name, words, expected) => {
    expect(await complete('handrail', ...words)).toEqual(expected);
  });
});

it('offers no program whose name a shell would run or divide', async () => {
  const bin = path.join(folder(), 'bin');
  mkdirSync(bin);
  for (const name of ['zz-plain', 'zz prog', 'zz$(touch taken)', 'zz;touch taken']) {
    writeFileSync(path.join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
  }
  const list = `PATH=$PWD/bin:$PATH\n${script}\nCOMP_WORDS=(handrail run -- zz) COMP_CWORD=3\n_handrail`;
  const show = 'printf "%s\\n" "$' + '{COMPREPLY[@]}"; ls';
  const { stdout } = await shell([list, show].join('\n'), folder());
  expect(stdout.split('\n').filter((line) => line.startsWith('zz'))).toEqual(['zz-plain']);
  expect(stdout).not.toContain('taken');
});

it('is bound to the name of the program', async () => {
  expect((await shell('source <(handrail completion bash); complete -p handrail')).stdout).toBe(
    'complete -F _handrail handrail\n',
  );
});
