// Takes up a run of another process: its state comes on standard input, what to do with what waits as an argument.
import { text } from 'node:stream/consumers';
import { Agent, Runner, RunState } from '@openai/agents';
import { assistantMessage, ScriptedModel } from '@openai/agents/testing';
import { agentTools } from '../../dist/adapters/openai-agents.js';
import { createToolkit } from '../../dist/index.js';

const [, , workspace, decision] = process.argv;
const toolkit = await createToolkit({ workspace, terminal: { allow: ['find', 'echo'] } });
const model = new ScriptedModel([[assistantMessage('done')]]);
const agent = new Agent({ name: 'Test', model, tools: agentTools(toolkit, { approval: 'interrupt' }) });
const state = await RunState.fromString(agent, await text(process.stdin));
const waiting = state.getInterruptions();
const asked = waiting.map(({ name, arguments: args }) => toolkit.explain(name, JSON.parse(args)).question?.command);
for (const item of waiting) {
  if (decision === 'approve') state.approve(item);
  if (decision === 'reject') state.reject(item);
}
const result = await new Runner({ tracingDisabled: true }).run(agent, state);
process.stdout.write(JSON.stringify({ asked, left: result.interruptions.length }));
await toolkit.close();
