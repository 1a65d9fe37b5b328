import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ToolExecutor } from '../../ts/index.js';
import type { McpServerOptions } from '../../ts/mcp/server-options.js';
import { META } from '../../ts/mcp-server/protocol.js';
import { QUESTION_NAME } from '../../ts/mcp-server/questions.js';
import type { Approve } from '../../ts/terminal/approval.js';
import { served } from '../mcp-server/client.js';
import { toolkits } from '../support/toolkits.js';
import { APPROVED, CHANGES } from './changes.js';
import { nodeServer } from './routers.js';

const { audited, make, workspace } = toolkits();

const server = (rules: Partial<McpServerOptions> = {}, args: readonly string[] = []): McpServerOptions[] => [
  { ...nodeServer('one', args), ...rules },
];
const agree: Approve = () => ({ approved: true });

const closed: ToolExecutor[] = [];
afterAll(() => Promise.all(closed.map((executor) => executor.shutdownMcp())));

describe('the rules of a server', () => {
  it.each<[string, Partial<McpServerOptions>, 'allow' | 'ask' | 'deny', string[]]>([
    ['nothing', {}, 'allow', []],
    ['what is allowed', { allow: ['echo'] }, 'allow', []],
    ['what is not allowed', { allow: ['where'] }, 'deny', ['mcp.not_allowed']],
    ['an empty list', { allow: [] }, 'deny', ['mcp.not_allowed']],
    ['what is a question', { ask: ['echo'] }, 'ask', ['mcp.ask']],
    ['what is a question and allowed', { ask: ['echo'], allow: ['echo'] }, 'ask', ['mcp.ask']],
    ['what is denied', { deny: ['echo'] }, 'deny', ['mcp.denied']],
    ['what is denied and everything else', { deny: ['echo'], ask: ['echo'], allow: ['*'] }, 'deny', ['mcp.denied']],
    ['all that begin so', { deny: ['ec*'] }, 'deny', ['mcp.denied']],
    ['all', { ask: ['*'] }, 'ask', ['mcp.ask']],
    ['another tool', { deny: ['Echo', 'echo2', 'cho', '*echo'], ask: ['e', 'x*'] }, 'allow', []],
  ])('decide: %s', async (_what, rules, decision, ids) => {
    const { toolkit, records } = await audited({ mcpServers: server(rules) });
    const explained = toolkit.explain('mcp__one__echo', { text: 'hi' });
    expect([explained.decision, explained.reasons.map(({ rule }) => rule)]).toEqual([decision, ids]);
    const { isError, data } = await toolkit.execute('mcp__one__echo', { text: 'hi' });
    expect(isError).toBe(decision !== 'allow');
    const rest = decision === 'ask' ? ['no_approver'] : [];
    expect(records).toMatchObject([
      {
        decision: decision === 'ask' ? 'deny' : decision,
        rules: [...rest, ...ids],
        detail: { kind: 'mcp', server: 'one' },
      },
    ]);
    expect(data).toMatchObject({ kind: 'mcp', status: decision === 'allow' ? 'done' : 'denied' });
  });

  it('never let a server say that its own tools need no question', async () => {
    const tool = {
      name: 'harmless',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false },
    };
    const [one] = server({ ask: ['*'] }, ['--extra']);
    const toolkit = await make({
      mcpServers: [{ ...one, env: { EXTRA_TOOL: JSON.stringify(tool) } } as McpServerOptions],
    });
    const { decision, reasons } = toolkit.explain('mcp__one__harmless', {});
    expect([decision, reasons[0]?.message]).toEqual([
      'ask',
      "The tool 'mcp__one__harmless' is a question: its server one says that it changes nothing",
    ]);
    expect(toolkit.explain('mcp__one__echo', {}).reasons[0]?.message).toContain('may remove or overwrite something');
  });

  it('hold in an executor too, where nobody can be asked', async () => {
    const executor = new ToolExecutor(workspace);
    closed.push(executor);
    await executor.connectMcpServers(server({ ask: ['echo'], deny: ['where'] }));
    expect(await executor.execute('mcp__one__echo', { text: 'hi' })).toMatchObject({
      isError: true,
      content: expect.stringContaining('Error: denied: '),
    });
    expect((await executor.execute('where', {})).content).toContain('is denied');
    expect((await executor.execute('env', {})).isError).toBe(false);
  });

  it.each([{ ask: 'echo' }, { allow: [''] }, { deny: [7] }])('are refused where they are none: %j', async (rules) => {
    await expect(make({ mcpServers: server(rules as never) })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
});

describe('a question about a tool of a server', () => {
  it('shows the call as it will be made, and is asked once for each', async () => {
    const approve = vi.fn<Approve>(agree);
    const { toolkit, records } = await audited({ mcpServers: server({ ask: ['echo'] }), approve });
    const args = { text: 'a\u202eb' };
    expect((await toolkit.execute('mcp__one__echo', args)).isError).toBe(false);
    const { signal: _signal, ...question } = approve.mock.calls[0]?.[0] ?? { signal: undefined };
    expect(question).toEqual({
      command: ['mcp__one__echo', JSON.stringify(args)],
      mcp: { server: 'one', tool: 'echo' },
      cwd: workspace,
      reasons: [{ rule: 'mcp.ask', span: [0, 0], message: expect.any(String) }],
      rendering: 'mcp__one__echo \'{"text":"a\\u{202e}b"}\'',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(toolkit.explain('mcp__one__echo', args).question).toEqual(question);
    expect(toolkit.explain('mcp__one__echo', { text: 'b' }).question?.fingerprint).not.toBe(
      (question as { fingerprint?: string }).fingerprint,
    );
    await toolkit.execute('mcp__one__echo', args);
    await toolkit.execute('mcp__one__where', {});
    expect(approve).toHaveBeenCalledTimes(2);
    expect(records.map(({ decision, rules }) => [decision, rules])).toEqual([
      ['ask', ['mcp.ask']],
      ['ask', ['mcp.ask']],
      ['allow', []],
    ]);
  });

  it('is for the approver of the call, where one comes with it', async () => {
    const approve = vi.fn<Approve>(agree);
    const toolkit = await make({ mcpServers: server({ ask: ['echo'] }), approve });
    const ofCall: Approve = () => ({ approved: false, reason: 'Not today, password=hunter2' });
    const result = await toolkit.execute('mcp__one__echo', { text: 'hi' }, { approve: ofCall });
    expect([result.content.split(';')[0], result.isError]).toEqual([
      'denied: Not today, password=[REDACTED] (not_approved)',
      true,
    ]);
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(approve).not.toHaveBeenCalled();
  });

  it('does not reach the server where the answer is no, none, late or an error', async () => {
    const calls = path.join(workspace, 'calls');
    writeFileSync(calls, '');
    const [one] = server({ ask: ['*'] });
    const toolkit = await make({ mcpServers: [{ ...one, env: { CALLS_FILE: calls } } as McpServerOptions] });
    const execute = (approve: Approve | undefined, signal?: AbortSignal) =>
      toolkit.execute('mcp__one__echo', { text: 'hi' }, { approve, signal });
    expect((await execute(undefined)).data).toMatchObject({ status: 'denied', decision: { decision: 'deny' } });
    expect((await execute(() => ({ approved: false }))).content).toContain('This call was not approved (not_approved)');
    const late = new AbortController();
    const waiting = execute(() => new Promise(() => undefined), late.signal);
    late.abort();
    expect((await waiting).data).toMatchObject({ status: 'denied' });
    expect((await execute(() => 'yes' as never)).data).toMatchObject({ kind: 'refusal', refused: 'invalid_arguments' });
    const broken: Approve = () => {
      throw new Error('broken');
    };
    await expect(execute(broken)).rejects.toThrow('broken');
    expect(readFileSync(calls, 'utf8')).toBe('started\n');
    await execute(agree);
    expect(readFileSync(calls, 'utf8')).toContain('echo');
  });

  it('is about the tool that was shown: one that changes while somebody thinks is not called', async () => {
    const list = path.join(workspace, 'tools.json');
    writeFileSync(list, JSON.stringify(APPROVED));
    const mcpServers = [{ ...nodeServer('one', [list], 'changing'), ask: ['search'], pinned: false }];
    const toolkit = await make({ mcpServers });
    const tools = new Promise((resolve) => toolkit.on('tools', resolve));
    const approve: Approve = async () => {
      writeFileSync(list, JSON.stringify(CHANGES['names that are swapped']?.now));
      await toolkit.execute('mcp__one__remove', {});
      await tools;
      return { approved: true };
    };
    const { content } = await toolkit.execute('mcp__one__search', { words: 'hi' }, { approve });
    expect(content).toContain('The tool has changed since it was approved (not_approved)');
  });

  it('reaches a person at a client of MCP, once', async () => {
    const { client, end } = served(await make({ mcpServers: server({ ask: ['echo'] }) }));
    const call = (id: number, more: object = {}) => {
      const _meta = {
        [META.protocolVersion]: '2026-07-28',
        [META.clientCapabilities]: { elicitation: { form: {} } },
      };
      const params = { name: 'mcp__one__echo', arguments: { text: 'hi' }, _meta, ...more };
      client.send({ id, method: 'tools/call', params });
      return client.answer(id);
    };
    const asked = (await call(1)).result as unknown as {
      readonly requestState: string;
      readonly inputRequests: Record<string, { readonly params: { readonly message: string } }>;
    };
    expect(asked.inputRequests[QUESTION_NAME]?.params.message).toContain(`mcp__one__echo '{"text":"hi"}'`);
    const { requestState } = asked;
    const accepted = { requestState, inputResponses: { [QUESTION_NAME]: { action: 'accept', content: {} } } };
    expect((await call(2, { ...accepted, arguments: { text: 'other' } })).error).toBeDefined();
    expect((await call(3, accepted)).result).toMatchObject({ isError: false });
    expect((await call(4, accepted)).error).toBeDefined();
    end.abort();
  });
});
