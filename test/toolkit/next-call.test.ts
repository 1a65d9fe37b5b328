/** After a refused or failed call the next one is made from nothing but its text, and it runs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { toolkits } from '../support/toolkits.js';

type Arguments = Readonly<Record<string, unknown>>;
type Call = readonly [tool: string, args: Arguments];
/** What a model makes of the text. */
type Reader = (text: string, call: Call) => Call;

const { workspace, make } = toolkits();

function found(pattern: RegExp, text: string): string {
  const [, part] = pattern.exec(text) ?? [];
  if (part === undefined) throw new Error(`nothing like ${pattern} in:\n${text}`);
  return part;
}

const instead: Reader = (text, [tool]) => [
  tool,
  JSON.parse(found(/^(?:instead|did you mean): (.*)$/m, text)) as Arguments,
];

/** Another value for one argument. */
function other(argument: string, pattern: RegExp, read: (part: string) => unknown = (part) => part): Reader {
  return (text, [tool, args]) => [tool, { ...args, [argument]: read(found(pattern, text)) }];
}

const meantPath: Reader = (text, [tool]) => [
  tool,
  { path: found(/Give path (\S+) and/, text), pattern: found(/and pattern (\S+)\.$/m, text) },
];

const renamed: Reader = (text, [tool, args]) => {
  const wrong = found(/unknown argument: (\w+)/, text);
  const { [wrong]: value, ...others } = args;
  return [tool, { ...others, [found(/did you mean (\w+)\?/, text)]: value }];
};

const meantTool: Reader = (text, [, args]) => [found(/^Did you mean (\w+)\?$/m, text), args];

/** The arguments as the signature names them: what was given to the first unknown one goes to the missing one. */
const missing: Reader = (text, [tool, args]) => {
  const wrong = found(/unknown argument: (\w+)/, text);
  const { [wrong]: value, ...others } = args;
  return [tool, { ...others, [found(/missing argument: (\w+)/, text)]: value }];
};

const allowedProgram: Reader = (text, [tool]) => [tool, { command: found(/Allowed programs: (\w+)/, text) }];

const CALLS: readonly [name: string, call: Call, reader: Reader, answer: RegExp][] = [
  ['a list with cd', ['terminal_run', { command: 'cd sub && cat a.txt' }], instead, /^exit 0.*\ninner$/],
  ['cd with quotes', ['terminal_run', { command: 'cd "two words" && ls' }], instead, /^exit 0.*\nb\.txt$/],
  ['cd beneath a cwd', ['terminal_run', { command: 'cd deep; ls', cwd: 'sub' }], instead, /^exit 0.*\nc\.txt$/],
  [
    'a list behind cd',
    ['terminal_run', { command: 'cd sub && cat a.txt && ls | wc -l' }],
    instead,
    /^exit 0.*\ninner$/,
  ],
  ['a list with input', ['terminal_run', { command: 'wc -l < notes.txt | cat' }], instead, /^exit 0.*\n2 notes\.txt$/],
  ['a list', ['terminal_run', { command: 'cat notes.txt && ls' }], instead, /^exit 0.*\none\ntwo$/],
  ['a list with ;', ['terminal_run', { command: 'ls sub; ls' }], instead, /^exit 0.*\na\.txt\ndeep$/],
  ['a pipe', ['terminal_run', { command: 'cat notes.txt | wc -l' }], instead, /^exit 0.*\none\ntwo$/],
  ['a background job', ['terminal_run', { command: 'ls sub &' }], instead, /^exit 0.*\na\.txt\ndeep$/],
  ['a line break', ['terminal_run', { command: 'ls sub\nls' }], instead, /^exit 0.*\na\.txt\ndeep$/],
  ['input from a file', ['terminal_run', { command: 'wc -l < notes.txt' }], instead, /^exit 0.*\n2 notes\.txt$/],
  ['output to a file', ['terminal_run', { command: 'ls sub > out.txt' }], instead, /^exit 0.*\na\.txt\ndeep$/],
  ['errors to the output', ['terminal_run', { command: 'ls sub 2>&1' }], instead, /^exit 0.*\na\.txt\ndeep$/],
  ['a slip in a program', ['terminal_run', { command: 'gti --version' }], instead, /^exit 0.*\ngit version/],
  ['another program of a similar name', ['terminal_run', { command: 'vat notes.txt' }], allowedProgram, /^exit 0/],
  ['a slip in a subcommand', ['terminal_run', { command: 'git verison' }], instead, /^exit 0.*\ngit version/],
  ['a program that is not listed', ['terminal_run', { command: 'rm x' }], allowedProgram, /^exit 0/],
  [
    'a slip in cwd',
    ['terminal_run', { command: 'ls', cwd: 'subb' }],
    other('cwd', /Give cwd "(.*?)"/),
    /^exit 0.*\na\.txt/,
  ],
  [
    'a cwd unlike any',
    ['terminal_run', { command: 'ls', cwd: 'source' }],
    other('cwd', /Directories in the workspace: "(.*?)"/),
    /^exit 0.*\na\.txt/,
  ],
  [
    'a file as cwd',
    ['terminal_run', { command: 'ls', cwd: 'notes.txt' }],
    other('cwd', /Directories in the workspace: "(.*?)"/),
    /^exit 0.*\na\.txt/,
  ],
  ['a cwd outside', ['terminal_run', { command: 'ls', cwd: '/etc' }], other('cwd', /outside of (\S+);/), /notes\.txt/],
  [
    'a short time-out',
    ['terminal_run', { command: 'sleep 2', timeout_ms: 100 }],
    other('timeout_ms', /up to (\d+) can be asked for/, Number),
    /^exit 0/,
  ],
  [
    'a long time-out',
    ['terminal_run', { command: 'ls sub', timeout_ms: 1e7 }],
    other('timeout_ms', /<=(\d+)/, Number),
    /^exit 0/,
  ],
  ['part of a name', ['terminal_run', { command: 'ls sub', timeout: 5_000 }], renamed, /^exit 0/],
  ['another name', ['terminal_run', { cmd: 'ls sub' }], renamed, /^exit 0/],
  ['a slip in a tool', ['terminalrun', { command: 'ls sub' }], meantTool, /^exit 0/],
  ['another name in file_write', ['file_write', { path: 'new.txt', text: 'x' }], missing, /^Created new\.txt/],
  ['a slip in a path', ['file_read', { path: 'note.txt' }], other('path', /Close names: (\S+)/), /^one\ntwo/],
  ['a path outside', ['file_list', { path: '/etc' }], other('path', /Allowed: (\S+)/), /notes\.txt/],
  [
    'a line past the end',
    ['file_read', { path: 'notes.txt', offset: 100 }],
    other('offset', /the file has (\d+) lines/, Number),
    /two/,
  ],
  ['a pattern that is none', ['file_grep', { pattern: '(in' }], other('pattern', /literally: (.+)/), /^No matches in/],
  ['an absolute glob', ['file_glob', { pattern: '/*.txt' }], () => ['file_glob', { pattern: '*.txt' }], /notes\.txt/],
  ['a glob that leads back', ['file_glob', { pattern: 'sub/../*.txt' }], meantPath, /notes\.txt/],
  [
    'a directory read as a file',
    ['file_read', { path: 'sub' }],
    (text, [, args]) => [found(/(\w+) lists a folder/, text), args],
    /a\.txt/,
  ],
];

beforeEach(() => {
  mkdirSync(path.join(workspace, 'sub/deep'), { recursive: true });
  mkdirSync(path.join(workspace, 'two words'), { recursive: true });
  writeFileSync(path.join(workspace, 'notes.txt'), 'one\ntwo\n');
  writeFileSync(path.join(workspace, 'sub/a.txt'), 'inner\n');
  writeFileSync(path.join(workspace, 'sub/deep/c.txt'), '');
  writeFileSync(path.join(workspace, 'two words/b.txt'), '');
});

describe('a refused call says how to go on', () => {
  it.each(CALLS)('%s', async (_name, call, reader, answer) => {
    const toolkit = await make({ terminal: { allow: ['ls', 'cat', 'wc', 'git', 'sleep'], graceMs: 100 } });
    const refused = await toolkit.execute(...call);
    expect(refused.isError, refused.content).toBe(true);
    const next = await toolkit.execute(...reader(refused.content, call));
    expect(next.content, `after ${refused.content}`).toMatch(answer);
    expect(next.isError).toBe(false);
  });

  it('shows no secret of the command, and repeats neither it nor a long one', async () => {
    const toolkit = await make({ terminal: { allow: ['ls'] }, redaction: { secrets: ['hunter2-of-the-test'] } });
    const { content } = await toolkit.execute('terminal_run', { command: 'ls hunter2-of-the-test && ls' });
    // A call with a mask in it is another one, and would be refused.
    expect(content).not.toContain('instead:');
    expect(content).not.toContain('hunter2');
    const long = await toolkit.execute('terminal_run', { command: `ls ${'x'.repeat(400)} && ls` });
    expect(long.content).not.toContain('xxx');
  });

  it('masks the name of a directory before it cuts it', async () => {
    const toolkit = await make({ terminal: { allow: ['ls'] } });
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    for (const cwd of [`${'x'.repeat(22)}=${token}`, `/nowhere/${'x'.repeat(13)}=${token}`]) {
      const { content } = await toolkit.execute('terminal_run', { command: 'ls', cwd });
      expect(content).toContain('hint: cwd');
      expect(content).not.toContain(token.slice(0, 12));
    }
  });

  it('proposes nothing that is refused in its turn', async () => {
    const toolkit = await make({ terminal: { allow: ['ls', 'cat', 'git'] } });
    const commands = [
      ...['rm x && ls', 'cd a && rm x', 'cd a; cd b; cd c; cd d; cd e; ls', 'gti clean -fdx', 'ls $HOME && ls'],
      ...['cat < $x', 'ls *.txt | cat', 'ct | rm', 'git puhs --force; ls', 'ls (a) && ls', '&& ls', 'ls > $x > y'],
    ];
    for (const command of commands) {
      const { content } = await toolkit.execute('terminal_run', { command });
      const proposed = /^(?:instead|did you mean): (.*)$/m.exec(content)?.[1];
      if (proposed === undefined) continue;
      const call = JSON.parse(proposed) as { command: string };
      expect(toolkit.terminal.explain(call.command).decision, `${command}: ${content}`).toBe('allow');
    }
    const { content } = await toolkit.execute('terminal_run', { command: 'rm x && ls' });
    expect(content).not.toContain('instead:');
  });

  it('names no directories outside of the roots', async () => {
    const toolkit = await make({ terminal: { allow: ['ls'] } });
    const { content } = await toolkit.execute('terminal_run', { command: 'ls', cwd: '../../usr/bim' });
    expect(content).not.toContain('bin');
  });
});
