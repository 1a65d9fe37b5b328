// Two agents: Planner delegates over the bus; Builder works with guarded tools and an MCP server, and answers.
// With REDIS_URL the messages go through Redis, otherwise through an in-memory bus.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, Runner } from '@openai/agents';
import { createToolkit, MemoryBus, MessageEnvelope, RedisBus } from 'handrail';
import { agentTools } from 'handrail/openai-agents';
import { modelOf } from './models.mjs';

const ANSWER_LIMIT_MS = 60_000;
const url = process.env.REDIS_URL;
const bus = url ? new RedisBus(url) : new MemoryBus();
const workspace = await mkdtemp(path.join(tmpdir(), 'two-agents-'));
await writeFile(path.join(workspace, 'todo.txt'), 'one\ntwo\nthree\n');

const agents = ['Planner', 'Builder'];
// A unique conversation, as another run may use the same Redis.
const conversationId = `demo-${randomUUID()}`;
const chat = (agent) => ({ agent, agents, conversationId });
const planner = await createToolkit({ workspace, bus, chat: chat('Planner'), tools: ['chat_send'] });
const builder = await createToolkit({
  workspace,
  bus,
  chat: chat('Builder'),
  terminal: { allow: ['wc'], timeoutMs: 10_000 },
  mcpServers: [
    { name: 'notes', command: process.execPath, args: [fileURLToPath(new URL('notes-server.mjs', import.meta.url))] },
  ],
});

const runner = new Runner({ tracingDisabled: true, traceIncludeSensitiveData: false });

/** Lets an agent work on a task. */
async function work(name, toolkit, task) {
  const model = modelOf(name);
  const agent = new Agent({ name, tools: agentTools(toolkit), ...(model ? { model } : {}) });
  await runner.run(agent, task, { maxTurns: 10 });
}

/** Calls `handle` with each message of this conversation that others send to the agent `name`, until the bus is closed. */
function listen(name, handle) {
  const mine = (message) => message.conversation_id === conversationId && message.sender !== `agent:${name}`;
  return bus.subscribe(
    `chat:${name}`,
    async ({ payload }) => {
      const message = MessageEnvelope.parse(payload);
      if (!mine(message)) return;
      console.log(`${message.sender} -> ${message.recipient}: ${message.content}`);
      await handle(message);
    },
    // A unique group as well: two runs in one group would share the messages between them.
    { group: `${name}-${conversationId}` },
  );
}

try {
  await listen('Builder', ({ content }) => work('Builder', builder, content ?? ''));
  const answered = new Promise((resolve, reject) => {
    void listen('Planner', resolve).catch(reject);
    setTimeout(() => reject(new Error('Builder did not answer')), ANSWER_LIMIT_MS).unref();
  });
  await work('Planner', planner, 'Ask agent Builder to count the lines of todo.txt, with chat_send.');
  await answered;
  console.log((await builder.execute('mcp__notes__list', {})).content);
} finally {
  await Promise.all([planner.close(), builder.close()]);
  await bus.close();
  await rm(workspace, { recursive: true, force: true });
}
