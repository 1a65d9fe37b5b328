/** `file_glob` and `file_grep` of a toolkit: what a model reads, good or bad. */
import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Files } from '../../ts/files/files.js';
import { estimateTokens } from '../../ts/redaction/tokens.js';
import { toolkits } from '../support/toolkits.js';

const { workspace, make, makeFrom, audited } = toolkits();

function file(name: string, content = ''): void {
  const target = path.join(workspace, 'area', name);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
}

beforeEach(() => file('.gitignore', 'dist\n'));
afterEach(() => rmSync(path.join(workspace, 'area'), { recursive: true }));

describe('file_glob', () => {
  it('gives the paths changed last, and the total', async () => {
    for (const number of Array.from({ length: 101 }, (_, index) => index)) {
      file(`f${number}.ts`);
      utimesSync(path.join(workspace, 'area', `f${number}.ts`), number, number);
    }
    const toolkit = await make();
    const { content, data, isError } = await toolkit.execute('file_glob', { pattern: 'area/*.ts' });
    const lines = content.split('\n');
    expect([lines[0], lines[99], isError]).toEqual(['area/f100.ts', 'area/f1.ts', false]);
    expect(lines[100]).toBe('[More: file_glob {"pattern":"area/*.ts","offset":100} (1 file left).]');
    expect(data).toMatchObject({ kind: 'file_glob', ok: true, total: 101, truncated: true });
    const all = await toolkit.execute('file_glob', { pattern: '*', path: 'area', limit: 101 });
    expect(all.content.split('\n')).toHaveLength(101);
    const short = await make({ limits: { resultChars: 500 } });
    const cut = await short.execute('file_glob', { pattern: 'area/*.ts' });
    expect(cut.content).toMatch(/^area\/f100\.ts\n(area.*\n)+\[More: file_glob .* files left\)\.\]$/);
  });

  it('says what would be found with what was left out', async () => {
    file('dist/a.js');
    file('dist/b.js');
    file('.ci/c.yml');
    file('dist/.d.css');
    file('server.pem');
    const toolkit = await make();
    const find = async (args: object) => (await toolkit.execute('file_glob', { path: 'area', ...args })).content;
    expect(await find({ pattern: '**/*.js' })).toBe('No files match. 2 ignored files would: pass ignored: true.');
    expect(await find({ pattern: '**/*.yml' })).toBe('No files match. 1 hidden file would: pass hidden: true.');
    expect(await find({ pattern: '**/*.css' })).toBe(
      'No files match. 1 hidden and ignored file would: pass hidden: true and ignored: true.',
    );
    expect(await find({ pattern: '**/*.pem' })).toBe('No files match. 1 protected file left out.');
    expect(await find({ pattern: '**/*.js', ignored: true })).toMatch(/^area\/dist\/[ab]\.js\narea\/dist\/[ab]\.js$/);
  });

  it('refuses what leads out, and says what to ask instead', async () => {
    const { toolkit, records } = await audited();
    const refused = await toolkit.execute('file_glob', { pattern: '/etc/*' });
    expect(refused).toMatchObject({ isError: true, data: { kind: 'file_glob', refusal: { code: 'outside_root' } } });
    expect(refused.content).toMatch(/hint: Allowed: .*Only the host can add a root/);
    const inside = async (pattern: string) => (await toolkit.execute('file_glob', { pattern })).content;
    expect(await inside(`${workspace}/*`)).toContain(`hint: Give path ${workspace} and pattern *.`);
    expect(await inside('src/../*.ts')).toContain(`hint: Give path ${workspace} and pattern *.ts.`);
    expect(await inside('../../*')).not.toContain('Give path');
    expect(records[0]).toMatchObject({ decision: 'deny', detail: { kind: 'file', operation: 'glob', path: '.' } });
    expect((await toolkit.execute('file_glob', { pattern: '*', path: '/etc' })).content).toMatch(/^Access denied: /);
  });
});

describe('file_grep', () => {
  it('gives lines, those around them, and says how to go on', async () => {
    file('a.txt', 'one\nhit\nthree\nfour\nfive\nhit\n');
    file('b.txt', 'hit\n');
    const toolkit = await make();
    const search = async (args: object) =>
      (await toolkit.execute('file_grep', { pattern: 'hit', path: 'area', ...args })).content;
    expect(await search({})).toBe(
      'Found 3 matches in 2 files.\narea/a.txt:2: hit\narea/a.txt:6: hit\narea/b.txt:1: hit',
    );
    expect(await search({ limit: 2 })).toBe(
      'Found 3 matches in 2 files; showing 1-2.\narea/a.txt:2: hit\narea/a.txt:6: hit\n' +
        '[More: file_grep {"pattern":"hit","path":"area","limit":2,"offset":2} (1 match left).]',
    );
    expect(await search({ pattern: `(hit|${'x'.repeat(400)})`, limit: 2 })).toMatch(
      /\n\[More: the same call of file_grep with \{"offset":2\} \(1 match left\)\.\]$/,
    );
    expect(await search({ offset: 2 })).toBe('Found 3 matches in 2 files; showing 3-3.\narea/b.txt:1: hit');
    expect(await search({ offset: 9 })).toBe(
      'Found 3 matches in 2 files; offset 9 is past the last of them, give a smaller one.',
    );
    expect(await search({ context: 1, glob: 'a.*' })).toBe(
      [
        'Found 2 matches in 1 file.',
        ...['area/a.txt-1- one', 'area/a.txt:2: hit', 'area/a.txt-3- three', '--'],
        ...['area/a.txt-5- five', 'area/a.txt:6: hit'],
      ].join('\n'),
    );
    expect(await search({ mode: 'files' })).toBe('Found 2 files with 3 matches.\narea/a.txt\narea/b.txt');
    expect(await search({ mode: 'count', limit: 1 })).toBe(
      'Found 2 files with 3 matches; showing 1-1.\narea/a.txt: 2\n' +
        '[More: file_grep {"pattern":"hit","path":"area","mode":"count","limit":1,"offset":1} (1 file left).]',
    );
    expect(await search({ pattern: 'HIT' })).toBe('No matches in 2 files.');
    expect(await search({ pattern: 'HIT', ignore_case: true })).toMatch(/^Found 3 matches/);
    expect(await search({ glob: '*.md' })).toMatch(/^No file was searched: check path and glob/);
  });

  it('says to go on where a result is full', async () => {
    file('long.txt', `hit ${'x'.repeat(90)}\n`.repeat(100));
    const toolkit = await make({ limits: { resultChars: 1_000 } });
    const pages: number[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const { content }: { content: string } = await toolkit.execute('file_grep', { pattern: 'hit', offset });
      expect(content.length).toBeLessThanOrEqual(1_000);
      pages.push(...[...content.matchAll(/^area\/long\.txt:(\d+): /gm)].map(([, line]) => Number(line)));
      const next: string | undefined = /^\[More: file_grep .*"offset":(\d+)/m.exec(content)?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(pages).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });

  it.each([
    ['long lines', 'word '.repeat(180).trim(), 0],
    ['Chinese', '数据库连接超时'.repeat(140), 0],
    ['much context', 'some words of context; '.repeat(8).trim(), 20],
  ])('is within small readTokens too: %s', async (_name, line, context) => {
    file('small.txt', `${line}\n`.repeat(25) + `hit ${line}\n`.repeat(3) + `${line}\n`.repeat(25));
    for (const readTokens of [100, 500]) {
      const toolkit = await make({ limits: { readTokens } });
      const args = { path: 'area/small.txt', pattern: 'hit', context };
      const { content } = await toolkit.execute('file_grep', args);
      const shown = content.split('\n').filter((row) => row.startsWith('area/'));
      expect(estimateTokens(shown.join('\n'))).toBeLessThanOrEqual(readTokens + 1);
      expect(content).toMatch(/^area\/small\.txt:26: hit/m);
      expect(content).toMatch(/\[More: .*"offset":[12]\D.* \([12] match(es)? left\)\.\]$/);
      const cut = /^\[More: file_read (\{.*\}) \(the whole line\)\.\]$/m.exec(content);
      const isWhole = content.includes(`:26: hit ${line}\n`);
      expect(cut === null, content).toBe(isWhole);
      if (cut !== null) expect(JSON.parse(cut[1] ?? '')).toEqual({ path: 'area/small.txt', offset: 26, limit: 1 });
    }
  });

  it('shows no protected file, no secret and nothing outside', async () => {
    file('.env', 'TOKEN_A=1\n');
    file('a.txt', 'TOKEN_A password=hunter2-hunter2\n');
    symlinkSync('/etc', path.join(workspace, 'area/etc'));
    const { toolkit, records } = await audited();
    const found = await toolkit.execute('file_grep', { pattern: 'TOKEN_A|root', hidden: true, ignored: true });
    expect(found.content).toBe(
      'Found 1 match in 1 file. 1 protected file skipped. 1 secret masked.\n' +
        'area/a.txt:1: TOKEN_A password=[REDACTED]',
    );
    expect(records).toMatchObject([
      { decision: 'allow', redactions: 1, detail: { operation: 'grep', status: 'done' } },
    ]);
    expect((await toolkit.execute('file_grep', { pattern: 'hunter2' })).content).toMatch(/^No matches in \d+ file/);
    const named = await toolkit.execute('file_grep', { pattern: 'TOKEN', path: 'area/.env' });
    expect(named.content).toMatch(/^Search denied: area\/\.env is protected \(rule secrets\.dotenv\)\nhint: /);
    // The guard is what keeps it away.
    const open = await makeFrom({
      workspace,
      terminal: { allow: ['echo'] },
      files: { readBlocklist: 'none' },
    });
    const all = await open.execute('file_grep', { pattern: 'TOKEN_A', hidden: true });
    expect(all.content).toContain('area/.env:1: TOKEN_A');
  });

  it('refuses what is no pattern, with what is', async () => {
    file('a.txt', 'call(x\n');
    const toolkit = await make();
    const refused = await toolkit.execute('file_grep', { pattern: 'call(x' });
    expect(refused).toMatchObject({ isError: true, data: { refusal: { code: 'invalid_pattern' } } });
    expect(refused.content).toBe(
      'The pattern call(x is no regular expression: unclosed group (at character 5)\n' +
        'hint: To search for it literally: call\\(x',
    );
    expect((await toolkit.execute('file_grep', { pattern: 'call\\(x' })).content).toContain('area/a.txt:1: call(x');
    expect(await toolkit.execute('file_grep', { pattern: 'x', mode: 'all' })).toMatchObject({
      isError: true,
      data: { refused: 'invalid_arguments' },
    });
  });

  it('searches what a shortened output names', async () => {
    const toolkit = await make({ limits: { resultTokens: 200 } });
    const { content } = await toolkit.execute('terminal_run', { command: 'seq 1 20000' });
    const [, spill] = /\bin (\/\S+?)\]?$/m.exec(content) ?? [];
    expect(spill, content).toBeDefined();
    const found = await toolkit.execute('file_grep', { pattern: '^1234.$', path: spill });
    expect(found.content.split('\n')[0]).toBe('Found 10 matches in 1 file.');
    expect(found.content).toContain(`${spill}:12345: 12345`);
    const large = await toolkit.execute('terminal_run', { command: 'seq 1 2000000' });
    const [, whole] = /\bin (\/\S+?)\]?$/m.exec(large.content) ?? [];
    const last = await toolkit.execute('file_grep', { pattern: '^199999[89]$', path: whole });
    expect(last.content).toContain(`${whole}:1999999: 1999999`);
    expect(await toolkit.execute('file_read', { path: whole, offset: 1_999_999 })).toMatchObject({
      isError: false,
      data: { totalLines: 2_000_000, bytes: 14_888_896 },
    });
    const folder = path.dirname(spill ?? '');
    for (const place of [folder, `${folder}/`, `${folder}/.`, `${folder}/..`]) {
      const other = await toolkit.execute('file_grep', { pattern: '1', path: place });
      expect(other, place).toMatchObject({ isError: true, data: { refusal: { code: 'outside_root' } } });
    }
    expect(readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())).toEqual([]);
  });
});

describe('Files', () => {
  it('searches a read-only root, and rejects mistakes of the program', async () => {
    file('a.ts', 'Hit\n');
    await using files = new Files({ roots: [{ path: path.join(workspace, 'area'), mode: 'ro' }] });
    expect(await files.glob('*.ts')).toMatchObject({ ok: true, paths: ['a.ts'], total: 1 });
    expect(await files.grep('hit', { ignoreCase: true })).toMatchObject({
      ok: true,
      files: [{ path: 'a.ts', matches: 1, lines: [{ line: 1, text: 'Hit', match: true }] }],
      skipped: { protected: 0, binary: 0, large: 0, unreadable: 0 },
    });
    const wrong = { name: 'HandrailError', code: 'ERR_INVALID_ARGUMENT' };
    await expect(files.grep('x', { limit: 10_001 })).rejects.toMatchObject(wrong);
    await expect(files.grep('x', { context: 21 })).rejects.toMatchObject(wrong);
    await expect(files.grep(1 as never)).rejects.toMatchObject(wrong);
    await expect(files.glob('x', { depth: 1 } as never)).rejects.toMatchObject(wrong);
    await expect(files.grep('x', { mode: 'all' as never })).rejects.toMatchObject(wrong);
    await expect(files.grep('x', { limit: 10_000, context: 20 })).resolves.toMatchObject({ ok: true });
    expect(await files.grep('\ud800')).toMatchObject({ ok: false, refusal: { code: 'invalid_pattern' } });
    expect(await files.glob('*', { path: '..' })).toMatchObject({ ok: false, refusal: { code: 'outside_root' } });
  });
});
