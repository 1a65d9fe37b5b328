import { existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { generateText as Generate, ModelMessage, ToolSet } from 'ai';
import type { MockLanguageModelV4 as Mock } from 'ai/test';
import { beforeEach, describe, expect, it, type TestContext } from 'vitest';
import type { Toolkit } from '../../ts/toolkit.js';
import { toolkits } from '../support/toolkits.js';

/** What the package says it needs. It may load on an older one, where nobody promises anything. */
const NEEDED_NODE = 22;

const { workspace, make } = toolkits();

/** The package, where this Node can load it. */
const loaded = await Promise.all([import('ai'), import('ai/test'), import('../../ts/adapters/ai.js')]).catch(
  (error: unknown) => {
    const [major] = process.versions.node.split('.');
    if (Number(major) >= NEEDED_NODE) throw error;
    return;
  },
);

type Loaded = {
  readonly generateText: typeof Generate;
  readonly MockLanguageModelV4: typeof Mock;
  readonly aiTools: typeof import('../../ts/adapters/ai.js')['aiTools'];
};

/** The parts of the packages; a test without them says that it did not run. */
function need({ skip }: TestContext): Loaded {
  if (loaded === undefined) return skip(`skipped: ai needs Node ${NEEDED_NODE}`);
  const [{ generateText }, { MockLanguageModelV4 }, { aiTools }] = loaded;
  return { generateText, MockLanguageModelV4, aiTools };
}

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** One call of a tool by the model. */
interface Call {
  readonly id: string;
  readonly name?: string;
  readonly input: unknown;
}

/** A model that makes these calls, one turn after the other, and then says that it is done. */
function scripted({ MockLanguageModelV4 }: Loaded, ...turns: readonly (readonly Call[])[]): Mock {
  let turn = 0;
  return new MockLanguageModelV4({
    doGenerate() {
      const calls = turns[turn];
      turn += 1;
      const content = calls?.map(({ id, name = 'terminal_run', input }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: typeof input === 'string' ? input : JSON.stringify(input),
      }));
      return Promise.resolve({
        content: content ?? [{ type: 'text' as const, text: 'done' }],
        finishReason: { unified: content === undefined ? ('stop' as const) : ('tool-calls' as const), raw: undefined },
        usage: USAGE,
        warnings: [],
      });
    },
  });
}

const go: ModelMessage = { role: 'user', content: 'go' };
const untilDone = ({ steps }: { steps: readonly unknown[] }): boolean => steps.length >= 8;

/** What the model read of each call, by its id. */
function readByModel(model: Mock): Record<string, unknown> {
  const results = (model.doGenerateCalls.at(-1)?.prompt ?? []).flatMap(({ role, content }) =>
    role === 'tool' ? content.filter((part) => part.type === 'tool-result') : [],
  );
  return Object.fromEntries(results.map(({ toolCallId, output }) => [toolCallId, output]));
}

async function read(parts: Loaded, tools: ToolSet, call: Call, abortSignal?: AbortSignal): Promise<unknown> {
  const model = scripted(parts, [call]);
  const signal = abortSignal === undefined ? {} : { abortSignal };
  await parts.generateText({ model, tools, messages: [go], stopWhen: untilDone, ...signal });
  return readByModel(model)[call.id];
}

describe('aiTools', () => {
  it('gives the tools of the toolkit, with their schemas', async (context) => {
    const parts = need(context);
    const toolkit = await make();
    const tools = parts.aiTools(toolkit);
    expect(Object.keys(tools)).toEqual(toolkit.definitions().map(({ name }) => name));
    expect(Object.keys(parts.aiTools(toolkit, { tools: ['file_read'] }))).toEqual(['file_read']);
    const model = scripted(parts);
    await parts.generateText({ model, tools, messages: [go] });
    const [first] = model.doGenerateCalls[0]?.tools ?? [];
    const [definition] = toolkit.definitions();
    expect(first).toMatchObject({
      type: 'function',
      name: definition?.name,
      description: definition?.description,
      inputSchema: definition?.parameters,
    });
  });

  it('says whose call it is', async (context) => {
    const parts = need(context);
    const toolkit = await make({ terminal: { allow: ['sleep'] } });
    const input = { command: 'sleep 60', background: true };
    await read(parts, parts.aiTools(toolkit, { caller: 'first' }), { id: 'a', input });
    const list = { id: 'b', name: 'job_list', input: {} };
    const listedBy = async (caller?: string) =>
      JSON.stringify(await read(parts, parts.aiTools(toolkit, { caller }), list));
    expect(await listedBy('first')).toContain('j1');
    expect(await listedBy('second')).not.toContain('j1');
    expect(await listedBy()).not.toContain('j1');
  });

  it('answers with text, and says what failed', async (context) => {
    const parts = need(context);
    const toolkit = await make();
    const tools = parts.aiTools(toolkit);
    expect(await read(parts, tools, { id: '1', input: { command: 'echo password=hunter2' } })).toEqual({
      type: 'text',
      value: expect.stringMatching(/^exit 0 in \d+ ms[\s\S]*password=\[REDACTED\]/),
    });
    expect(await read(parts, tools, { id: '1', input: { command: 'rm a' } })).toEqual({
      type: 'error-text',
      value: expect.stringContaining('denied'),
    });
    expect(await read(parts, tools, { id: '1', input: { comand: 'ls' } })).toEqual({
      type: 'error-text',
      value: expect.stringContaining('did you mean command?'),
    });
    expect(await read(parts, tools, { id: '1', input: '{"command": "ls"' })).toMatchObject({
      type: 'error-text',
      value: expect.stringContaining('JSON'),
    });
    await toolkit.close();
    expect(await read(parts, tools, { id: '1', input: { command: 'echo' } })).toEqual({
      type: 'error-text',
      value: 'error: This toolkit was closed (ERR_CLOSED)',
    });
  });

  it('hands on the id of the call', async (context) => {
    const parts = need(context);
    const ids: (string | undefined)[] = [];
    const toolkit = (await make()).on('call', ({ callId }) => ids.push(callId));
    await read(parts, parts.aiTools(toolkit), { id: 'call-7', input: { command: 'echo' } });
    expect(ids).toEqual(['call-7']);
  });

  it('ends the command when the generation is aborted', async (context) => {
    const parts = need(context);
    const toolkit = await make();
    const ended = new Promise((resolve) => toolkit.on('call', ({ detail }) => resolve(detail)));
    const going = read(
      parts,
      parts.aiTools(toolkit),
      { id: '1', input: { command: 'sleep 600' } },
      AbortSignal.timeout(100),
    );
    await going.catch(() => undefined);
    expect(await ended).toMatchObject({ status: 'cancelled' });
  });

  it('refuses names the toolkit does not have, and another way to approve', async (context) => {
    const { aiTools } = need(context);
    const toolkit = await make();
    expect(() => aiTools(toolkit, { tools: ['fly'] })).toThrow(expect.objectContaining({ code: 'ERR_UNKNOWN_TOOL' }));
    expect(() => aiTools(toolkit, { approval: 'never' as 'interrupt' })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }),
    );
  });
});

describe("approval: 'interrupt'", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(workspace, 'ai-'));
    for (const name of ['a', 'b']) mkdirSync(path.join(folder, name));
  });

  const discard = (name: string) => ({ command: `find ${path.basename(folder)}/${name} -delete` });
  const left = (): boolean[] => ['a', 'b'].map((name) => existsSync(path.join(folder, name)));
  const finder = (): Promise<Toolkit> => make({ terminal: { allow: ['find', 'echo'] } });

  /** Runs until the SDK asks, answers with `approved`, and runs on. */
  async function answered(
    parts: Loaded,
    model: Mock,
    tools: ToolSet,
    approved: boolean,
    reason?: string,
    meanwhile: () => void = () => undefined,
  ) {
    const first = await parts.generateText({ model, tools, messages: [go], stopWhen: untilDone });
    const asked = first.content.filter((part) => part.type === 'tool-approval-request');
    meanwhile();
    const content = asked.map(({ approvalId }) => ({
      type: 'tool-approval-response' as const,
      approvalId,
      approved,
      ...(reason === undefined ? {} : { reason }),
    }));
    const messages: ModelMessage[] = [go, ...first.response.messages, { role: 'tool', content }];
    const last = await parts.generateText({ model, tools, messages, stopWhen: untilDone });
    return { asked: asked.map(({ toolCall }) => toolCall.toolCallId), last, messages };
  }

  it('asks about what the policy leaves open and nothing else, and runs what is approved', async (context) => {
    const parts = need(context);
    const tools = parts.aiTools(await finder(), { approval: 'interrupt' });
    const model = scripted(parts, [
      { id: 'open', input: discard('a') },
      { id: 'fine', input: { command: 'echo hello' } },
      { id: 'never', input: { command: 'curl example.com' } },
    ]);
    const { asked, last } = await answered(parts, model, tools, true);
    expect({ asked, text: last.text, left: left() }).toEqual({ asked: ['open'], text: 'done', left: [false, true] });
    expect(readByModel(model)).toMatchObject({ open: { type: 'text', value: expect.stringMatching(/^exit 0/) } });
  });

  it('does not run where a folder that the command names was exchanged after the question', async (context) => {
    const parts = need(context);
    const tools = parts.aiTools(await finder(), { approval: 'interrupt' });
    const model = scripted(parts, [{ id: '1', input: discard('a') }]);
    const exchange = (): void => {
      renameSync(path.join(folder, 'a'), path.join(folder, 'old'));
      mkdirSync(path.join(folder, 'a'));
    };
    await answered(parts, model, tools, true, undefined, exchange);
    expect(left()).toEqual([true, true]);
    expect(JSON.stringify(readByModel(model))).toContain('not_approved');
  });

  it('does not run what is rejected, and the model reads why', async (context) => {
    const parts = need(context);
    const tools = parts.aiTools(await finder(), { approval: 'interrupt' });
    const model = scripted(parts, [{ id: '1', input: discard('a') }]);
    await answered(parts, model, tools, false, 'Not on a Friday.');
    expect(left()).toEqual([true, true]);
    expect(JSON.stringify(readByModel(model))).toContain('Not on a Friday.');
  });

  it('an approval of the whole tool runs nothing the policy asks about', async (context) => {
    const parts = need(context);
    const toolkit = await finder();
    const tools = parts.aiTools(toolkit, { approval: 'interrupt' });
    const model = scripted(parts, [{ id: '1', input: discard('a') }]);
    const given = { model, messages: [go], stopWhen: untilDone, tools };
    await parts.generateText({ ...given, toolApproval: { terminal_run: 'approved' } });
    expect(left()).toEqual([true, true]);
    expect(readByModel(model)[1]).toMatchObject({ value: expect.stringContaining('does not cover it') });
  });

  it('without the guard it does', async (context) => {
    const parts = need(context);
    const toolkit = await make({ terminal: { allow: ['find'] }, approve: () => ({ approved: true }) });
    const model = scripted(parts, [{ id: '1', input: discard('a') }]);
    const given = { model, messages: [go], stopWhen: untilDone, tools: parts.aiTools(toolkit) };
    await parts.generateText({ ...given, toolApproval: { terminal_run: 'approved' } });
    expect(left()).toEqual([false, true]);
  });

  it('the id of an approved call does not run another command', async (context) => {
    const parts = need(context);
    const tools = parts.aiTools(await finder(), { approval: 'interrupt' });
    const model = scripted(parts, [{ id: '1', input: discard('a') }], [{ id: '1', input: discard('b') }]);
    const { messages } = await answered(parts, model, tools, true);
    expect(left()).toEqual([false, true]);
    const again = scripted(parts, [{ id: '1', input: discard('b') }]);
    const given = { model: again, tools, messages, stopWhen: untilDone };
    await parts.generateText({ ...given, toolApproval: { terminal_run: 'approved' } });
    expect(left()).toEqual([false, true]);
  });

  it('a history in which the approved arguments were changed runs nothing', async (context) => {
    const parts = need(context);
    const tool = parts.aiTools(await finder(), { approval: 'interrupt' })['terminal_run'];
    const messages: ModelMessage[] = [
      go,
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: '1', toolName: 'terminal_run', input: discard('a') },
          { type: 'tool-approval-request', approvalId: 'x', toolCallId: '1' },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'x', approved: true }] },
    ];
    const context7 = { toolCallId: '1', messages, context: {} };
    expect(await tool?.execute?.(discard('b'), context7)).toMatchObject({ isError: true });
    expect(left()).toEqual([true, true]);
    expect(await tool?.execute?.(discard('a'), context7)).toMatchObject({ isError: false });
    expect(left()).toEqual([false, true]);
  });
});
