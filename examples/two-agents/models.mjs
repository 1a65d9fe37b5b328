// The models of both agents: real ones when OPENAI_API_KEY is set, otherwise scripts of fixed calls.
import { setTracingDisabled } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';

// Traces would contain arguments and outputs, and would be sent to a server.
setTracingDisabled(true);

let calls = 0;
const call = (tool, args) => {
  calls += 1;
  return functionCall(tool, args, { callId: `call-${calls}` });
};

const SCRIPTS = {
  Planner: [
    [
      call('chat_send', {
        recipient: 'agent:Builder',
        content: 'Count the lines of todo.txt and note the number. The deploy key is password=hunter2-hunter2.',
        conversation_id: null,
      }),
    ],
    [assistantMessage('I asked Builder.')],
  ],
  Builder: [
    [call('terminal_run', { command: 'wc -l todo.txt', cwd: null, timeout_ms: null })],
    [call('mcp__notes__add', { text: 'todo.txt has 3 lines' })],
    [call('chat_send', { recipient: 'agent:Planner', content: 'todo.txt has 3 lines; noted.', conversation_id: null })],
    [assistantMessage('Done.')],
  ],
};

/** The model of one agent; undefined stands for the SDK's default. */
export function modelOf(agent) {
  if (process.env.OPENAI_API_KEY) return process.env.OPENAI_MODEL || undefined;
  return new ScriptedModel(SCRIPTS[agent]);
}
