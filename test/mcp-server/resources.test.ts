/** What did not fit an answer, and what was changed, as resources. */
import { describe, expect, it } from 'vitest';
import { MAX_OUTPUTS } from '../../ts/mcp-server/limits.js';
import { META } from '../../ts/mcp-server/protocol.js';
import { ServedResources } from '../../ts/mcp-server/resources.js';
import { toolkits } from '../support/toolkits.js';
import { type Client, served } from './client.js';

const { make } = toolkits();
const LINES = 120_000;

interface Listed {
  readonly resources: readonly { readonly uri: string; readonly size?: number }[];
  readonly contents: readonly { readonly uri: string; readonly text: string }[];
}

const STATELESS = { _meta: { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} } };

let next = 0;
async function ask(client: Client, method: string, params: object = {}) {
  next += 1;
  client.send({ id: next, method, params });
  const { result, error } = await client.answer(next);
  return { result: result as unknown as Listed, error };
}

describe('resources', () => {
  it.each([
    ['with initialize', {}],
    ['without a state', STATELESS],
  ])('are the whole outputs and the changes, %s', async (_title, about) => {
    const { client } = served(await make());
    await ask(client, 'tools/call', { name: 'terminal_run', arguments: { command: `seq ${LINES}` }, ...about });
    const file = `changed-${next}.txt`;
    const content = 'password=hunter2\n';
    await ask(client, 'tools/call', { name: 'file_write', arguments: { path: file, content }, ...about });
    const { result } = await ask(client, 'resources/list', about);
    expect(result.resources.map(({ uri }) => uri)).toEqual(['handrail://changes', 'handrail://output/1']);
    const whole = Array.from({ length: LINES }, (_, at) => `${at + 1}`);
    expect(result.resources[1]?.size).toBe(whole.join('\n').length + 1);
    let uri: string | undefined = 'handrail://output/1';
    const lines: string[] = [];
    while (uri !== undefined) {
      const read: { result: Listed } = await ask(client, 'resources/read', { uri, ...about });
      const [shown] = read.result.contents;
      expect(shown?.uri).toBe(uri);
      const [text = '', rest] = shown?.text.split('\n[lines ') ?? [];
      lines.push(...text.trimEnd().split('\n'));
      uri = rest?.match(/next: (.*)\]/)?.[1];
    }
    expect(lines).toEqual(whole);
    const changes = await ask(client, 'resources/read', { uri: 'handrail://changes', ...about });
    expect(JSON.parse(changes.result.contents[0]?.text ?? '')).toMatchObject({ ok: true, kind: 'file_history' });
    expect(changes.result.contents[0]?.text).toContain(file);
    expect(changes.result.contents[0]?.text).not.toContain('hunter2');
  });

  it.each([
    'handrail://output/1',
    'handrail://output/1?offset=',
    'file:///etc/passwd',
    'handrail://output/../changes',
    7,
    undefined,
  ])('there is none at %s', async (uri) => {
    const { client } = served(await make());
    expect((await ask(client, 'resources/read', { uri })).error).toMatchObject({ code: -32_602 });
    expect((await ask(client, 'resources/list', { cursor: 'x' })).error).toMatchObject({ code: -32_602 });
  });

  it('belong to their caller, and there are not more than a number of them', async () => {
    const resources = new ServedResources(await make());
    for (let count = 0; count <= MAX_OUTPUTS; count += 1) {
      resources.remember('a', 'terminal_run', { spill: { path: '/nowhere', bytes: 1 } });
    }
    expect(resources.list('a')).toHaveLength(MAX_OUTPUTS + 1);
    expect(resources.list('b')).toHaveLength(1);
    await expect(resources.read('b', 'handrail://output/2')).rejects.toMatchObject({ code: -32_602 });
    await expect(resources.read('a', 'handrail://output/1')).rejects.toMatchObject({ code: -32_602 });
  });
});
