/** The completion in a real fish, which says what it would offer for a line. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../ts/cli/command-table.js';
import { temporaryFolder } from '../compat/terminal-environment.js';
import { MAIN } from './shell.js';

const HAS_FISH = spawnSync('fish', ['--version']).status === 0;

/** Where this is set, a machine without fish is a mistake: `.ci/run`. */
const IS_REQUIRED = process.env['HANDRAIL_REQUIRE_FISH'] === '1';

if (IS_REQUIRED) {
  it('there is a fish, as HANDRAIL_REQUIRE_FISH says', () => {
    expect(HAS_FISH).toBe(true);
  });
}

const folder = temporaryFolder();

describe.skipIf(!HAS_FISH)(HAS_FISH ? 'fish completes' : 'skipped: no fish', () => {
  beforeEach(() => {
    mkdirSync(path.join(folder(), 'logs'));
    writeFileSync(path.join(folder(), 'lost log.txt'), '');
    writeFileSync(path.join(folder(), 'handrail.fish'), execFileSync(process.execPath, [MAIN, 'completion', 'fish']));
  });

  function complete(line: string): readonly string[] {
    const script = 'source handrail.fish; complete -C "$argv[1]"';
    const env = { ...process.env, HOME: folder(), HANDRAIL_TEST_ONE: '1', HANDRAIL_TEST_TWO: '2' };
    const options = { cwd: folder(), env, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', script, line], options);
    expect(stderr).toBe('');
    return stdout
      .split('\n')
      .flatMap((match) => (match === '' ? [] : [match.split('\t')[0] ?? '']))
      .sort();
  }

  it('commands', () => {
    const names = COMMANDS.map(({ name }) => name);
    expect(complete('handrail ')).toEqual(['help', ...names].sort());
    expect(complete('handrail red')).toEqual(['redact']);
    expect(complete('handrail help do')).toEqual(['doctor']);
    expect(complete('handrail --')).toEqual(['--help', '--version']);
  });

  it.each(COMMANDS.map(({ name }) => name))('all options of %s', (name) => {
    const options = COMMANDS.find((command) => command.name === name)?.options;
    const names = options?.map(({ name: option, kind }) => `--${option}${kind === 'flag' ? '' : '='}`);
    const offered = complete(`handrail ${name} --`).map((option) => option.replace(/=$/, ''));
    expect([...new Set(offered)]).toEqual(names?.map((option) => option.replace(/=$/, '')).sort());
  });

  it.each([
    ['a file', 'redact los', ['lost log.txt']],
    ['one more file', 'redact a los', ['lost log.txt']],
    ['a folder', 'run --cwd lo', ['logs/']],
    ['a variable of a list', 'redact --secret-env X,HANDRAIL_TEST_O', ['X,HANDRAIL_TEST_ONE']],
    ['a program of a list', 'run --allow ls,basena', ['ls,basename']],
    ['the program', 'run --allow ls basena', ['basename']],
    ['the program after dashes', 'run --allow ls -- basena', ['basename']],
    ['its files', 'run --allow cat cat los', ['lost log.txt']],
    ['no option of ours after it', 'run --allow handrail-none handrail-none --al', []],
    ['a choice', 'run --writes ro', ['roots']],
    ['nothing for a number', 'run --timeout ', []],
    ['a shell', 'completion f', ['fish']],
    ['nothing for an unknown command', 'fly r', []],
  ])('%s', (_name, typed, expected) => {
    expect(complete(`handrail ${typed}`)).toEqual(expected);
  });
});
