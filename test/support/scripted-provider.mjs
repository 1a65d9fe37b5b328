// Loaded with `node --import` before an example, so that its agent, which names no model, uses a scripted one.
import { setDefaultModelProvider, setTracingDisabled } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';

setTracingDisabled(true);
const model = new ScriptedModel([
  [functionCall('terminal_run', { command: 'git --version', cwd: null, timeout_ms: null }, { callId: 'call-1' })],
  [functionCall('terminal_run', { command: 'git push --force', cwd: null, timeout_ms: null }, { callId: 'call-2' })],
  [assistantMessage('The example ran.')],
]);
setDefaultModelProvider({ getModel: async () => model });
process.on('exit', () => {
  const outputs = model.lastCall?.request.input.filter(({ type }) => type === 'function_call_result') ?? [];
  for (const { output } of outputs) process.stderr.write(`${output.text}\n`);
});
