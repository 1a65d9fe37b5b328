/** `handrail audit verify` finds each line of an audit file that was changed, removed, added or moved. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditFile } from '../../ts/audit/audit-file.js';
import { type Link, linkedLine, linkOf, MAX_LINK_BYTES, sha256 } from '../../ts/audit/chain.js';
import type { AuditRecord } from '../../ts/audit/record.js';
import { checkChain } from '../../ts/cli/audit-chain.js';
import { auditLines } from '../../ts/cli/audit-records.js';
import { createToolkit } from '../../ts/index.js';
import { handrail, startNode } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-chain-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
const newFile = (): string => path.join(folder, `${++made}.jsonl`);

function recordOf(name: string): AuditRecord {
  return {
    ...{ id: name, tool: 'own', startedAt: '2026-11-25T14:02:11.000Z', durationMs: 1, isError: false, contentChars: 3 },
    ...{ decision: 'allow', rules: [], redactions: 0, detail: { kind: 'custom', status: 'done' } },
  };
}

function written(...names: readonly string[]): string {
  const file = newFile();
  using audit = new AuditFile(file, [], 'the file');
  for (const name of names) audit.add(recordOf(name));
  return file;
}

/** The lines of a file, each with its line feed. */
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split(/(?<=\n)/);

/** What is found in a file of these lines. */
function problemOf(lines: readonly (string | Buffer)[]) {
  const file = path.join(folder, 'tampered.jsonl');
  writeFileSync(file, Buffer.concat(lines.map((line) => Buffer.from(line))));
  return checkChain(file).problem;
}

const SIX = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** A line that names the bytes of these lines, which begin at a byte of the file. */
function lineAfter(name: string, from: number, ...named: readonly string[]): string {
  const bytes = Buffer.from(named.join(''));
  return `${linkedLine(recordOf(name), { from, to: from + bytes.length, prevHash: sha256(bytes) })}\n`;
}

describe('the chain of an audit file', () => {
  it('names the line before as it stands, and nothing in the first line', () => {
    const lines = linesOf(written(...SIX));
    for (const [index, line] of lines.entries()) {
      const before = lines[index - 1] ?? '';
      expect(linkOf(Buffer.from(line.trimEnd()))).toMatchObject({ prevHash: sha256(before), isWhole: true });
      expect(JSON.parse(line)).toMatchObject(recordOf(SIX[index] ?? ''));
    }
  });

  it('goes on where another process has written, and where there was no chain yet', () => {
    const file = newFile();
    const old = ['{"tool":"of an older release"}\n', 'damaged\n'];
    writeFileSync(file, old.join(''));
    for (const name of ['a', 'b', 'c']) {
      using audit = new AuditFile(file, [], 'the file');
      audit.add(recordOf(name));
    }
    const lines = linesOf(file);
    expect(checkChain(file)).toEqual({
      ...{ lines: 5, chainFrom: 3, unconfirmed: 1, problem: null },
      lastHash: sha256(lines.at(-1) ?? ''),
    });
    expect(problemOf(lines.with(0, '{"tool":"of an older Release"}\n'))).toEqual({ line: 1, what: 'unlike' });
    expect(problemOf(lines.slice(1))).toEqual({ line: 1, what: 'unlike' });
    expect(problemOf(old)).toBeNull();
  });

  it('reaches back as far as a link may, and lets older lines be', () => {
    const file = newFile();
    const long = `${'x'.repeat(MAX_LINK_BYTES - 1)}\n`;
    writeFileSync(file, `old\n${long}`);
    using audit = new AuditFile(file, [], 'the file');
    for (const name of SIX) audit.add(recordOf(name));
    expect(checkChain(file)).toMatchObject({ lines: 8, chainFrom: 3, problem: null });
    const [old, , ...rest] = linesOf(file);
    expect(problemOf(['Old\n', long, ...rest])).toBeNull();
    expect(problemOf([old ?? '', `y${long.slice(1)}`, ...rest])).toEqual({ line: 2, what: 'unlike' });
    const tooLong: Link = { from: 3, to: 4 + long.length, prevHash: sha256(`\n${long}`) };
    expect(problemOf([old ?? '', long, `${linkedLine(recordOf('a'), tooLong)}\n`])?.what).toBe('unlike');
  });

  it('begins a line of its own after one that a crash cut short', () => {
    const file = written('a', 'b');
    appendFileSync(file, '{"tool":"ow');
    using audit = new AuditFile(file, [], 'the file');
    expect(checkChain(file).problem).toEqual({ line: 3, what: 'unlinked' });
    audit.add(recordOf('c'));
    audit.add(recordOf('d'));
    expect(checkChain(file)).toMatchObject({ lines: 5, problem: null });
  });

  it('shows that lines were cut off while a process wrote', () => {
    const file = newFile();
    using audit = new AuditFile(file, [], 'the file');
    for (const name of SIX) audit.add(recordOf(name));
    truncateSync(file, linesOf(file).slice(0, 3).join('').length);
    audit.add(recordOf('g'));
    audit.add(recordOf('h'));
    expect(checkChain(file).problem).toEqual({ line: 4, what: 'follows' });
  });

  it('holds when two look at one moment, as whoever writes next names the lines of both', () => {
    const first = lineAfter('a', 0);
    const [b, c] = [lineAfter('b', 0, first), lineAfter('c', 0, first)];
    const next = lineAfter('d', first.length, b, c);
    expect(problemOf([first, b, c, next])).toBeNull();
    expect(problemOf([first, c, b, next])).toEqual({ line: 2, what: 'unlike' });
    expect(problemOf([first, b, next])?.line).toBe(3);
    expect(problemOf([first, c, next])?.line).toBe(3);
    // Nobody has written yet: both are at the end.
    const file = newFile();
    writeFileSync(file, [first, b, c].join(''));
    expect(checkChain(file)).toMatchObject({ problem: null, unconfirmed: 2 });
  });

  it('holds over the lines of several processes that write at the same time', async () => {
    const file = newFile();
    const workspace = mkdtempSync(path.join(folder, 'work-'));
    const program = `import { createToolkit } from ${JSON.stringify(path.join(REPOSITORY, 'dist/index.js'))};
      const toolkit = await createToolkit(${JSON.stringify({ workspace, audit: { file } })});
      for (let count = 0; count < 100; count++) await toolkit.execute('none', {});
      await toolkit.close();`;
    const processes = Array.from({ length: 4 }, () => startNode(['--input-type=module', '-e', program]).ended);
    for (const { code, stderr } of await Promise.all(processes))
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(checkChain(file)).toMatchObject({ chainFrom: 1, problem: null });
    const lines = linesOf(file);
    expect(lines.filter((line) => line !== '\n')).toHaveLength(400);
    for (const index of [0, 100, 250, 380]) {
      expect(problemOf(lines.toSpliced(index, 1))).not.toBeNull();
      expect(problemOf(lines.toSpliced(index, 2, lines[index + 1] ?? '', lines[index] ?? ''))).not.toBeNull();
    }
  });
});

describe('the check of a chain', () => {
  it('names the line of every edit of any byte', () => {
    const file = written(...SIX);
    const lines = linesOf(file).map((line) => Buffer.from(line));
    for (const [index, line] of lines.entries()) {
      for (let at = 0; at < line.length; at++) {
        for (const change of [0x01, 0x20, 0x80]) {
          const edited = Buffer.from(line);
          edited[at] = (line[at] ?? 0) ^ change;
          expect(problemOf(lines.with(index, edited))?.line, `${index + 1}:${at}^${change}`).toBe(index + 1);
        }
        const shorter = Buffer.concat([line.subarray(0, at), line.subarray(at + 1)]);
        const longer = Buffer.concat([line.subarray(0, at), Buffer.from(' '), line.subarray(at)]);
        expect(problemOf(lines.with(index, shorter))?.line, `${index + 1}:${at} removed`).toBe(index + 1);
        expect(problemOf(lines.with(index, longer))?.line, `${index + 1}:${at} added`).toBe(index + 1);
      }
    }
  });

  it('names the line of a text that was changed with its own hash, unless it is the last', () => {
    const lines = linesOf(written(...SIX));
    for (const [index, line] of lines.entries()) {
      const link = linkOf(Buffer.from(line.trimEnd()));
      if (link === undefined) throw new Error('it has no link');
      const found = problemOf(lines.with(index, `${linkedLine(recordOf('z'), link)}\n`));
      expect(found).toEqual(index === 5 ? null : { line: index + 1, what: 'unlike' });
    }
  });

  it('names where lines were removed, unless they were the last', () => {
    const lines = linesOf(written(...SIX));
    for (let first = 0; first < 6; first++) {
      for (let count = 1; first + count <= 6; count++) {
        const found = problemOf(lines.toSpliced(first, count));
        expect(found).toEqual(first + count === 6 ? null : { line: first + 1, what: 'follows' });
      }
    }
  });

  it('names the first of two lines that changed places, and of lines that were moved', () => {
    const lines = linesOf(written(...SIX));
    for (let first = 0; first < 6; first++) {
      for (let second = first + 1; second < 6; second++) {
        const swapped = lines.with(first, lines[second] ?? '').with(second, lines[first] ?? '');
        expect(problemOf(swapped)?.line).toBe(first + 1);
        const moved = lines.toSpliced(first, 1).toSpliced(second, 0, lines[first] ?? '');
        expect(problemOf(moved)?.line).toBe(first + 1);
      }
    }
  });

  it('names a line that was added, one that was there before and one that is forged', () => {
    const lines = linesOf(written(...SIX));
    for (let at = 0; at <= 6; at++) {
      expect(problemOf(lines.toSpliced(at, 0, `${JSON.stringify(recordOf('z'))}\n`))).not.toBeNull();
      expect(problemOf(lines.toSpliced(at, 0, 'x\n'))?.line).toBe(at + 1);
      expect(problemOf(lines.toSpliced(at, 0, '\n'))?.line).toBe(at < 5 ? at + 1 : undefined);
      // With a link as its writer would make it, it is like the line of another process: what follows shows it.
      const before = lines.slice(0, at).join('');
      const forged = lineAfter('z', before.length - (lines[at - 1] ?? '').length, lines[at - 1] ?? '');
      const found = problemOf(lines.toSpliced(at, 0, forged));
      expect(found?.line).toBe(at < 5 ? at + 1 : undefined);
    }
  });

  it('is what finds them: who only reads the records sees none of it', async () => {
    const lines = linesOf(written(...SIX));
    const changed = lines.map((line) => line.replace('"allow"', '"deny"'));
    const file = newFile();
    for (const tampered of [changed, lines.toSpliced(2, 1), lines.toReversed()]) {
      writeFileSync(file, tampered.join(''));
      const read: (AuditRecord | undefined)[] = [];
      for await (const { record } of auditLines(file)) read.push(record);
      expect(read).not.toContain(undefined);
      expect(checkChain(file).problem).not.toBeNull();
    }
  });
});

describe('handrail audit verify', () => {
  it('says that a chain holds, and what it cannot see', async () => {
    const file = written(...SIX);
    const { code, stdout, stderr } = await handrail('audit', 'verify', file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      `6 lines, a chain from line 1 on: it holds; the last has the hash ${sha256(linesOf(file).at(-1) ?? '')}\n` +
        'This cannot see that lines were cut off at the end, or that the owner of the file has written it anew: keep the ' +
        'number and the hash of the last line elsewhere to see that.\n',
    );
    expect(JSON.parse((await handrail('audit', 'verify', '--json', file)).stdout)).toEqual(checkChain(file));
  });

  it('names the first line with which something is wrong, and exits with 1', async () => {
    const file = written(...SIX);
    writeFileSync(file, linesOf(file).toSpliced(3, 1).join(''));
    const { code, stdout } = await handrail('audit', 'verify', file);
    expect(code).toBe(1);
    expect(stdout).toBe('line 4: what it was written after is not before it: lines were removed, or it was moved\n');
  });

  it('says from which line on there is a chain, and where there is none', async () => {
    const file = newFile();
    writeFileSync(file, `${JSON.stringify(recordOf('old'))}\n`);
    const none = await handrail('audit', 'verify', file);
    expect(none).toMatchObject({ code: 0, stdout: '1 line, none of a chain: nothing can be said of them\n' });
    using audit = new AuditFile(file, [], 'the file');
    audit.add(recordOf('a'));
    const { stdout } = await handrail('audit', 'verify', file);
    expect(stdout).toMatch(/^2 lines, a chain from line 2 on; what stands before it is older: it holds; the last has /);
    writeFileSync(file, '');
    expect(await handrail('audit', 'verify', file)).toMatchObject({ code: 0, stdout: 'no lines\n' });
  });

  it('leaves the records that `audit --json` prints as they were', async () => {
    const file = newFile();
    const workspace = mkdtempSync(path.join(folder, 'work-'));
    await using toolkit = await createToolkit({ workspace });
    const records: AuditRecord[] = [];
    toolkit.on('call', (record) => records.push(record));
    using audit = new AuditFile(file, [], 'the file');
    toolkit.on('call', audit.add);
    await toolkit.execute('file_list', { path: '.' });
    const { stdout } = await handrail('audit', '--json', file);
    expect(JSON.parse(stdout)).toEqual(records[0]);
  });

  it.each([
    ['two files', ['a', 'b'], /verify takes one file$/],
    ['a filter', ['--tool', 'own', 'a'], /verify looks at every line: it takes no option but --json$/],
    ['a file that is not there', ['/none'], /\/none cannot be read \(ENOENT\)$/],
    ['a device', ['/dev/null'], /\/dev\/null is no regular file$/],
    ['a folder', ['/tmp'], /\/tmp is no regular file$/],
  ])('refuses %s', async (_name, args, problem) => {
    const { code, stderr } = await handrail('audit', 'verify', ...args);
    expect(code).toBe(125);
    expect(stderr.split('\n')[0]).toMatch(problem);
  });
});
