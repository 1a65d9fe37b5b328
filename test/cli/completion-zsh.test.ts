/** The completion in a real, interactive zsh, at a terminal. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../ts/cli/command-table.js';
import { MAIN } from './shell.js';
import { Zsh } from './zsh.js';

const HAS_ZSH = spawnSync('zsh', ['--version']).status === 0;

/** Where this is set, a machine without zsh is a mistake: `.ci/run`. */
const IS_REQUIRED = process.env['HANDRAIL_REQUIRE_ZSH'] === '1';

if (IS_REQUIRED) {
  it('there is a zsh, as HANDRAIL_REQUIRE_ZSH says', () => {
    expect(HAS_ZSH).toBe(true);
  });
}

describe.skipIf(!HAS_ZSH)(HAS_ZSH ? 'zsh completes' : 'skipped: no zsh', () => {
  let folder: string;
  let zsh: Zsh;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'handrail-zsh-'));
    const work = path.join(folder, 'work');
    mkdirSync(path.join(work, 'logs'), { recursive: true });
    writeFileSync(path.join(work, 'lost log.txt'), '');
    const load = `export HANDRAIL_TEST_ONE=1 HANDRAIL_TEST_TWO=2\nsource <("${process.execPath}" "${MAIN}" completion zsh)\n`;
    zsh = await Zsh.start(work, path.join(folder, 'home'), load);
  });

  afterAll(async () => {
    await zsh[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  it('commands', async () => {
    const names = COMMANDS.map(({ name }) => name);
    expect((await zsh.complete('handrail ')).matches).toEqual(['help', ...names].sort());
    expect((await zsh.complete('handrail red')).line).toBe('handrail redact ');
    expect((await zsh.complete('handrail help do')).line).toBe('handrail help doctor ');
    expect((await zsh.complete('handrail --')).matches).toEqual(['--help', '--version']);
  });

  it.each(COMMANDS.map(({ name }) => name))('all options of %s', async (name) => {
    const options = COMMANDS.find((command) => command.name === name)?.options.map((option) => `--${option.name}`);
    // A single one is written without being listed.
    const { matches, line } = await zsh.complete(`handrail ${name} --`);
    expect(matches, line).toEqual(options?.toSorted());
  });

  it.each([
    ['a file', 'redact los', 'redact lost\\ log.txt '],
    ['a file behind options', 'redact --report --pattern x los', 'redact --report --pattern x lost\\ log.txt '],
    ['a file behind dashes', 'redact -- los', 'redact -- lost\\ log.txt '],
    ['one more file', 'redact logs los', 'redact logs lost\\ log.txt '],
    ['a folder', 'run --cwd lo', 'run --cwd logs/'],
    ['a folder of several', 'run --path / --path lo', 'run --path / --path logs/'],
    ['a folder behind =', 'run --cwd=lo', 'run --cwd=logs/'],
    ['a variable', 'redact --secret-env HANDRAIL_TEST_O', 'redact --secret-env HANDRAIL_TEST_ONE,'],
    ['a variable of a list', 'redact --secret-env=X,HANDRAIL_TEST_O', 'redact --secret-env=X,HANDRAIL_TEST_ONE,'],
    ['a program of a list', 'run --allow ls,basena', 'run --allow ls,basename,'],
    ['a program with its path', 'run --allow /usr/bin/basena', 'run --allow /usr/bin/basename,'],
    ['the program with its path', 'run -- /usr/bin/basena', 'run -- /usr/bin/basename '],
    ['the program behind the dashes', 'run --allow ls -- basena', 'run --allow ls -- basename '],
    ['the program without dashes', 'run --allow ls basena', 'run --allow ls basename '],
    ['its files', 'run --allow cat -- cat los', 'run --allow cat -- cat lost\\ log.txt '],
    ['its options as it has them', 'run --allow ls -- ls --almost', 'run --allow ls -- ls --almost-all '],
    ['no option of ours behind the program', 'run --allow cat cat --al', 'run --allow cat cat --al'],
    ['no builtin as a program', 'run -- compde', 'run -- compde'],
    ['a choice', 'run --writes ro', 'run --writes roots '],
    ['a choice in one word', 'run --remove=no-', 'run --remove=no-truncate '],
    ['nothing for a number', 'run --timeout ', 'run --timeout '],
    ['options where there is nothing else', 'doctor --j', 'doctor --json '],
    ['a shell', 'completion b', 'completion bash '],
    ['one shell only', 'completion bash z', 'completion bash z'],
    ['nothing for an unknown command', 'fly r', 'fly r'],
  ])('%s', async (_name, typed, expected) => {
    expect((await zsh.complete(`handrail ${typed}`)).line).toBe(`handrail ${expected}`);
  });

  it('from a file in a folder of fpath, too', async () => {
    const home = path.join(folder, 'other-home');
    mkdirSync(path.join(home, 'functions'), { recursive: true });
    const script = execFileSync(process.execPath, [MAIN, 'completion', 'zsh']);
    writeFileSync(path.join(home, 'functions/_handrail'), script);
    await using other = await Zsh.start(folder, home, '');
    expect((await other.complete('handrail red')).line).toBe('handrail redact ');
    expect((await other.complete('handrail redact --lab')).line).toBe('handrail redact --label ');
  });
});
