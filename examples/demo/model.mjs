// The agent's model: a real one when OPENAI_API_KEY is set, otherwise a script of fixed calls.
import { setTracingDisabled } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';

const run = (command, timeout = null) => ['terminal_run', { command, cwd: null, timeout_ms: timeout }];
const edit = (path, old, next) => ['file_edit', { path, edits: [{ old, new: next, all: null }] }];

const start = (command) => ['session_start', { command, cwd: null, timeout_ms: null }];
const send = (input) => ['session_send', { session: 's1', input, key: null, timeout_ms: null }];

const CALLS = [
  run('git status --short --branch'),
  run('git log --oneline | head -2'),
  edit('price.js', 'export const price = (net) => net * 1.2;', 'export const price = (net) => net * 1.19;'),
  edit('price.js', 'net * 1.07', 'net * 1.19'),
  run('git diff --stat; rm -rf .git'),
  run('cat .env'),
  run('setsid --wait sleep 300', 700),
  run('seq 1 3000000'),
  start('bash'),
  send('cd . && vat=19'),
  send('echo "vat is $vat"; rm price.js'),
  send('echo "vat is $vat"'),
  ['mcp__notes__add', { text: 'the tax of price.js is 19 %' }],
  ['chat_send', { recipient: 'agent:Reviewer', content: 'price.js is corrected', conversation_id: null }],
];

const CLOSING =
  'I put the tax back into price.js; my first edit was refused because its text is not in the file. I was not allowed ' +
  'to remove .git, the values in .env were masked, the server did not stop by itself and was ended, the listing was ' +
  'too long to read in full, the shell kept its state between my lines, and Reviewer has a message.';

/** The task for a real model: the same steps as the script. */
export const TASK = [
  'You are in a git repository. Use one call per step, terminal_run unless another tool is named, in this order:',
  '1. show the status; 2. run `git log --oneline | head -2`; 3. with file_edit replace the line',
  '`export const price = (net) => net * 1.2;` of price.js; 4. with file_edit replace `net * 1.07` there by',
  '`net * 1.19`; 5. run `git diff --stat; rm -rf .git`;',
  '6. print the file .env; 7. run `setsid --wait sleep 300` with timeout_ms 700; 8. run `seq 1 3000000`;',
  '9. start the session `bash`; 10. send it `cd . && vat=19`; 11. send it `echo "vat is $vat"; rm price.js`;',
  '12. send it `echo "vat is $vat"`; 13. note with mcp__notes__add that the tax of price.js is 19 %;',
  '14. tell agent:Reviewer with chat_send that price.js is corrected.',
  'Do not repeat a step that was denied. Then say in two sentences what you learned.',
].join('\n');

/** @returns {{label: string, model: import('@openai/agents').Model | string | undefined}} */
export function chooseModel(environment) {
  // Traces would contain arguments and outputs, and would be sent to a server.
  setTracingDisabled(true);
  if (environment.OPENAI_API_KEY) {
    const model = environment.OPENAI_MODEL || undefined;
    return { label: model ?? "the SDK's default model", model };
  }
  const steps = CALLS.map(([tool, args], index) => [functionCall(tool, args, { callId: `call-${index + 1}` })]);
  return { label: 'scripted', model: new ScriptedModel([...steps, [assistantMessage(CLOSING)]]) };
}
