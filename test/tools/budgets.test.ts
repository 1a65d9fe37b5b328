/** No result costs a model more than its budget, whatever a tool finds, and what is left out is kept or can be read on. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryBus } from '../../ts/bus/memory.js';
import { defineTool } from '../../ts/index.js';
import { estimateTokens } from '../../ts/redaction/tokens.js';
import type { Toolkit } from '../../ts/toolkit.js';
import { CATALOGUE } from '../../ts/tools/catalogue.js';
import { DEFAULT_READ_TOKENS, DEFAULT_RESULT_TOKENS } from '../../ts/tools/limits.js';
import { nodeServer } from '../mcp/routers.js';
import { toolkits } from '../support/toolkits.js';

const { workspace, make } = toolkits();

/** The error of the estimate: a result may cost so much more than its budget. */
const ERROR = 0.15;
/** Characters of each text: far more than any result has. */
const CHARS = 150_000;

const noise = (part: number): Buffer => createHash('sha512').update(String(part)).digest();
const bytes = Buffer.concat(Array.from({ length: CHARS / 85 }, (_, part) => noise(part)));
const lines = (line: (index: number) => string): string => {
  const all: string[] = [];
  for (let chars = 0; chars < CHARS; chars += all.at(-1)?.length ?? 0) all.push(line(all.length));
  return `${all.join('\n')}\n`;
};

/** What a tool may come upon. */
const TEXTS: Readonly<Record<string, string>> = {
  base64: `${bytes.toString('base64')}\n`,
  'wrapped base64': `${bytes.toString('base64').replaceAll(/.{76}/g, '$&\n')}\n`,
  Chinese: lines((index) => `第${index}次构建失败：找不到模块，数据库连接超时，请稍后再试。`),
  'JSON on one line': `${JSON.stringify(
    Array.from({ length: CHARS / 60 }, (_, id) => ({
      id: id * 7919,
      name: `user${id}`,
      tags: ['a', `b${id}`],
      ok: id % 3 === 0,
    })),
  )}\n`,
  log: lines(
    (index) => `2024-05-07T12:00:33.${index}Z INFO worker[${index * 13}] GET /api/items/${index * 31} ${index % 97} ms`,
  ),
  colours: lines(
    (index) => `\u001b[0m\u001b[32mPASS\u001b[39m \u001b[2mtest/\u001b[22m\u001b[1m${index}.test.js\u001b[22m`,
  ),
};

const give = defineTool({
  name: 'give',
  description: 'Gives a file.',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => readFileSync(path.join(workspace, name), 'utf8'),
});

const OPTIONS = {
  terminal: { allow: ['cat'] },
  customTools: [give],
  chat: { agent: 'a', conversationId: 'c' },
} as const;

/** What a call costs, and the text of its result. */
async function cost(toolkit: Toolkit, tool: string, args: object): Promise<{ tokens: number; content: string }> {
  const { content, data } = await toolkit.execute(tool, args);
  expect(data.kind, content).not.toBe('refusal');
  return { tokens: estimateTokens(content), content };
}

/** For each tool the calls whose last result is as large as it gets, given the name of a file with the text, and its content. */
const CALLS: Readonly<Record<string, (name: string, text: string) => readonly (readonly [string, object])[]>> = {
  terminal_run: (name) => [['terminal_run', { command: `cat ${name}` }]],
  job_wait: (name) => [
    ['terminal_run', { command: `cat ${name} -`, background: true }],
    ['job_wait', { job: 'j1', until: { quiet_ms: 300 } }],
  ],
  job_read: (name) => [
    ['terminal_run', { command: `cat ${name} -`, background: true }],
    ['job_wait', { job: 'j1', until: { quiet_ms: 300 } }],
    ['job_read', { job: 'j1', since: 0 }],
  ],
  job_send: (name) => [
    ['terminal_run', { command: `cat ${name} -`, background: true }],
    ['job_send', { job: 'j1', input: 'line' }],
  ],
  job_end: (name) => [
    ['terminal_run', { command: `cat ${name} -`, background: true }],
    ['job_wait', { job: 'j1', until: { quiet_ms: 300 } }],
    ['job_end', { job: 'j1' }],
  ],
  job_list: (name) => [
    ['terminal_run', { command: `cat ${name} -`, background: true }],
    ['job_list', {}],
  ],
  session_start: (name) => [['session_start', { command: `cat ${name}` }]],
  session_send: (_name, text) => [
    ['session_start', { command: 'cat', timeout_ms: 0 }],
    ['session_send', { session: 's1', input: text.slice(0, 3_900) }],
  ],
  session_read: (name) => [
    ['session_start', { command: `cat ${name}`, timeout_ms: 0 }],
    ['session_read', { session: 's1' }],
  ],
  session_screen: (name) => [
    ['session_start', { command: `cat ${name}` }],
    ['session_screen', { session: 's1' }],
  ],
  session_close: (name) => [
    ['session_start', { command: `cat ${name} -`, timeout_ms: 0 }],
    ['session_close', { session: 's1' }],
  ],
  file_read: (name) => [
    ['file_read', { path: name, numbers: true }],
    ['file_read', { path: name, limit: 1_000_000 }],
  ],
  file_write: (name, text) => [['file_write', { path: `${name}.new`, content: text.slice(0, 20_000) }]],
  file_edit: (name) => [
    ['file_write', { path: `${name}.edit`, content: 'x\n'.repeat(5) }],
    [
      'file_edit',
      { path: `${name}.edit`, edits: [{ old: 'x', new: TEXTS['wrapped base64']?.slice(0, 60_000), all: true }] },
    ],
  ],
  file_patch: (name) => [
    [
      'file_patch',
      {
        patch: [
          '*** Begin Patch',
          `*** Add File: ${name}.patched`,
          `+${bytes.toString('base64')}`,
          '*** End Patch',
        ].join('\n'),
      },
    ],
  ],
  file_list: () => [['file_list', { path: 'many', limit: 100_000 }]],
  file_stat: (name) => [['file_stat', { path: name }]],
  file_glob: () => [['file_glob', { pattern: 'many/*', limit: 10_000 }]],
  file_grep: (name) => [
    ['file_grep', { path: name, pattern: '.', limit: 10_000, context: 20 }],
    ['file_grep', { path: name, pattern: '.', limit: 10_000 }],
  ],
  changes_list: (name, text) => [
    ...Array.from(
      { length: 12 },
      (_, at) => ['file_write', { path: `${name}.new`, content: `${text.slice(at)}${at}`, overwrite: true }] as const,
    ),
    ['changes_list', { limit: 1_000 }],
    ['changes_list', { limit: 1_000, diff: true }],
  ],
  changes_undo: (name, text) => [
    ['file_write', { path: `${name}.undone`, content: text }],
    ['changes_undo', { dry_run: true }],
    ['changes_undo', {}],
  ],
  chat_send: (_name, text) => [['chat_send', { recipient: 'agent:b', content: text.slice(0, 20_000) }]],
  give: (name) => [['give', { name }]],
  mcp__one__give: (_name, text) => [['mcp__one__give', { result: { content: [{ type: 'text', text }] } }]],
};

function file(name: string, text: string): string {
  writeFileSync(path.join(workspace, name), text);
  return name;
}

/** A folder with more names than fit a result, each with a piece of the text in it. */
function manyFiles(text: string): void {
  rmSync(path.join(workspace, 'many'), { recursive: true, force: true });
  mkdirSync(path.join(workspace, 'many'));
  const letters = text.replaceAll(/[^\p{L}\d]/gu, '').slice(0, 30);
  for (let index = 0; index < 600; index += 1) {
    file(`many/${noise(index).toString('base64url').slice(0, 80)}-${letters}`, '');
  }
}

describe('no result is above its budget', () => {
  it('of any tool of the catalogue, of an MCP server, and of the host', () => {
    expect(Object.keys(CALLS)).toEqual([...CATALOGUE.map(({ name }) => name), 'give', 'mcp__one__give']);
  });

  describe.each(Object.entries(TEXTS))('where it comes upon %s', (name, text) => {
    it.each(Object.entries(CALLS))('%s', async (tool, calls) => {
      if (tool === 'file_list' || tool === 'file_glob') manyFiles(text);
      const mcpServers = tool.startsWith('mcp') ? [nodeServer('one')] : [];
      const toolkit = await make({ ...OPTIONS, bus: new MemoryBus(), mcpServers });
      const input = file(`${name.replaceAll(' ', '-')}.txt`, text);
      const budget = tool.startsWith('file_') ? DEFAULT_READ_TOKENS : DEFAULT_RESULT_TOKENS;
      for (const [called, args] of calls(input, text)) {
        const { tokens, content } = await cost(toolkit, called, args);
        expect(tokens, content.slice(-300)).toBeLessThanOrEqual(budget * (1 + ERROR));
      }
    });
  });
});

/** The file that a result names, which has what the result does not show. */
function spilled(content: string): string {
  const [, file = ''] = /lines shown; all of them in (\S+)\]/.exec(content) ?? [];
  return readFileSync(file, 'utf8');
}

describe('what is left out', () => {
  const log = `${TEXTS['log']}the very last line\n`;

  it.each([
    ['of an MCP server', 'mcp__one__give', { result: { content: [{ type: 'text', text: log }] } }],
    ['of a tool of the host', 'give', { name: 'kept.txt' }],
    ['of a session', 'session_start', { command: 'cat kept.txt' }],
    ['of a command', 'terminal_run', { command: 'cat kept.txt' }],
    ['of a job', 'terminal_run', { command: 'cat kept.txt', background: true }],
  ])('%s is in a file that the model can read', async (_name, tool, args) => {
    file('kept.txt', log);
    const toolkit = await make({ ...OPTIONS, mcpServers: [nodeServer('one')] });
    let { content, data } = await toolkit.execute(tool, args);
    if (data.kind === 'job') ({ content, data } = await toolkit.execute('job_wait', { job: 'j1' }));
    expect(content).toContain('the very last line');
    expect(spilled(content)).toBe(log);
    if (data.kind === 'mcp') {
      expect(data).toMatchObject({ truncated: true, spill: { complete: true, bytes: Buffer.byteLength(log) } });
    }
    const [, kept] = /all of them in (\S+)\]/.exec(content) ?? [];
    const found = await toolkit.execute('file_grep', { path: kept, pattern: 'the very last', mode: 'count' });
    expect(found.content).toContain('Found 1 file with 1 match.');
  });

  it('is masked before lines are chosen and before it is kept', async () => {
    const secret = ['ghp_', 'x7Yq'.repeat(9)].join('');
    const text = `${log}token ${secret}\n${log}`;
    file('secret.txt', text);
    const toolkit = await make({ ...OPTIONS, mcpServers: [nodeServer('one')] });
    for (const [tool, args] of [
      ['mcp__one__give', { result: { content: [{ type: 'text', text }] } }],
      ['give', { name: 'secret.txt' }],
      ['session_start', { command: 'cat secret.txt' }],
    ] as const) {
      const { content } = await toolkit.execute(tool, args);
      expect(content).not.toContain(secret.slice(0, 20));
      expect(spilled(content)).toContain('[REDACTED');
      expect(spilled(content)).not.toContain(secret.slice(0, 20));
    }
  });

  it('takes no more room than all spill files may, and none where there are to be none', async () => {
    file('kept.txt', log);
    const small = await make({ ...OPTIONS, limits: { spillTotalBytes: 64 * 1_024 } });
    const { content } = await small.execute('give', { name: 'kept.txt' });
    const [, bytesKept = '', kept = ''] = /; the first ([\d,]+) bytes in (\S+)\]/.exec(content) ?? [];
    expect(Number(bytesKept.replaceAll(',', ''))).toBe(readFileSync(kept, 'utf8').length);
    expect(readFileSync(kept, 'utf8').length).toBeLessThanOrEqual(64 * 1_024);
    const none = await make({ ...OPTIONS, terminal: { allow: ['cat'], output: { spillBytes: 0 } } });
    expect((await none.execute('give', { name: 'kept.txt' })).content).toMatch(
      /lines shown; the others are in no file\]$/,
    );
  });
});
