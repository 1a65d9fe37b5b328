import { describe, expect, it } from 'vitest';
import { MAX_READY_MS } from '../../ts/mcp/limits.js';
import { Redactor } from '../../ts/redaction/redactor.js';
import { MAX_EXCERPT_TOKENS } from '../../ts/redaction/text.js';
import type { CommandResult } from '../../ts/report/result.js';
import { createToolkit, type Toolkit } from '../../ts/toolkit.js';
import { MAX_COMMAND_CHARS, MAX_RESULT_CHARS, MIN_RESULT_CHARS, MIN_RESULT_TOKENS } from '../../ts/tools/limits.js';
import type { ToolkitOptions } from '../../ts/tools/toolkit-options.js';
import { OWN_TOOLS, toolkits } from '../support/toolkits.js';

const { workspace, makeFrom, make, audited } = toolkits();

/** Looks like a key and is none. */
const FAKE_KEY = ['sk', 'a1B2c3D4e5F6g7H8i9J0'].join('-');

describe('createToolkit', () => {
  it.each<[string, unknown]>([
    ['no options', undefined],
    ['neither workspace nor roots', {}],
    ['both', { workspace: '/tmp', roots: ['/tmp'] }],
    ['an unknown option', { workspace: '/tmp', sandbox: 'off' }],
    ['a directory that is missing', { workspace: '/nonexistent/handrail' }],
    ['a file as workspace', { workspace: '/etc/hostname' }],
    ['no roots', { roots: [] }],
    ['a root that is missing', { roots: [{ path: '/nonexistent/handrail' }] }],
    ['a root that is no object', { roots: [null] }],
    ['terminal options of the toolkit', { workspace: '/tmp', terminal: { roots: ['/'] } }],
    ['an approver in the wrong place', { workspace: '/tmp', terminal: { approve: () => ({ approved: true }) } }],
    ['an unknown terminal option', { workspace: '/tmp', terminal: { alow: [] } }],
    ['a terminal that is no object', { workspace: '/tmp', terminal: 'off' }],
    ['a listener that is no function', { workspace: '/tmp', audit: {} }],
    ['a wait for servers below none', { workspace: '/tmp', mcpReadyMs: -1 }],
    ['a wait for servers that is too long', { workspace: '/tmp', mcpReadyMs: MAX_READY_MS + 1 }],
    ['too few characters', { workspace: '/tmp', limits: { resultChars: MIN_RESULT_CHARS - 1 } }],
    ['too few tokens of a file', { workspace: '/tmp', limits: { readTokens: MIN_RESULT_TOKENS - 1 } }],
    ['too many tokens of a file', { workspace: '/tmp', limits: { readTokens: MAX_EXCERPT_TOKENS + 1 } }],
    ['too many characters', { workspace: '/tmp', limits: { resultChars: MAX_RESULT_CHARS + 1 } }],
    ['an unknown limit', { workspace: '/tmp', limits: { chars: 1_000 } }],
    ['too many sessions', { workspace: '/tmp', limits: { sessions: 1_001 } }],
  ])('rejects %s', async (_name, options) => {
    await expect(createToolkit(options as ToolkitOptions)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });

  it('accepts the bounds themselves, several roots and a redactor of the host', async () => {
    await make({ limits: { resultChars: MIN_RESULT_CHARS } });
    await make({ limits: { resultChars: MAX_RESULT_CHARS } });
    await make({ limits: { readTokens: MIN_RESULT_TOKENS } });
    await make({ limits: { readTokens: MAX_EXCERPT_TOKENS } });
    const redactor = new Redactor({ rules: 'none' });
    const toolkit = await makeFrom({ roots: [workspace, { path: '/tmp', mode: 'ro' }], redaction: redactor });
    expect(toolkit.redactor).toBe(redactor);
  });

  it.each([
    ['nobody can give it', undefined, 'denied: This command needs approval and nobody here can give it (no_approver)'],
    ['somebody has not', () => ({ approved: false }), 'denied: This command was not approved (not_approved)'],
  ])('a refusal speaks of approval as the host has it: %s', async (_, approve, said) => {
    const toolkit = await make({ terminal: { allow: ['find'] }, ...(approve === undefined ? {} : { approve }) });
    const { content } = await toolkit.execute('terminal_run', { command: 'find . -delete' });
    const [first, ...rest] = content.split('\n');
    expect(first).toBe(said);
    expect(rest.join('\n')).toContain('hint: ');
    expect(rest.join('\n')).not.toMatch(/approv/i);
  });

  it('rejects a bad redaction pattern', async () => {
    await expect(make({ redaction: { patterns: ['('] } })).rejects.toMatchObject({ code: 'ERR_INVALID_PATTERN' });
  });
});

describe('definitions', () => {
  it('are the same for the same options', async () => {
    const [first, second] = [await make(), await make()];
    expect(JSON.stringify(first.definitions())).toBe(JSON.stringify(second.definitions()));
  });

  it('publish terminal_run with what may run and no argument that weakens a guard', async () => {
    const [definition, ...others] = (await make({ terminal: { allow: ['echo'], timeoutMs: 1_500 } })).definitions();
    expect([definition, ...others].map((tool) => tool?.name)).toEqual(OWN_TOOLS);
    expect(definition?.name).toBe('terminal_run');
    expect(definition?.description).toContain('Allowed programs: echo.');
    expect(definition?.parameters).toMatchObject({
      type: 'object',
      required: ['command'],
      additionalProperties: false,
    });
    expect(Object.keys(definition?.parameters.properties ?? {})).toEqual([
      ...['command', 'cwd', 'timeout_ms', 'wait_ms', 'background'],
    ]);
    expect(definition?.parameters.properties['timeout_ms']).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 1_500,
    });
  });
});

describe('execute', () => {
  it('runs an allowed command in the workspace', async () => {
    const result = await (await make()).execute('terminal_run', { command: 'pwd' });
    expect(result.isError).toBe(false);
    expect(result.content).toMatch(new RegExp(`^exit 0 in \\d+ ms\\n${workspace}$`));
    expect(result.data).toMatchObject({ status: 'exited', exitCode: 0, stdout: `${workspace}\n` });
  });

  it('denies a program that is not listed, with what would be allowed', async () => {
    const result = await (await make()).execute('terminal_run', { command: 'rm -rf .' });
    expect(result.isError).toBe(true);
    expect(result.content).toMatch(/^denied: .*\(list\.not_allowed\)/);
    expect(result.content).toContain('Allowed programs: echo, pwd, sleep, seq.');
    expect(result.data).toMatchObject({ status: 'denied' });
  });

  it('denies everything where nothing was allowed', async () => {
    const result = await (await make({ terminal: {} })).execute('terminal_run', { command: 'echo' });
    expect(result.content).toContain('No program is allowed.');
    expect(result.data).toMatchObject({ status: 'denied' });
  });

  it('denies what needs a shell', async () => {
    const result = await (await make()).execute('terminal_run', { command: 'echo a && echo b' });
    expect(result.content).toMatch(/^denied: .*\(syntax\.operator\)/);
  });

  it('denies a directory outside of the roots', async () => {
    const result = await (await make()).execute('terminal_run', { command: 'pwd', cwd: '..' });
    expect(result.data).toMatchObject({ status: 'denied' });
    expect(result.content).toContain('outside_root');
  });

  it("takes a deadline that is shorter than the host's, and refuses a longer one", async () => {
    const toolkit = await make({ terminal: { allow: ['sleep'], timeoutMs: 5_000, graceMs: 100 } });
    const short = await toolkit.execute('terminal_run', { command: 'sleep 600', timeout_ms: 100 });
    expect(short.content).toMatch(/^timed out after \d+ ms/);
    const long = await toolkit.execute('terminal_run', { command: 'sleep 600', timeout_ms: 5_001 });
    expect(long).toMatchObject({ isError: true, data: { refused: 'invalid_arguments' } });
    expect(long.content).toMatch(/^invalid arguments: timeout_ms: .*5000/);
  });

  it.each<[string, unknown, string | RegExp]>([
    [
      'nothing',
      {},
      'invalid arguments: missing argument: command\nexpected: { command: string, cwd?: string, timeout_ms?: integer, wait_ms?: integer, background?: boolean }',
    ],
    ['a switch', { command: 'echo', shell: true }, /^invalid arguments: unknown argument: shell\n/],
    ['NUL in a path', { command: 'echo', cwd: 'a\0b' }, /^invalid arguments: cwd: must not contain NUL\n/],
    ['a huge command', { command: 'x'.repeat(MAX_COMMAND_CHARS + 1) }, /^invalid arguments: command: /],
    ['a string', 'echo', /^invalid arguments: the arguments must be an object\n/],
  ])('refuses %s as arguments with text', async (_name, args, expected) => {
    const result = await (await make()).execute('terminal_run', args);
    expect(result.content).toMatch(expected);
    expect(result).toMatchObject({ isError: true, data: { refused: 'invalid_arguments' } });
  });

  it('says which tool is unknown, in short and without its secrets', async () => {
    const toolkit = await make();
    expect(await toolkit.execute('terminal_fly', {})).toEqual({
      content: `Unknown tool: terminal_fly\nTools: ${OWN_TOOLS.join(', ')}`,
      isError: true,
      data: { kind: 'refusal', refused: 'unknown_tool', problems: ['Unknown tool: terminal_fly'] },
    });
    expect((await toolkit.execute(FAKE_KEY, {})).content).not.toContain(FAKE_KEY);
    const [problem] = (await toolkit.execute('x'.repeat(1_000), {})).content.split('\n');
    expect(problem).toHaveLength('Unknown tool: '.length + 64);
  });

  it('masks secrets for the model and for programs', async () => {
    const result = await (await make()).execute('terminal_run', { command: `echo key ${FAKE_KEY}` });
    expect(result.content).toContain('[1 secret masked]');
    expect(JSON.stringify(result)).not.toContain(FAKE_KEY);
  });

  it('bounds what the model gets and counts what it does not', async () => {
    const result = await (await make({ limits: { resultChars: 1_000 } })).execute('terminal_run', {
      command: 'seq 1 100000',
    });
    expect(result.content.length).toBeLessThanOrEqual(1_000);
    expect(result.content).toContain('\n100000');
    const { bytes } = result.data as CommandResult;
    expect(bytes.stdout).toBe(588_895);
    expect(bytes.kept + bytes.omitted).toBe(588_895);
    const [, shown, total] = /^\[(\d+) of ([\d,]+) lines shown; all of them in \/.*\]$/m.exec(result.content) ?? [];
    const leftOut = [...result.content.matchAll(/^\[(\d+) lines?/gm)].map(([, count]) => Number(count));
    expect(total).toBe('100,000');
    expect(Number(shown) + leftOut.reduce((sum, count) => sum + count, 0)).toBe(100_000);
  });

  it('cancels with the signal of the call', async () => {
    const toolkit = await make();
    const end = new AbortController();
    const call = toolkit.execute('terminal_run', { command: 'sleep 600' }, { signal: end.signal });
    setTimeout(() => end.abort(), 50);
    expect((await call).content).toMatch(/^cancelled /);
  });

  it('streams output when asked', async () => {
    const chunks: string[] = [];
    const toolkit = await make();
    await toolkit.execute('terminal_run', { command: 'echo hello' }, { onOutput: ({ text }) => chunks.push(text) });
    expect(chunks.join('')).toBe('hello\n');
  });

  it.each<[string, unknown[]]>([
    ['a name that is no string', [7, {}]],
    ['an unknown key in the context', ['terminal_run', { command: 'echo' }, { timeout: 1 }]],
  ])('rejects %s: the program is at fault, not the model', async (_name, args) => {
    const toolkit = await make();
    const call = toolkit.execute(...(args as [string, unknown]));
    await expect(call).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
});

describe('close', () => {
  it('ends what runs, tells the audit, and rejects later calls', async () => {
    const { toolkit, records } = await audited();
    const call = toolkit.execute('terminal_run', { command: 'sleep 600' });
    setTimeout(() => void toolkit.close(), 50);
    expect((await call).content).toMatch(/^cancelled /);
    await toolkit.close();
    expect(records).toMatchObject([{ detail: { status: 'cancelled' } }]);
    await expect(toolkit.execute('terminal_run', { command: 'echo' })).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });

  it('happens by itself with await using', async () => {
    let kept: Toolkit;
    {
      await using toolkit = await createToolkit({ workspace });
      kept = toolkit;
    }
    await expect(kept.execute('terminal_run', {})).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });
});

describe('two toolkits in one process', () => {
  it('do not see each other', async () => {
    const first = await audited({ terminal: { allow: ['echo'] } });
    const second = await audited({ terminal: { allow: ['pwd'] } });
    await first.toolkit.execute('terminal_run', { command: 'pwd' });
    await second.toolkit.execute('terminal_run', { command: 'pwd' });
    expect(first.records).toMatchObject([{ detail: { status: 'denied' } }]);
    expect(second.records).toMatchObject([{ detail: { status: 'exited' } }]);
    await first.toolkit.close();
    expect((await second.toolkit.execute('terminal_run', { command: 'pwd' })).isError).toBe(false);
  });
});
