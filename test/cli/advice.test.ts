import { describe, expect, it } from 'vitest';
import { handrail } from '../support/cli.js';

/** Options of the library, which nobody can type. */
const API = /trustInterpreters|`path`|confine[:.]|[Hh]ost lifts|allow: \[/;

describe('advice in words of the command line', () => {
  it('is an option that can be typed as it stands', async () => {
    expect((await handrail('run', '--allow', 'npm', 'npm', 'test')).stderr).toContain("--allow 'npm test' lifts this.");
    expect((await handrail('run', '--allow', 'ls', 'wc')).stderr).toContain('--allow wc lifts this.');
    const explained = await handrail('explain', '--allow', 'python3', 'python3 x.py');
    expect(explained.stdout).toContain('--trust python3 lifts this.');
    expect(explained.stdout).not.toMatch(API);
  });

  it.each([
    [['--allow', 'ls,wc', 'ls | wc'], 'hint: One word is one program: --shell in front runs it as a script.'],
    [['--deny', 'rm', 'ls -l'], 'hint: One word is one program: --shell in front runs it as a script.'],
    [['--allow', 'ls', 'ls | wc'], "with --shell in front, it is denied as well: Command 'wc' is not allowed."],
  ])('names --shell for a script that was given without it: %j', async (args, hint) => {
    const { code, stderr } = await handrail('run', ...args);
    expect([123, 127]).toContain(code);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(hint);
    expect(stderr).not.toContain('Use one of the allowed programs');
  });

  it('names it for no program of several words, and for no script', async () => {
    expect((await handrail('run', '--allow', 'ls', 'wc', 'a b')).stderr).not.toContain('--shell');
    expect((await handrail('run', '--allow', 'ls', '--shell', 'ls | wc')).stderr).not.toContain('--shell');
  });

  it('names no option of the library', async () => {
    expect((await handrail('doctor')).stdout).not.toMatch(API);
    const blocked = await handrail('run', '--allow', 'touch', '--writes', 'none', 'touch', '/var/tmp/handrail-none');
    expect(blocked.stderr.replaceAll(/\s+/g, ' ')).not.toMatch(API);
    expect(blocked.stderr.replaceAll(/\s+/g, ' ')).toContain('--writes any lifts this.');
    expect((await handrail('run', '--allow', 'none', 'none')).stderr).not.toMatch(API);
  });
});
