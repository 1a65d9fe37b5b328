import { Agent, RunContext, Runner, setTracingDisabled } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AgentTool, agentTools, chatSendTool, terminalRunTool } from '../../ts/adapters/openai-agents.js';
import { MemoryBus } from '../../ts/bus/memory.js';
import { setBusForTesting } from '../../ts/compat/chat.js';
import { HandrailError } from '../../ts/errors.js';
import type { Toolkit } from '../../ts/toolkit.js';
import type { CallContext, ToolDefinition } from '../../ts/tools/definition.js';

/** A toolkit that runs nothing and remembers what it was asked. */
function stubToolkit(answer: (args: unknown, context: CallContext) => Promise<string>) {
  const calls: { name: string; args: unknown; context: CallContext }[] = [];
  const definition: ToolDefinition = {
    name: 'terminal_run',
    description: 'Runs a command.',
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'string', maxLength: 10, description: 'What to run.' },
        timeout_ms: { type: 'integer', minimum: 1, maximum: 5 },
      },
      required: ['command'],
      additionalProperties: false,
    },
    annotations: {
      title: 'Run',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  };
  const stub = {
    calls,
    definitions: () => [definition],
    async execute(name: string, args: unknown, context: CallContext) {
      calls.push({ name, args, context });
      return { content: await answer(args, context), isError: false, data: { refused: 'busy', problems: [] } };
    },
  };
  return stub as unknown as Toolkit & { calls: typeof calls };
}

/** Runs one function call through the SDK's own runner and gives what the model would see. */
async function seenByModel(tool: AgentTool, args: string | Record<string, unknown>): Promise<string> {
  const model = new ScriptedModel([[functionCall(tool.name, args, { callId: 'call-1' })], [assistantMessage('done')]]);
  const agent = new Agent({ name: 'Test', model, tools: [tool] });
  await new Runner({ tracingDisabled: true }).run(agent, 'go');
  const input = model.lastCall?.request.input as { output: { text: string } }[] | undefined;
  return input?.at(-1)?.output.text ?? '';
}

function onlyTool(toolkit: Toolkit): AgentTool {
  const [tool] = agentTools(toolkit);
  if (tool === undefined) throw new Error('the stub has one tool');
  return tool;
}

beforeAll(() => setTracingDisabled(true));

describe('agentTools', () => {
  it('makes a strict schema: everything is required, what may be left out takes null, lengths stay ours', () => {
    const tool = onlyTool(stubToolkit(async () => ''));
    expect(tool.strict).toBe(true);
    expect(tool.parameters).toEqual({
      type: 'object',
      properties: {
        command: { type: 'string', description: 'What to run.' },
        timeout_ms: { type: ['integer', 'null'], minimum: 1, maximum: 5 },
      },
      required: ['command', 'timeout_ms'],
      additionalProperties: false,
    });
  });

  it('hands the arguments over unchecked, with the call id, and gives back the text', async () => {
    const toolkit = stubToolkit(async () => 'exit 0 in 1 ms');
    const text = await seenByModel(onlyTool(toolkit), { command: 'ls', timeout_ms: null, extra: 1 });
    expect(text).toBe('exit 0 in 1 ms');
    expect(toolkit.calls).toMatchObject([
      { name: 'terminal_run', args: { command: 'ls', timeout_ms: null, extra: 1 }, context: { callId: 'call-1' } },
    ]);
  });

  it('answers arguments that are not JSON with text and calls nothing', async () => {
    const toolkit = stubToolkit(async () => '');
    expect(await seenByModel(onlyTool(toolkit), '{"command": "ls"')).toMatch(/JSON/);
    expect(toolkit.calls).toEqual([]);
  });

  it('tells the model our own errors and nothing of those of others', async () => {
    const closed = stubToolkit(() => Promise.reject(new HandrailError('ERR_CLOSED', 'This toolkit was closed')));
    expect(await seenByModel(onlyTool(closed), { command: 'ls' })).toBe('error: This toolkit was closed (ERR_CLOSED)');
    const other = stubToolkit(() => Promise.reject(new Error('password=hunter2')));
    expect(await seenByModel(onlyTool(other), { command: 'ls' })).toBe('error: the tool failed');
  });

  it('hands on the signal that ends the run', async () => {
    const end = new AbortController();
    const toolkit = stubToolkit(
      (_args, { signal }) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve('cancelled'), { once: true });
        }),
    );
    const answer = onlyTool(toolkit).invoke(new RunContext(), '{"command":"ls"}', { signal: end.signal });
    end.abort();
    expect(await answer).toBe('cancelled');
  });

  it('publishes the tools that are named and refuses names the toolkit does not have', () => {
    const toolkit = stubToolkit(async () => '');
    expect(agentTools(toolkit, { tools: [] })).toEqual([]);
    expect(agentTools(toolkit, { tools: ['terminal_run'] })).toHaveLength(1);
    expect(() => agentTools(toolkit, { tools: ['terminal_fly'] })).toThrow(
      expect.objectContaining({ code: 'ERR_UNKNOWN_TOOL' }),
    );
  });
});

describe('terminalRunTool', () => {
  it('has the parameters of the function tool it stands for', () => {
    expect(terminalRunTool).toMatchObject({
      name: 'terminal_run',
      description: 'Execute an allowed command non-interactively and return concise output.',
      strict: true,
      parameters: {
        properties: { command: { type: 'string' }, cwd: { type: ['string', 'null'] } },
        required: ['command', 'cwd'],
        additionalProperties: false,
      },
    });
  });

  it.each([
    [{}, 'invalid arguments: missing argument: command'],
    [{ command: 1, cwd: null }, /^invalid arguments: command: .*expected string/],
    [{ command: 'ls', shell: true }, 'invalid arguments: unknown argument: shell'],
  ])('refuses %j with text', async (args, expected) => {
    expect(await seenByModel(terminalRunTool, args)).toMatch(expected);
  });
});

describe('chatSendTool', () => {
  afterEach(() => {
    setBusForTesting(null);
    vi.unstubAllEnvs();
  });

  function memory(): MemoryBus {
    const bus = new MemoryBus();
    setBusForTesting(bus);
    return bus;
  }

  it('has the parameters of the function tool it stands for', () => {
    expect(chatSendTool).toMatchObject({
      name: 'chat_send',
      strict: true,
      parameters: {
        properties: {
          recipient: { type: 'string' },
          content: { type: 'string' },
          conversation_id: { type: ['string', 'null'] },
        },
        required: ['recipient', 'content', 'conversation_id'],
        additionalProperties: false,
      },
    });
  });

  it('sends a message and answers in JSON, with the keys of the original', async () => {
    const bus = memory();
    vi.stubEnv('AGENT_NAME', 'DevAgent');
    const text = await seenByModel(chatSendTool, { recipient: 'chat:conv1', content: ' hi ', conversation_id: null });
    expect(JSON.parse(text)).toMatchObject({
      ok: true,
      envelope_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      published_to: ['chat:conv1'],
    });
    expect((await bus.read('chat:conv1'))[0]?.payload).toMatchObject({ content: ' hi ', sender: 'agent:DevAgent' });
  });

  it('takes the conversation from its argument, then from the context of the run, then from the variable', async () => {
    memory();
    vi.stubEnv('CHAT_TOOL_CONVERSATION_ID', 'fromEnv');
    const send = async (args: object, context: unknown) =>
      String(
        await chatSendTool.invoke(
          new RunContext(context),
          JSON.stringify({ recipient: 'agent:A', content: 'hi', conversation_id: null, ...args }),
        ),
      );
    const run = { conversation_id: 'fromRun' };
    expect(await send({ conversation_id: 'given' }, run)).toContain('"chat:given","chat:A"');
    expect(await send({}, run)).toContain('"chat:fromRun","chat:A"');
    expect(await send({}, {})).toContain('"chat:fromEnv","chat:A"');
    expect(await send({}, undefined)).toContain('"chat:fromEnv","chat:A"');
  });

  it.each([
    [
      { recipient: 'room:1', content: 'x' },
      "error: recipient must be 'chat:{conversation_id}' or 'agent:{Name}' (ERR_",
    ],
    [{ recipient: 'agent:A', content: ' ', conversation_id: 'c' }, 'error: content must be non-empty (ERR_'],
    [{ recipient: 'agent:A', content: 'x' }, 'error: conversation_id not available for agent recipient (ERR_'],
    [{ recipient: 'agent:A' }, 'invalid arguments: missing argument: content'],
    [{ recipient: 'chat:a', content: 'x', sender: 'agent:Boss' }, 'invalid arguments: unknown argument: sender'],
    ['{', 'JSON'],
  ])('answers the mistake %j with text', async (args, text) => {
    memory();
    expect(await seenByModel(chatSendTool, args)).toContain(text);
  });
});
