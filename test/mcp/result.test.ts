import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nodeServer, routers } from './routers.js';

const open = routers();

/** Built from parts: scanners of repositories look for such keys. */
const SECRET = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

const PNG = Buffer.alloc(34 * 1_024).toString('base64');

async function given(result: Record<string, unknown>) {
  const { call } = await open([nodeServer('one')]);
  return await call('give', { result });
}

describe('a result', () => {
  it('keeps all kinds of blocks, and says what cannot be read', async () => {
    const data = await given({
      content: [
        { type: 'text', text: 'first' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///a.txt', text: 'inside' } },
        { type: 'resource', resource: { uri: 'file:///b', blob: 'AAAA' } },
        { type: 'resource_link', uri: 'file:///c', name: 'report' },
      ],
    });
    expect(data.text.split('\n')).toEqual([
      'first',
      '[image/png 34 KB]',
      '[audio/wav 3 bytes]',
      '[resource file:///a.txt]',
      'inside',
      '[resource file:///b: data 3 bytes]',
      '[link to report: file:///c]',
    ]);
    expect(data.blocks.map(({ type }) => type)).toEqual([
      'text',
      'image',
      'audio',
      'resource',
      'resource',
      'resource_link',
    ]);
    expect(data.blocks[1]).toEqual({ type: 'image', mimeType: 'image/png', data: PNG, bytes: 34 * 1_024 });
    expect(data).toMatchObject({ kind: 'mcp', server: 'one', tool: 'give', status: 'done', truncated: false });
  });

  it('of structured content alone is shown as JSON, with text only the text', async () => {
    const structuredContent = { rows: [1, 2], password: 'hunter2-hunter2' };
    const alone = await given({ content: [], structuredContent });
    expect(JSON.parse(alone.text)).toEqual({ rows: [1, 2], password: '[REDACTED]' });
    expect(alone.structured).toEqual({ rows: [1, 2], password: '[REDACTED]' });
    const both = await given({ content: [{ type: 'text', text: 'two rows' }], structuredContent });
    expect(both.text).toBe('two rows');
  });

  it('is masked in each block as in the whole, also where the name of a secret stands in another block', async () => {
    const value = ['Vx7', 'qT2', 'mK9'].join('-');
    const rows = `joe,${value}\nann,${value}`;
    const data = await given({
      content: [
        { type: 'text', text: 'user,password' },
        { type: 'text', text: rows },
        { type: 'resource', resource: { uri: 'file:///a', text: `the same: ${value}` } },
        { type: 'text', text: 'plain' },
      ],
    });
    expect(data.text).toContain('user,password\njoe,[REDACTED');
    expect(JSON.stringify(data.blocks.slice(0, 2))).not.toContain(value);
    const texts = data.blocks.map((block) => ('text' in block ? block.text : undefined));
    expect(texts[0]).toBe('user,password');
    expect(texts[1]).toMatch(/^joe,\[REDACTED[^\]]*\]\nann,\[REDACTED[^\]]*\]$/);
    expect(texts[3]).toBe('plain');
    // A key that is divided between two blocks is hidden in both.
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} RSA PRIVATE KEY-----`);
    const line = (index: number) => createHash('sha512').update(String(index)).digest('base64').slice(0, 64);
    const lines = Array.from({ length: 4 }, (_, index) => line(index));
    const divided = await given({
      content: [
        { type: 'text', text: `${begin}\n${lines.slice(0, 2).join('\n')}` },
        { type: 'text', text: `${lines.slice(2).join('\n')}\n${end}\nafter` },
      ],
    });
    for (const one of lines) expect(JSON.stringify(divided.blocks)).not.toContain(one);
    expect(divided.blocks[1]).toMatchObject({ text: expect.stringMatching(/\nafter$/) as string });
  });

  it('that failed says so', async () => {
    const data = await given({ content: [{ type: 'text', text: 'no such file' }], isError: true });
    expect(data).toMatchObject({ ok: false, status: 'failed', text: 'no such file', outcomeUnknown: false });
  });

  it('without anything is empty', async () => {
    expect(await given({ content: [] })).toMatchObject({ ok: true, text: '', blocks: [] });
  });

  it('is cleaned before secrets are looked for, in texts and blocks, and counted', async () => {
    const hidden = `${SECRET.slice(0, 9)}\u001b[31m${SECRET.slice(9)}`;
    const data = await given({
      content: [
        { type: 'text', text: `token: ${hidden}\r\n10%\r99%` },
        { type: 'resource', resource: { uri: `https://x.test/?key=${SECRET}`, text: SECRET } },
        { type: 'resource_link', uri: 'file:///c', name: SECRET },
      ],
      structuredContent: { value: SECRET },
    });
    expect(JSON.stringify(data)).not.toContain(SECRET);
    expect(JSON.stringify(data)).not.toContain('\u001b');
    expect(data.text).toContain('99%');
    expect(data.redactions).toBeGreaterThanOrEqual(3);
  });

  it('that is large is whole, for whoever shortens it', async () => {
    const { call } = await open([nodeServer('one')]);
    const lines = 'line of text\n'.repeat(10_000);
    const data = await call('give', { result: { content: [{ type: 'text', text: lines }] } });
    expect(data).toMatchObject({ text: lines, truncated: false });
    expect(data.bytes).toBeGreaterThan(130_000);
  });

  it('that is none is an error of the protocol, and nobody knows what happened', async () => {
    const data = await given({ content: 'not a list' });
    expect(data).toMatchObject({ status: 'protocol_error', outcomeUnknown: true });
    expect(data.text).toContain('The MCP server one gave no valid answer: ');
  });
});
