import { describe, expect, it } from 'vitest';
import { Terminal } from '../../ts/index.js';
import { templateCommand } from '../../ts/terminal/template.js';

function words(strings: TemplateStringsArray, ...values: readonly unknown[]): string[] {
  return templateCommand(strings, values);
}

describe('a command as a template', () => {
  it.each<[string, string[], string[]]>([
    ['words', words`ls  -l\n  src`, ['ls', '-l', 'src']],
    ['a value with blanks', words`ls ${'my documents; rm -rf *'}`, ['ls', 'my documents; rm -rf *']],
    ['a part of a word', words`git log --since=${'2 days ago'} -n${3}`, ['git', 'log', '--since=2 days ago', '-n3']],
    ['an array', words`cat ${['a b', 'c']} d`, ['cat', 'a b', 'c', 'd']],
    ['an array in a word', words`x --${['a', 'b']}z`, ['x', '--a', 'bz']],
    ['an empty array', words`ls ${[]}`, ['ls']],
    ['an empty value', words`grep ${''} file`, ['grep', '', 'file']],
    ['values side by side', words`${'a'}${'b'} ${'c'}`, ['ab', 'c']],
    ['a value with a line break', words`echo ${'a\nb'}`, ['echo', 'a\nb']],
    ['quotes are text', words`echo "a b"`, ['echo', '"a', 'b"']],
    ['nothing', words``, []],
  ])('%s', (_name, given, expected) => {
    expect(given).toEqual(expected);
  });

  it.each([undefined, null, {}, [['a']], Number.NaN, Symbol('s')])('refuses %s', (value) => {
    expect(() => words`ls ${value}`).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });

  it('is run, and no shell sees it', async () => {
    await using terminal = new Terminal({ allow: ['echo', 'ls'] });
    const attack = '$(id); `id` && id > out';
    const result = await terminal.run`echo ${attack}`;
    expect(result.stdout).toBe(`${attack}\n`);
    expect((await terminal.run`cat ${'/etc/passwd'}`).status).toBe('denied');
    await expect(terminal.run`ls ${undefined as unknown as string}`).rejects.toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
    });
  });
});
