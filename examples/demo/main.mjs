// npm start: an agent works in a temporary git repository with guarded tools. Every call is shown.

import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Agent, Runner } from '@openai/agents';
import { createToolkit, MemoryBus, RedisBus } from 'handrail';
import { agentTools } from 'handrail/openai-agents';
import { chooseModel, TASK } from './model.mjs';
import { showAnswer, showInterrupted, showStep, showSummary, showTitle } from './screen.mjs';
import { makeWorkspace, processesIn, removeWorkspace } from './workspace.mjs';

const ALLOW = ['bash', 'cat', 'git', 'head', 'seq', 'setsid', 'sleep'];
const MAX_TURNS = 20;
const EXIT_INTERRUPTED = 130;
const NOTES_SERVER = fileURLToPath(new URL('../two-agents/notes-server.mjs', import.meta.url));

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interrupted.abort());

const workspace = makeWorkspace();
const bus = process.env.REDIS_URL ? new RedisBus(process.env.REDIS_URL) : new MemoryBus();
const records = [];
let toolkit;
try {
  toolkit = await createToolkit({
    workspace,
    terminal: { shell: 'bash', allow: ALLOW, timeoutMs: 10_000, graceMs: 500 },
    limits: { resultChars: 4_000 },
    mcpServers: [{ name: 'notes', command: process.execPath, args: [NOTES_SERVER], cwd: tmpdir() }],
    bus,
    chat: { agent: 'Demo', agents: ['Demo', 'Reviewer'], conversationId: `demo-${process.pid}` },
    audit: (record) => records.push(record),
  });
  const { label, model } = chooseModel(process.env);
  showTitle({ label, allow: ALLOW, features: toolkit.capabilities().features });

  const agent = new Agent({ name: 'Demo', tools: agentTools(toolkit), ...(model ? { model } : {}) });
  const runner = new Runner({ tracingDisabled: true, traceIncludeSensitiveData: false });
  runner.on('agent_tool_end', (_context, _agent, _tool, received, { toolCall }) => {
    const number = records.findIndex(({ callId }) => callId === toolCall.callId);
    const record = records[number];
    if (record) showStep(number + 1, record, String(received), processesIn(workspace).length);
  });
  const { finalOutput } = await runner.run(agent, TASK, { maxTurns: MAX_TURNS, signal: interrupted.signal });
  showAnswer(String(finalOutput));
  await toolkit.close();
  showSummary(records, processesIn(workspace).length);
} catch (error) {
  if (interrupted.signal.aborted) {
    showInterrupted();
    process.exitCode = EXIT_INTERRUPTED;
  } else {
    // The error message of a model service may contain its API key.
    const message = toolkit?.redactor.redact(String(error)) ?? String(error);
    process.stderr.write(`\nthe demonstration failed: ${message}\n`);
    process.exitCode = 1;
  }
} finally {
  await toolkit?.close();
  await bus.close();
  removeWorkspace(workspace);
}
