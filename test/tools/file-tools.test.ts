/** The file tools of a toolkit: what a model reads after each call, good or bad. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../ts/redaction/tokens.js';
import { toolkits } from '../support/toolkits.js';

const { workspace, make, makeFrom, audited } = toolkits();

function file(name: string, content: string): string {
  const target = path.join(workspace, name);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
  return target;
}

const content = (name: string): string => readFileSync(path.join(workspace, name), 'utf8');

describe('file_read', () => {
  it('gives a plain file as it is', async () => {
    file('plain.txt', 'one\ntwo\n');
    const result = await (await make()).execute('file_read', { path: 'plain.txt' });
    expect(result).toMatchObject({
      content: 'one\ntwo',
      isError: false,
      data: { kind: 'file_read', text: 'one\ntwo\n' },
    });
  });

  it('gives some lines, numbered, and says how to read on', async () => {
    file('numbers.txt', Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join(''));
    const toolkit = await make();
    const { content: text } = await toolkit.execute('file_read', {
      path: 'numbers.txt',
      offset: 4,
      limit: 2,
      numbers: true,
    });
    expect(text).toBe(
      'numbers.txt  lines 4-5 of 10\n4\tline 4\n5\tline 5\n' +
        '[More: file_read {"path":"numbers.txt","offset":6,"limit":2,"numbers":true} (5 lines left).]',
    );
    const past = await toolkit.execute('file_read', { path: 'numbers.txt', offset: 11 });
    expect(past).toMatchObject({ isError: true, data: { refusal: { code: 'past_end' } } });
    expect(past.content).toContain('10 lines');
  });

  it('says what is unusual about a file', async () => {
    file('crlf.txt', '\ufeffa\r\nb\r\n');
    file('empty.txt', '');
    file('binary', 'a\0b');
    const toolkit = await make();
    const read = async (name: string) => (await toolkit.execute('file_read', { path: name })).content;
    expect(await read('crlf.txt')).toBe('crlf.txt  lines 1-2 of 2, CRLF, BOM\na\nb');
    expect(await read('empty.txt')).toBe('empty.txt is empty (0 bytes).');
    const binary = await toolkit.execute('file_read', { path: 'binary' });
    expect(binary).toMatchObject({ isError: true, data: { refusal: { code: 'binary' } } });
    expect(binary.content).toMatch(/^binary is a binary file \(3 bytes\), and no text: nothing of it is shown\nhint: /);
  });

  it('gives as many whole lines as fit', async () => {
    file('long.txt', `${'x'.repeat(99)}\n`.repeat(100));
    const toolkit = await make({ limits: { resultChars: 1_000 } });
    const first = await toolkit.execute('file_read', { path: 'long.txt' });
    expect(first.content.length).toBeLessThanOrEqual(1_000);
    const [, offset] = /^\[More: file_read .*"offset":(\d+)/m.exec(first.content) ?? [];
    expect(first.content).toContain(`lines 1-${Number(offset) - 1} of 100`);
    const second = await toolkit.execute('file_read', { path: 'long.txt', offset: Number(offset) });
    expect(second.content).toContain(`lines ${offset}-`);
  });

  it('gives a long line in parts, each with the call that reads on', async () => {
    const words = Array.from({ length: 9_000 }, (_, index) => `word-${index}`).join(' ');
    file('line.json', `[\n${words}\n]\n`);
    const toolkit = await make({ limits: { readTokens: 2_000 } });
    let given = '';
    let args: object | undefined = { path: 'line.json' };
    const notes: string[] = [];
    while (args !== undefined) {
      const { content: text, data } = await toolkit.execute('file_read', args);
      given += (data as unknown as { readonly text: string }).text;
      const [, call = '', rest = ''] = /^\[More: file_read (\{.*\}) \((.*) left\)\.\]$/m.exec(text) ?? [];
      notes.push(rest);
      args = call === '' ? undefined : JSON.parse(call);
    }
    expect(given).toBe(`[\n${words}\n]\n`);
    expect(notes.length).toBeGreaterThan(10);
    expect(new Set(notes)).toEqual(new Set(['2 lines', 'the rest of line 2 and 1 line', '']));
    const past = await toolkit.execute('file_read', { path: 'line.json', offset: 1, column: 3 });
    expect(past).toMatchObject({ isError: true, data: { refusal: { code: 'past_end' } } });
    // Who has seen a part of a line has not seen the line.
    const write = { path: 'line.json', content: 'x' };
    expect(await (await make()).execute('file_write', write)).toMatchObject({ isError: true });
    const unseen = await make({ limits: { readTokens: 2_000 } });
    for (const offset of [1, 2, 3]) await unseen.execute('file_read', { path: 'line.json', offset });
    expect(await unseen.execute('file_write', write)).toMatchObject({ data: { refusal: { code: 'exists' } } });
  });

  it.each([
    [
      'prose',
      (index: number) => `The ${index}th sentence of a long text that tells a reader nothing at all, and goes on.`,
    ],
    ['Cyrillic', (index: number) => `Строка номер ${index}: сборка завершилась с ошибкой, повторите попытку позже.`],
    ['Chinese', (index: number) => `第${index}次构建失败：找不到模块，数据库连接超时。`],
  ])('gives as much of %s as has the tokens, and no more characters than a result may have', async (name, line) => {
    file(`${name}.txt`, Array.from({ length: 4_000 }, (_, index) => `${line(index)}\n`).join(''));
    for (const [resultChars, least] of [
      [undefined, 0.9 * 10_000],
      [5_000, 0],
    ] as const) {
      const toolkit = await make({ limits: resultChars === undefined ? {} : { resultChars } });
      const { content: text, data } = await toolkit.execute('file_read', { path: `${name}.txt` });
      expect(estimateTokens(text)).toBeGreaterThan(least);
      expect([...text].length).toBeLessThanOrEqual(resultChars ?? 60_000);
      if (resultChars !== undefined) expect([...text].length).toBeGreaterThan(0.75 * resultChars);
      // All that was read is shown.
      expect(text).toContain((data as unknown as { readonly text: string }).text.slice(0, -1));
    }
  });

  it('says of a file of line ends alone how many there are, and where a part of a line is', async () => {
    file('end.txt', '\n');
    file('one.txt', `${'word '.repeat(20_000)}\n`);
    const toolkit = await make({ limits: { readTokens: 1_000 } });
    expect((await toolkit.execute('file_read', { path: 'end.txt' })).content).toBe('end.txt  line 1 of 1\n');
    const { content: part } = await toolkit.execute('file_read', { path: 'one.txt', column: 3_000 });
    expect(part).toMatch(/^one\.txt {2}line 1 from column 3000 to column \d+ of 1\n/);
  });

  it('reads parts of a file that is too large to be held, masked, and on by the calls that it names', async () => {
    const secret = ['ghp_', 'x7Yq'.repeat(9)].join('');
    file('large.txt', `${'line\n'.repeat(2_200_000)}token ${secret}\nlast\n`);
    const toolkit = await make();
    const read = async (args: object) => (await toolkit.execute('file_read', { path: 'large.txt', ...args })).content;
    expect(await read({ offset: 2, limit: 1 })).toBe(
      'large.txt  line 2 of 2200002\nline\n[1 secret masked in this file]\n' +
        '[More: file_read {"path":"large.txt","offset":3,"limit":1} (2200000 lines left).]',
    );
    expect(await read({ offset: 2_200_001 })).toContain('token [REDACTED]\nlast\n');
    expect(await read({ offset: 2_200_003 })).toContain('the file has 2200002 lines');
  });

  it('names close names and protected places, and shows nothing of what lies outside', async () => {
    file('config.yaml', 'a: 1\n');
    file('.env', 'A=1\n');
    const toolkit = await make();
    const read = async (name: string) => (await toolkit.execute('file_read', { path: name })).content;
    expect(await read('config.yml')).toContain('config.yaml');
    expect(await read('.env')).toMatch(
      /^Read denied: .*secrets\.dotenv.*\nhint: Ask the user for what is needed, or read \.env\.example\.$/,
    );
    const [there, notThere] = [await read('/etc/passwd'), await read('/etc/no-such-file')];
    expect(there).toMatch(/^Access denied: /);
    expect(notThere.replace('no-such-file', 'passwd')).toBe(there);
  });
});

/** The text of a refusal once said that they are blocked: they are not, by the tool beside it. */
it('what file_read refuses a listed command still reads, masked', async () => {
  file('.env', 'DB_PASSWORD=hunter2-hunter2\nPORT=8080\n');
  const toolkit = await make({ terminal: { allow: ['cat'] } });
  const { content: refused } = await toolkit.execute('file_read', { path: '.env' });
  const { content: shown } = await toolkit.execute('terminal_run', { command: 'cat .env' });
  expect(refused).not.toMatch(/route|block/);
  expect(shown).toContain('DB_PASSWORD=[REDACTED]\nPORT=8080');
});

describe('file_write', () => {
  it('creates, with the folders above', async () => {
    const result = await (await make()).execute('file_write', { path: 'new/deep/a.txt', content: 'one\ntwo\n' });
    expect(result).toMatchObject({ content: 'Created new/deep/a.txt (2 lines).', isError: false });
    expect(content('new/deep/a.txt')).toBe('one\ntwo\n');
  });

  it('replaces what was read, and nothing else unless told to', async () => {
    file('known.txt', 'one\ntwo\n');
    const toolkit = await make();
    const args = { path: 'known.txt', content: 'one\n2\nthree\n' };
    const unseen = await toolkit.execute('file_write', args);
    expect(unseen).toMatchObject({ isError: true, data: { refusal: { code: 'exists' } } });
    await toolkit.execute('file_read', { path: 'known.txt' });
    expect((await toolkit.execute('file_write', args)).content).toBe('Replaced known.txt (+2 -1).');
    file('known.txt', 'changed\n');
    const stale = await toolkit.execute('file_write', args);
    expect(stale).toMatchObject({ isError: true, data: { refusal: { code: 'changed_on_disk' } } });
    expect(content('known.txt')).toBe('changed\n');
    expect(await toolkit.execute('file_write', { ...args, overwrite: true })).toMatchObject({ isError: false });
    expect(content('known.txt')).toBe('one\n2\nthree\n');
  });

  it('replaces nothing of which the model has read a part', async () => {
    file('partly.txt', `${'x'.repeat(99)}\n`.repeat(100));
    const toolkit = await make({ limits: { resultChars: 1_000 } });
    await toolkit.execute('file_read', { path: 'partly.txt' });
    const refused = await toolkit.execute('file_write', { path: 'partly.txt', content: 'y\n' });
    expect(refused).toMatchObject({ isError: true, data: { refusal: { code: 'exists' } } });
    expect(refused.content).toMatch(/you have read only lines 1-\d/);
  });

  it('replaces no file that it may not read', async () => {
    file('.env', 'A=1\n');
    const refused = await (await make()).execute('file_write', { path: '.env', content: 'x', overwrite: true });
    expect(refused).toMatchObject({
      isError: true,
      data: { refusal: { code: 'blocked_write', rule: 'secrets.dotenv' } },
    });
    expect(content('.env')).toBe('A=1\n');
  });

  it('keeps a secret whose mask comes back, and takes it nowhere else', async () => {
    const secret = ['hunter2', 'hunter2'].join('-');
    file('app.ini', `# settings\npassword=${secret}\nport=80\n`);
    const toolkit = await make();
    const { content: seen } = await toolkit.execute('file_read', { path: 'app.ini' });
    expect(seen).toContain('password=[REDACTED]');
    expect(seen).toContain('[1 secret masked in this file]');
    const text = '# settings\npassword=[REDACTED]\nport=8080\n';
    const written = await toolkit.execute('file_write', { path: 'app.ini', content: text });
    expect(written.content).toBe('Replaced app.ini (+1 -1).\n[1 masked secret kept as it was]');
    expect(content('app.ini')).toBe(`# settings\npassword=${secret}\nport=8080\n`);
    for (const [name, stolen] of [
      ['other.ini', text],
      ['app.ini', '# settings\nshown=[REDACTED]\nport=8080\n'],
      ['app.ini', '# settings\n# password is [REDACTED]\nport=8080\n'],
    ] as const) {
      const refused = await toolkit.execute('file_write', { path: name, content: stolen, overwrite: true });
      expect(refused, stolen).toMatchObject({ isError: true, data: { refusal: { code: 'mask_in_text' } } });
    }
    expect(content('app.ini')).toContain(secret);
  });

  it('numbers the masks of a file with several secrets, and takes each where it goes', async () => {
    const [first, second] = ['hunter2', 'hunter3'].map((part) => [part, part].join('-'));
    file('two.ini', `[prod]\npassword=${first}\n[dev]\npassword=${second}\n`);
    const swapped = '[dev]\npassword=[REDACTED:2]\n[prod]\npassword=[REDACTED:1]\n';
    const toolkit = await make();
    const unread = await toolkit.execute('file_write', { path: 'two.ini', content: swapped, overwrite: true });
    expect(unread).toMatchObject({ isError: true, data: { refusal: { code: 'changed_on_disk' } } });
    expect(unread.content).toMatch(/hint: Read it again, and copy the masks from there\.$/);
    const { content: seen } = await toolkit.execute('file_read', { path: 'two.ini' });
    expect(seen).toContain('[prod]\npassword=[REDACTED:1]\n[dev]\npassword=[REDACTED:2]');
    const unnumbered = swapped.replaceAll(/:\d/g, '');
    const guess = await toolkit.execute('file_write', { path: 'two.ini', content: unnumbered });
    expect(guess).toMatchObject({ isError: true, data: { refusal: { code: 'mask_in_text' } } });
    expect(guess.content).toMatch(/does not say which of 2 secrets.*\nhint: Read the file, and copy the masks/);
    const written = await toolkit.execute('file_write', { path: 'two.ini', content: swapped });
    expect(written).toMatchObject({ isError: false, data: { restoredMasks: 2 } });
    expect(content('two.ini')).toBe(`[dev]\npassword=${second}\n[prod]\npassword=${first}\n`);
  });

  it('writes no file from a lossy view, and edits what is plain ASCII', async () => {
    writeFileSync(path.join(workspace, 'latin.txt'), Buffer.from('Gr\u00fc\u00dfe\nport=80\n', 'latin1'));
    const toolkit = await make();
    const { content: seen } = await toolkit.execute('file_read', { path: 'latin.txt' });
    expect(seen).toContain('unknown encoding, only plain ASCII is editable\nGr\ufffd\ufffde');
    const lossy = await toolkit.execute('file_write', { path: 'latin.txt', content: 'Gr\ufffd\ufffde\nport=81\n' });
    expect(lossy).toMatchObject({ isError: true, data: { refusal: { code: 'not_editable' } } });
    const edits = [{ old: 'port=80', new: 'port=81' }];
    expect(await toolkit.execute('file_edit', { path: 'latin.txt', edits })).toMatchObject({ isError: false });
    expect(readFileSync(path.join(workspace, 'latin.txt'), 'latin1')).toBe('Gr\u00fc\u00dfe\nport=81\n');
  });

  it('writes nothing beneath a root that is read only', async () => {
    const toolkit = await makeFrom({ roots: [{ path: workspace, mode: 'ro' }] });
    const refused = await toolkit.execute('file_write', { path: 'ro.txt', content: '' });
    expect(refused.content).toMatch(/denied/);
  });
});

describe('file_edit', () => {
  it('replaces exactly, several at once, and shows the places', async () => {
    file('price.js', 'const tax = 1.07;\nconst name = "a";\nexport { tax, name };\n');
    const result = await (await make()).execute('file_edit', {
      path: 'price.js',
      edits: [
        { old: '1.07', new: '1.19' },
        { old: '"a"', new: '"b"', all: null },
      ],
    });
    expect(result.isError).toBe(false);
    expect(result.content).toContain('Edited price.js: line 1 (+1 -1), line 2 (+1 -1).');
    expect(result.content).toContain('1\tconst tax = 1.19;');
    expect(content('price.js')).toBe('const tax = 1.19;\nconst name = "b";\nexport { tax, name };\n');
  });

  it('changes nothing when one of several edits does not fit', async () => {
    const before = 'a\nb\n';
    file('two.txt', before);
    const refused = await (await make()).execute('file_edit', {
      path: 'two.txt',
      edits: [
        { old: 'a', new: '1' },
        { old: 'c', new: '3' },
      ],
    });
    expect(refused).toMatchObject({ isError: true, data: { refusal: { code: 'no_match', edit: 1 } } });
    expect(content('two.txt')).toBe(before);
  });

  it('shows the nearest place and the first difference', async () => {
    file('near.js', 'function f() {\n\treturn 1;\n}\n');
    const toolkit = await make();
    const edits = [{ old: 'function f() {\n  return 2;\n}', new: '' }];
    const { content: text } = await toolkit.execute('file_edit', { path: 'near.js', edits });
    expect(text).toMatch(/^No edit: .*first difference at your line 2/);
    expect(text).toContain('→return·1;');
    expect(text).toMatch(/hint: If this is the place, send this .*: "function f\(\) \{\\n\\treturn 1;\\n\}"$/);
  });

  it('says what an old text was taken for', async () => {
    const toolkit = await make();
    const edit = async (before: string, old: string, text: string) => {
      file('taken.js', before);
      const { content: answer } = await toolkit.execute('file_edit', { path: 'taken.js', edits: [{ old, new: text }] });
      return [content('taken.js'), answer.split('\n').at(-1)];
    };
    const cases = [
      ['\ta();\n', '    a();', '    b();', '\tb();\n', "with the file's indentation (1 tab for your 4 blanks)"],
      ['say “a”\n', 'say "a"', 'say "b"', 'say “b”\n', 'with the file\'s letters ("“" for your "\\"")'],
      ['a < b\n', 'a &lt; b', 'a &lt; c', 'a < c\n', 'with HTML entities read ("<" for your "&lt;")'],
      ['f("a")\n', 'f(\\"a\\")', 'f(\\"b\\")', 'f("b")\n', 'with escapes read ("\\"" for your "\\\\\\"")'],
      ['a \nb\n', 'a\nb', 'a\nc', 'a \nc\n', 'without regard to blanks at line ends'],
      ['a\nb\n', '1\ta\n2\tb', '1\ta\n2\tc', 'a\nc\n', 'without the numbers before your lines'],
      ['a\nb\n', ' a\n-b', ' a\n+c', 'a\nc\n', 'without the signs of a diff before your lines'],
      ['a\nb', 'b\n', 'c\n', 'a\nc', 'without a line end after the last line, as the file is'],
    ] as const;
    for (const [before, old, text, after, note] of cases) {
      expect(await edit(before, old, text)).toEqual([after, `[not exactly your old text; taken ${note}]`]);
    }
  });

  it('names all places of a text that is there several times', async () => {
    file('many.txt', 'x\ny\nx\n');
    const toolkit = await make();
    const refused = await toolkit.execute('file_edit', { path: 'many.txt', edits: [{ old: 'x', new: 'z' }] });
    expect(refused).toMatchObject({ data: { refusal: { code: 'ambiguous', lines: [1, 3] } } });
    await toolkit.execute('file_edit', { path: 'many.txt', edits: [{ old: 'x', new: 'z', all: true }] });
    expect(content('many.txt')).toBe('z\ny\nz\n');
  });

  it('names some of many places and counts the rest', async () => {
    file('lines.txt', 'x\n'.repeat(12));
    const toolkit = await make();
    const { content: text } = await toolkit.execute('file_edit', {
      path: 'lines.txt',
      edits: [{ old: 'x', new: 'z', all: true }],
    });
    expect(text.split('\n')[0]).toMatch(
      /^Edited lines\.txt: line 1 \(\+1 -1\), .* line 10 \(\+1 -1\) and 2 more places\.$/,
    );
  });

  it('counts a great many places and names a hundred', async () => {
    file('many.txt', 'x\n'.repeat(5_000));
    const edits = [{ old: 'x', new: 'z', all: true }];
    const result = await (await make()).execute('file_edit', { path: 'many.txt', edits });
    expect(result.content).toContain('and 4990 more places.');
    expect(result).toMatchObject({ data: { places: 5_000, edits: { length: 100 } } });
  });

  it('does not make an edit again', async () => {
    file('again.ini', 'timeout: 30\n');
    const toolkit = await make();
    const edits = [{ old: 'timeout: 30', new: 'timeout: 300' }];
    expect(await toolkit.execute('file_edit', { path: 'again.ini', edits })).toMatchObject({ isError: false });
    const again = await toolkit.execute('file_edit', { path: 'again.ini', edits });
    expect(again).toMatchObject({ isError: true, data: { refusal: { code: 'already_applied' } } });
    expect(again.content).toBe(
      'No edit: new text is already at line 1 of again.ini; this change looks applied\n' +
        'hint: To make it once more, name more of the text around it.',
    );
    expect(content('again.ini')).toBe('timeout: 300\n');
  });

  it('takes a mask in the old text and keeps the secret', async () => {
    const secret = ['hunter2', 'hunter2'].join('-');
    file('keep.ini', `password=${secret}\nport=80\n`);
    const edits = [{ old: 'password=[REDACTED]\nport=80', new: 'password=[REDACTED]\nport=81' }];
    const result = await (await make()).execute('file_edit', { path: 'keep.ini', edits });
    expect(result.isError).toBe(false);
    expect(result.content).not.toContain(secret);
    expect(content('keep.ini')).toBe(`password=${secret}\nport=81\n`);
  });

  it('says when the file changed since it was read and the text is gone', async () => {
    file('moving.txt', 'one\ntwo\n');
    const toolkit = await make();
    await toolkit.execute('file_read', { path: 'moving.txt' });
    file('moving.txt', 'one\n2\n');
    const refused = await toolkit.execute('file_edit', { path: 'moving.txt', edits: [{ old: 'two', new: '3' }] });
    expect(refused).toMatchObject({ data: { refusal: { code: 'changed_on_disk' } } });
  });
});

describe('records of files', () => {
  it('have the operation, the path and what came of it', async () => {
    file('audited.txt', 'token=hunter2-hunter2\n');
    const { toolkit, records } = await audited();
    await toolkit.execute('file_read', { path: 'audited.txt' });
    await toolkit.execute('file_write', { path: '.git/config', content: 'x' });
    expect(records).toMatchObject([
      {
        tool: 'file_read',
        decision: 'allow',
        rules: [],
        redactions: 1,
        detail: { kind: 'file', operation: 'read', status: 'done', path: 'audited.txt', bytes: 22 },
      },
      {
        tool: 'file_write',
        decision: 'deny',
        rules: ['git.metadata'],
        detail: { kind: 'file', operation: 'write', status: 'blocked_write' },
      },
    ]);
  });
});

describe('tools of a toolkit', () => {
  it('are those that are named, in the order of the catalogue', async () => {
    const toolkit = await make({ tools: ['file_edit', 'file_read'] });
    expect(toolkit.definitions().map(({ name }) => name)).toEqual(['file_read', 'file_edit']);
    expect(await toolkit.execute('terminal_run', { command: 'echo' })).toMatchObject({
      data: { refused: 'unknown_tool' },
    });
    await expect(make({ tools: ['file_fly'] })).rejects.toMatchObject({ code: 'ERR_UNKNOWN_TOOL' });
  });
});
