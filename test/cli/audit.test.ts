/** `handrail audit` reads what a toolkit has recorded, and nothing in a file reaches the terminal as it is. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../ts/audit/record.js';
import { auditFilter } from '../../ts/cli/audit-filter.js';
import { createToolkit, Terminal } from '../../ts/index.js';
import { handrail, runCommandLine } from '../support/cli.js';

const RECORD = {
  ...{ id: '1', tool: 'terminal_run', startedAt: '2026-11-25T14:02:11.000Z', durationMs: 12.4, isError: false },
  ...{ contentChars: 3, decision: 'allow', rules: [], redactions: 0 },
  detail: {
    ...{ kind: 'command', status: 'exited', command: 'git status', program: 'git', exitCode: 0, signal: null },
    ...{ bytes: { stdout: 0, stderr: 0, kept: 0, omitted: 0 }, sandbox: [], endedProcesses: 0, survivors: 0 },
  },
};
const record = (change: object, detail: object = {}) => ({
  ...RECORD,
  ...change,
  detail: { ...RECORD.detail, ...detail },
});
const SESSION = { detail: { kind: 'session', operation: 'send', session: 's1', status: 'quiet', input: 'make' } };

const CALLS: readonly object[] = [
  record({}),
  record({ decision: 'deny', isError: true, rules: ['list.not_allowed'] }, { command: 'rm -rf /', status: 'denied' }),
  record({ startedAt: '2026-11-26T09:00:00.000Z', decision: 'ask', redactions: 2 }, { cwd: 'sub' }),
  { ...RECORD, tool: 'session_send', ...SESSION },
  { ...RECORD, tool: 'file_read', detail: { kind: 'file', operation: 'read', path: 'a.txt', status: 'done' } },
  { ...RECORD, tool: 'own', isError: true, detail: { kind: 'custom', status: 'timed_out' } },
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-audit-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(...lines: readonly (object | string)[]): string {
  const name = path.join(folder, 'calls.jsonl');
  writeFileSync(name, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return name;
}

const UTC = { env: { TZ: 'UTC' } };

describe('handrail audit', () => {
  it('prints a line for each call below its day', async () => {
    const { code, stdout, stderr } = await runCommandLine(['audit', file(...CALLS)], UTC);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      '2026-11-25',
      '14:02:11  allow  terminal_run   git status  → exit 0 in 12 ms',
      '14:02:11  deny   terminal_run   rm -rf /  → denied: list.not_allowed in 12 ms',
      '2026-11-26',
      '09:00:00  ask    terminal_run   git status (in sub)  → exit 0 in 12 ms, 2 masked',
      '2026-11-25',
      '14:02:11  allow  session_send   s1: make  → quiet in 12 ms',
      '14:02:11  allow  file_read      a.txt  → done in 12 ms',
      '14:02:11  allow  own            → timed out in 12 ms',
      '',
    ]);
  });

  it.each([
    [
      ['--tool', 'file_read,own'],
      ['file_read', 'own'],
    ],
    [
      ['--decision', 'deny,ask'],
      ['terminal_run', 'terminal_run'],
    ],
    [['--session', 's1'], ['session_send']],
    [['--since', '2026-11-26'], ['terminal_run']],
    [['--until', '2026-11-25T14:02:11Z'], []],
    [['--since', '2026-11-25T14:02:11Z', '--until', '2026-11-26T00:00Z', '--tool', 'own'], ['own']],
  ])('shows what %j asks for', async (options, tools) => {
    const { code, stdout } = await runCommandLine(['audit', ...options, '--json', file(...CALLS)], UTC);
    const shown = stdout.split('\n').filter((line) => line !== '');
    expect(shown.map((line) => (JSON.parse(line) as AuditRecord).tool)).toEqual(tools);
    expect(code).toBe(0);
  });

  it('takes times that people say', () => {
    const now = new Date(2026, 10, 26, 12, 0).getTime();
    const accepts = (since: string, at: Date) => {
      const line = { flags: new Set<string>(), values: new Map([['since', [since]]]), words: [], sources: new Map() };
      return auditFilter(line, now)({ ...RECORD, startedAt: at.toISOString() } as unknown as AuditRecord);
    };
    for (const [since, first] of [
      ['today', new Date(2026, 10, 26)],
      ['yesterday', new Date(2026, 10, 25)],
      ['2026-11-24', new Date(2026, 10, 24)],
      ['90m', new Date(2026, 10, 26, 10, 30)],
      ['2d', new Date(2026, 10, 24, 12, 0)],
    ] as const) {
      expect(accepts(since, first)).toBe(true);
      expect(accepts(since, new Date(first.getTime() - 1))).toBe(false);
    }
  });

  it('masks once more and escapes controls, in lines and in JSON', async () => {
    const attack = 'echo \u001b[2J\u001b]0;x\u0007\u009b1A\u202e\nforged token=hunter2hunter2';
    const planted = file(
      record({ tool: 'own\u001b[1A', rules: ['\u001b[31m'], decision: 'deny' }, { command: attack }),
      record({}, { status: 'done\r\u001b[K', kind: '\u009b' }),
    );
    for (const options of [[], ['--json']]) {
      const { stdout } = await runCommandLine(['audit', ...options, planted], UTC);
      expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
      expect(stdout).not.toContain('hunter2');
      expect(stdout).toContain('[REDACTED]');
    }
    const { stdout } = await runCommandLine(['audit', '--json', planted], UTC);
    expect((JSON.parse(stdout.split('\n')[0] ?? '') as AuditRecord).tool).toBe('own\u001b[1A');
    expect((await runCommandLine(['audit', planted], UTC)).stdout.split('\n')).toHaveLength(4);
  });

  it('shows what a reader without guards would let act on a terminal', () => {
    const attack = 'echo \u001b[2J\nforged token=hunter2hunter2';
    // The line of a reader that prints texts as they are.
    const { detail, decision } = JSON.parse(JSON.stringify(record({}, { command: attack }))) as AuditRecord;
    const line = `${decision} ${detail.kind === 'command' ? detail.command : ''}`;
    expect(line.split('\n')).toEqual(['allow echo \u001b[2J', 'forged token=hunter2hunter2']);
  });

  it.each<[string, object]>([
    ['no command', { command: undefined }],
    ['an object for a command', { command: { toString: 1 } }],
    ['an object for a code', { exitCode: { toString: 1 } }],
    ['a list for a directory', { cwd: ['a'] }],
    ['an object for a signal', { status: 'signaled', signal: {} }],
    ['a file without a path', { kind: 'file' }],
    ['a message without a recipient', { kind: 'message' }],
    ['a call of a server without its name', { kind: 'mcp', tool: 'a' }],
    ['a number for a session', { kind: 'session', session: 7 }],
  ])('takes a record with %s for a damaged line, and goes on', async (_name, detail) => {
    const { code, stdout, stderr } = await runCommandLine(['audit', file(record({}, detail), RECORD)], UTC);
    expect(stdout.split('\n').filter((line) => line.includes('git status'))).toHaveLength(1);
    expect(stderr).toMatch(/^handrail: 1 line is damaged and left out: line 1 of /);
    expect(code).toBe(1);
  });

  it.each(['constructor', 'toString', '__proto__', 'future'])('shows a record of the unknown kind %s', async (kind) => {
    const { code, stdout } = await runCommandLine(['audit', file(record({}, { kind, status: 'done' }))], UTC);
    expect(stdout).toContain('allow  terminal_run   → done in 12 ms');
    expect(code).toBe(0);
  });

  it('is not written to by the commands that it records, which forge lines without the guard', async () => {
    const workspace = mkdtempSync(path.join(folder, 'forging-'));
    const calls = path.join(mkdtempSync(path.join(folder, 'kept-')), 'calls.jsonl');
    const forged = JSON.stringify(record({}, { command: 'git push' }));
    const command = ['tee', '-a', calls];
    const terminal = { allow: ['tee', 'ln'] };
    const lines = () => readFileSync(calls, 'utf8').split('\n').length - 1;
    {
      await using toolkit = await createToolkit({ workspace, terminal, audit: { file: calls } });
      await toolkit.execute('terminal_run', { command: `tee -a ${calls}` });
      const direct = await toolkit.terminal.run(command, { stdin: `${forged}\n` });
      expect(direct.ok).toBe(false);
      expect((await toolkit.terminal.run(['ln', calls, 'link'])).ok).toBe(false);
      expect(lines()).toBe(1);
    }
    await using unguarded = new Terminal({ ...terminal, roots: [workspace], sandbox: 'off' });
    await unguarded.run(command, { stdin: `${forged}\n` });
    expect((await handrail('audit', calls)).stdout).toContain('git push');
  });

  it('counts and names damaged lines, and shows the others', async () => {
    const half = JSON.stringify(RECORD).slice(0, 90);
    const damaged = file(
      RECORD,
      half,
      '',
      '[]',
      record({ startedAt: 'soon' }),
      record({ decision: 'maybe' }),
      RECORD,
      'x'.repeat(1_048_577),
      half,
    );
    const { code, stdout, stderr } = await runCommandLine(['audit', damaged], UTC);
    expect(code).toBe(1);
    expect(stdout.split('\n').filter((line) => line.includes('git status'))).toHaveLength(2);
    expect(stderr).toMatch(/^handrail: 6 lines are damaged and left out: lines 2, 4, 5, 6, 8, 9 of /);
    const single = await handrail('audit', file(half));
    expect(single.stderr).toMatch(/^handrail: 1 line is damaged and left out: line 1 of /);
    const many = await handrail('audit', file(...Array.from({ length: 12 }, () => half)));
    expect(many.stderr).toMatch(/12 lines are damaged and left out: lines 1, 2, .*, 10 and 2 more of /);
  });
});

describe('the option `audit: { file }`', () => {
  it('makes the file, for its owner only, adds to it, and its lines are read', async () => {
    const workspace = path.join(folder, 'work');
    mkdirSync(workspace);
    const calls = path.join(folder, 'made.jsonl');
    for (const command of ['echo one', 'rm two']) {
      await using toolkit = await createToolkit({ workspace, terminal: { allow: ['echo'] }, audit: { file: calls } });
      await toolkit.execute('terminal_run', { command });
    }
    expect(statSync(calls).mode & 0o777).toBe(0o600);
    expect(readFileSync(calls, 'utf8').split('\n')).toHaveLength(3);
    const { code, stdout } = await handrail('audit', calls);
    expect(code).toBe(0);
    expect(stdout).toMatch(/ allow {2}terminal_run {3}echo one {2}→ exit 0 in /);
    expect(stdout).toMatch(/ deny {3}terminal_run {3}rm two {2}→ denied: list\.not_allowed in /);
  });

  it.each([
    ['a file that commands write to', () => ({ file: path.join(folder, 'root/calls') }), /lies where the tools write/],
    ['a folder that is not there', () => ({ file: '/nowhere/calls' }), /`audit\.file` cannot be written \(ENOENT\)/],
    ['no file', () => ({ file: '' }), /audit\.file/],
    ['an unknown key', () => ({ file: path.join(folder, 'a'), append: true }), /append/],
  ])('refuses %s', async (_name, audit, problem) => {
    const workspace = path.join(folder, 'root');
    mkdirSync(workspace, { recursive: true });
    const made = createToolkit({ workspace, audit: audit() });
    await expect(made).rejects.toThrow(problem);
    await expect(made).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });

  it('refuses a file where commands write everywhere', async () => {
    const options = {
      workspace: folder,
      terminal: { confine: { writes: 'any' } },
      audit: { file: '/var/tmp/calls' },
    } as const;
    await expect(createToolkit(options)).rejects.toThrow(/does not go with/);
  });
});
