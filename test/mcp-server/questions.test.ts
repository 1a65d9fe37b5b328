/** What the policy asks about becomes a question to a person, where the client can ask one. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client as RealClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_ANSWER_MS, MAX_QUESTION_CHARS, MAX_QUESTIONS } from '../../ts/mcp-server/limits.js';
import { META } from '../../ts/mcp-server/protocol.js';
import { QUESTION_NAME, SealedQuestions } from '../../ts/mcp-server/questions.js';
import { folderPerTest } from '../support/folder.js';
import { until } from '../support/processes.js';
import { toolkits } from '../support/toolkits.js';
import { type Client, MAIN, served } from './client.js';

const { workspace, make } = toolkits();
const place = path.join(workspace, 'touched');
const COMMAND = 'touch touched';
const call = { name: 'terminal_run', arguments: { command: COMMAND } };
const asking = { terminal: { allow: ['touch', 'echo'], ask: ['touch'] } };

beforeEach(() => rmSync(place, { force: true }));
afterEach(() => {
  vi.useRealTimers();
});

const meta = (capabilities: object) => ({
  [META.protocolVersion]: '2026-07-28',
  [META.clientCapabilities]: capabilities,
});
const CAN_ASK = { elicitation: { form: {} } };

interface Asked {
  readonly resultType: string;
  readonly requestState: string;
  readonly inputRequests: Record<string, { method: string; params: { message: string } }>;
}

let next = 100;

/** Makes a call of the revision without a state. */
async function stateless(client: Client, more: object = {}, capabilities: object = CAN_ASK) {
  next += 1;
  client.send({ id: next, method: 'tools/call', params: { ...call, _meta: meta(capabilities), ...more } });
  return await client.answer(next);
}

async function question(client: Client): Promise<Asked> {
  return (await stateless(client)).result as unknown as Asked;
}

const answered = (action: unknown, { requestState }: Asked) => ({
  ...{ requestState, inputResponses: { [QUESTION_NAME]: { action, content: {} } } },
});

describe('a question in the revision without a state', () => {
  it('comes back as the answer, and runs the command once it was accepted', async () => {
    const { client } = served(await make(asking));
    const asked = await question(client);
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        [QUESTION_NAME]: {
          method: 'elicitation/create',
          params: { mode: 'form', requestedSchema: { type: 'object' } },
        },
      },
    });
    const message = asked.inputRequests[QUESTION_NAME]?.params.message ?? '';
    expect(message).toContain(COMMAND);
    expect(message).toContain(`in ${workspace}`);
    expect(message).toContain('(list.asked)');
    expect(existsSync(place)).toBe(false);
    expect((await stateless(client, answered('accept', asked))).result).toMatchObject({ isError: false });
    expect(existsSync(place)).toBe(true);
  });

  it.each<[string, unknown, string]>([
    ['declined', 'decline', 'declined this command'],
    ['closed', 'cancel', 'closed the question'],
    ['answered by something else', 'yes', 'there was no answer'],
  ])('runs nothing when it was %s', async (_title, action, said) => {
    const { client } = served(await make(asking));
    const { result } = await stateless(client, answered(action, await question(client)));
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(said) }] });
    expect(existsSync(place)).toBe(false);
  });

  it.each<[string, (asked: Asked) => object]>([
    ['another call', (asked) => ({ ...answered('accept', asked), arguments: { command: 'touch touched other' } })],
    ['another tool', (asked) => ({ ...answered('accept', asked), name: 'session_start' })],
    ['a question nobody asked', (asked) => answered('accept', { ...asked, requestState: 'a.b' })],
    [
      'a question with another signature',
      (asked) => answered('accept', { ...asked, requestState: `${asked.requestState}A` }),
    ],
    ['a question that is no text', (asked) => ({ ...answered('accept', asked), requestState: 7 })],
  ])('refuses an answer to %s', async (_title, of) => {
    const { client } = served(await make(asking));
    expect((await stateless(client, of(await question(client)))).error?.code).toBe(-32_602);
    expect(existsSync(place)).toBe(false);
  });

  it('refuses an answer that was given once', async () => {
    const { client } = served(await make(asking));
    const answer = answered('accept', await question(client));
    await stateless(client, answer);
    rmSync(place);
    expect((await stateless(client, answer)).error?.code).toBe(-32_602);
    expect(existsSync(place)).toBe(false);
  });

  it.each<[string, (asked: Asked) => object]>([
    ['an answer alone', (asked) => ({ inputResponses: answered('accept', asked).inputResponses })],
    ['no answer', ({ requestState }) => ({ requestState })],
    ['another answer', ({ requestState }) => ({ requestState, inputResponses: { other: { action: 'accept' } } })],
  ])('is asked again for %s', async (_title, of) => {
    const { client } = served(await make(asking));
    expect((await stateless(client, of(await question(client)))).result).toHaveProperty('resultType', 'input_required');
    expect(existsSync(place)).toBe(false);
  });

  it('is asked again where what it was about has changed', async () => {
    const { client } = served(await make(asking));
    const asked = await question(client);
    writeFileSync(place, 'by somebody else');
    expect((await stateless(client, answered('accept', asked))).result).toHaveProperty('resultType', 'input_required');
  });

  it('is not asked where it cannot be shown whole', async () => {
    const { client } = served(await make(asking));
    const command = `${COMMAND} ${'x'.repeat(MAX_QUESTION_CHARS)}`;
    const { result } = await stateless(client, { arguments: { command } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('make the command shorter') }],
    });
    expect(existsSync(place)).toBe(false);
  });

  it('takes no arguments of a model for an answer', async () => {
    const { client } = served(await make(asking));
    const args = { command: COMMAND, approved: true, inputResponses: { [QUESTION_NAME]: { action: 'accept' } } };
    const { result } = await stateless(client, { arguments: args });
    expect(result).toMatchObject({ isError: true, structuredContent: { kind: 'refusal' } });
    expect(existsSync(place)).toBe(false);
  });

  it('is not asked of a client that cannot, whose answer counts for nothing', async () => {
    const { client } = served(await make(asking));
    const denied = { isError: true, content: [{ text: expect.stringContaining('nobody here can give it') }] };
    for (const capabilities of [{}, { elicitation: { url: {} } }, { elicitation: 'yes' }]) {
      expect((await stateless(client, {}, capabilities)).result).toMatchObject(denied);
    }
    const answer = answered('accept', await question(client));
    expect((await stateless(client, answer, {})).result).toMatchObject(denied);
    expect(existsSync(place)).toBe(false);
  });

  it('is old after a while, and there are not more than a number of them', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const questions = new SealedQuestions();
    const asked = { caller: '', name: 'terminal_run', args: {} };
    const [first, second] = [questions.seal(asked, 'a'), questions.seal(asked, 'b')];
    vi.advanceTimersByTime(MAX_ANSWER_MS);
    expect(questions.take(asked, first)).toBe('a');
    vi.advanceTimersByTime(1);
    expect(questions.take(asked, second)).toBeUndefined();
    const old = questions.seal(asked, 'c');
    for (let count = 0; count < MAX_QUESTIONS; count += 1) questions.seal(asked, 'd');
    expect(questions.take(asked, old)).toBeUndefined();
    expect(questions.take({ ...asked, caller: 'other' }, questions.seal(asked, 'e'))).toBeUndefined();
    expect(new SealedQuestions().take(asked, questions.seal(asked, 'f'))).toBeUndefined();
  });

  it('is the host who decides where there is one', async () => {
    const approve = vi.fn(() => ({ approved: false, reason: 'Not today' }));
    const { client } = served(await make({ ...asking, approve }));
    expect((await stateless(client)).result).toMatchObject({
      content: [{ text: expect.stringContaining('Not today') }],
    });
    expect(approve).toHaveBeenCalledOnce();
  });
});

describe('a question in a revision that begins with initialize', () => {
  async function begun(capabilities: object = { elicitation: {} }) {
    const { client } = served(await make(asking));
    client.send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities } });
    await client.answer(1);
    client.send({ id: 2, method: 'tools/call', params: call });
    return client;
  }

  const find = (client: Client) => client.answers.find(({ method }) => method === 'elicitation/create');

  async function questionTo(client: Client) {
    await until(() => find(client) !== undefined);
    return find(client) as unknown as { id: string; params: { message: string } };
  }

  it('is a request to the client, and runs the command once it was accepted', async () => {
    const client = await begun();
    const { id, params } = await questionTo(client);
    expect(params.message).toContain(COMMAND);
    client.send({ id: 'handrail-77', result: { action: 'accept' } });
    client.send({ id: 2, result: { action: 'accept' } });
    expect(existsSync(place)).toBe(false);
    client.send({ id, result: { action: 'accept', content: {} } });
    expect((await client.answer(2)).result).toMatchObject({ isError: false });
    expect(existsSync(place)).toBe(true);
  });

  it.each<[string, object, string]>([
    ['declined', { result: { action: 'decline' } }, 'declined this command'],
    ['closed', { result: { action: 'cancel' } }, 'closed the question'],
    ['answered by an error', { error: { code: -1, message: 'no window' } }, 'there was no answer'],
    ['answered by a text', { result: 'accept' }, 'there was no answer'],
  ])('runs nothing when it was %s', async (_title, answer, said) => {
    const client = await begun();
    const { id } = await questionTo(client);
    client.send({ id, ...answer });
    client.send({ id, result: { action: 'accept' } });
    expect(await client.text(2)).toContain(said);
    expect(existsSync(place)).toBe(false);
  });

  it('runs nothing when no answer comes in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const client = await begun();
    const { id } = await questionTo(client);
    await vi.advanceTimersByTimeAsync(MAX_ANSWER_MS);
    expect(await client.text(2)).toContain('there was no answer');
    client.send({ id, result: { action: 'accept' } });
    client.send({ id: 3, method: 'ping' });
    await client.answer(3);
    expect(existsSync(place)).toBe(false);
  });

  it('runs nothing when the call was cancelled meanwhile', async () => {
    const client = await begun();
    const { id } = await questionTo(client);
    client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    client.send({ id, result: { action: 'accept' } });
    client.send({ id: 3, method: 'ping' });
    await client.answer(3);
    expect(client.answers.some((answer) => answer.id === 2)).toBe(false);
    expect(existsSync(place)).toBe(false);
  });

  it('is not asked where it cannot be shown whole', async () => {
    const client = await begun();
    const { id } = await questionTo(client);
    client.send({ id, result: { action: 'decline' } });
    client.call(3, call.name, { command: `${COMMAND} ${'x'.repeat(MAX_QUESTION_CHARS)}` });
    expect(await client.text(3)).toContain('make the command shorter');
    expect(client.answers.filter(({ method }) => method === 'elicitation/create')).toHaveLength(1);
    expect(existsSync(place)).toBe(false);
  });

  it('is not asked of a client that cannot', async () => {
    const client = await begun({});
    client.send({ id: 'handrail-1', result: { action: 'accept' } });
    expect(await client.text(2)).toContain('nobody here can give it');
    expect(find(client)).toBeUndefined();
    expect(existsSync(place)).toBe(false);
  });
});

describe.each(['legacy', { pin: '2026-07-28' }] as const)('a real client that speaks %j', (mode) => {
  const folder = folderPerTest();

  it.each(['accept', 'decline'] as const)('shows its user the question, who answers %s', async (action) => {
    const client = new RealClient(
      { name: 'test', version: '1' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
    );
    const messages: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      messages.push(params.message);
      return { action, content: {} };
    });
    const args = [MAIN, 'mcp', '--allow', 'touch', '--ask', 'touch'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder() }));
    const result = await client.callTool(call);
    expect(messages).toEqual([expect.stringContaining(COMMAND)]);
    expect(result).toMatchObject({ isError: action === 'decline' });
    expect(existsSync(path.join(folder(), 'touched'))).toBe(action === 'accept');
    await client.close();
  });
});
