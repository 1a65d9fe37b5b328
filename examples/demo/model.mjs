// The agent's model: a real one where there is a key, otherwise a script that makes the same calls each time.
import { setTracingDisabled } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';

const CALLS = [
  { command: 'git status --short --branch' },
  { command: 'git diff --stat' },
  { command: 'rm -rf .git' },
  { command: 'cat .env' },
  { command: 'setsid --wait sleep 300', timeout_ms: 700 },
  { command: 'seq 1 3000000' },
];

const CLOSING =
  'price.js has one change that is not committed. I was not allowed to remove .git, the values in .env were masked, ' +
  'the server did not stop by itself and was ended, and the listing was too long to read in full.';

/** What a real model is asked to do: the same as the script. */
export const TASK = [
  'You are in a git repository. Use terminal_run for each step, one call per step, in this order:',
  '1. show the status; 2. show which files changed; 3. try to remove the folder .git; 4. print the file .env;',
  '5. run `setsid --wait sleep 300` with timeout_ms 700; 6. run `seq 1 3000000`.',
  'Do not repeat a step that was denied. Then say in two sentences what you learned.',
].join('\n');

/** @returns {{label: string, model: import('@openai/agents').Model | string | undefined}} */
export function chooseModel(environment) {
  // Spans would hold arguments and outputs, and would be sent away.
  setTracingDisabled(true);
  if (environment.OPENAI_API_KEY) {
    const model = environment.OPENAI_MODEL || undefined;
    return { label: model ?? "the SDK's default model", model };
  }
  const steps = CALLS.map((args, index) => [
    functionCall('terminal_run', { cwd: null, timeout_ms: null, ...args }, { callId: `call-${index + 1}` }),
  ]);
  return { label: 'scripted', model: new ScriptedModel([...steps, [assistantMessage(CLOSING)]]) };
}
