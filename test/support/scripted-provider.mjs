// Loaded with `node --import` before an example, so that its agent, which names no model, uses a scripted one.
import { readFileSync } from 'node:fs';
import { setDefaultModelProvider, setTracingDisabled } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';

setTracingDisabled(true);
/** The tools of the SDK's sandboxes have other names than ours. */
const isSandboxed = readFileSync(process.argv[1] ?? '', 'utf8').includes('SandboxAgent');
const call = (command, callId) =>
  isSandboxed
    ? functionCall('exec_command', { cmd: command }, { callId })
    : functionCall('terminal_run', { command, cwd: null, timeout_ms: null }, { callId });
const model = new ScriptedModel([
  [call('git --version', 'call-1')],
  [call('git push --force', 'call-2')],
  [assistantMessage('The example ran.')],
]);
setDefaultModelProvider({ getModel: async () => model });
process.on('exit', () => {
  const outputs = model.lastCall?.request.input.filter(({ type }) => type === 'function_call_result') ?? [];
  for (const { output } of outputs) process.stderr.write(`${output.text ?? output}\n`);
});
