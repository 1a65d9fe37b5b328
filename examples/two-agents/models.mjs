// The models of both agents: real ones where there is a key, otherwise scripts that make the same calls each time.
import { setTracingDisabled } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';

// Spans would hold arguments and outputs, and would be sent away.
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

/** The model of one agent; undefined is the SDK's default. */
export function modelOf(agent) {
  if (process.env.OPENAI_API_KEY) return process.env.OPENAI_MODEL || undefined;
  return new ScriptedModel(SCRIPTS[agent]);
}
