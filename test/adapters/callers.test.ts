/** Two agents on one toolkit: none reaches the jobs and sessions of the other. */
import { Agent, Runner, setTracingDisabled } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AgentTool, agentShellTool, agentTools } from '../../ts/adapters/openai-agents.js';
import type { Toolkit } from '../../ts/toolkit.js';
import { toolkits } from '../support/toolkits.js';

const { make } = toolkits();

beforeAll(() => setTracingDisabled(true));

/** A function that makes calls as an agent does, through the runner of the SDK, and gives what the model reads. */
function agent(tools: readonly AgentTool[]) {
  return async (name: string, args: Record<string, unknown>): Promise<string> => {
    const model = new ScriptedModel([[functionCall(name, args, { callId: 'call-1' })], [assistantMessage('done')]]);
    await new Runner({ tracingDisabled: true }).run(new Agent({ name: 'Test', model, tools: [...tools] }), 'go');
    const input = model.lastCall?.request.input as { output: { text: string } }[] | undefined;
    return input?.at(-1)?.output.text ?? '';
  };
}

/** Every way to reach a job `j1` and a session `s1`. */
const REACHES: readonly (readonly [string, Record<string, unknown>])[] = [
  ['job_read', { job: 'j1', since: 0 }],
  ['job_wait', { job: 'j1', until: null, timeout_ms: 1 }],
  ['job_send', { job: 'j1', input: 'planted' }],
  ['session_read', { session: 's1', until: null, timeout_ms: 1 }],
  ['session_send', { session: 's1', input: 'planted', key: null, until: null, timeout_ms: 1 }],
  ['session_send', { session: 's1', input: null, key: 'ctrl-c', until: null, timeout_ms: 1 }],
  ['session_screen', { session: 's1' }],
  ['session_close', { session: 's1' }],
  ['job_end', { job: 'j1' }],
];

const BACKGROUND = { command: 'cat', cwd: null, timeout_ms: null, wait_ms: null, background: true };

/** A toolkit on which an agent of this name has started a job and a session. */
async function started(caller: string | undefined): Promise<Toolkit> {
  const toolkit = await make({ terminal: { allow: ['cat'] }, approve: () => ({ approved: true }) });
  const first = agent(agentTools(toolkit, { caller }));
  expect(await first('terminal_run', BACKGROUND)).toContain('j1');
  expect(await first('session_start', { command: 'cat', cwd: null, until: null, timeout_ms: null })).toContain('s1');
  return toolkit;
}

describe('agents with callers of their own', () => {
  it('do not reach what another has started', async () => {
    const toolkit = await started('first');
    const second = agent(agentTools(toolkit, { caller: 'second' }));
    for (const [name, args] of REACHES) {
      const text = await second(name, args);
      expect(text).toMatch(/There is no (job|session) of this name; none /);
    }
    expect(await second('job_list', {})).not.toContain('j1');
    expect(toolkit.jobs.get('j1')?.result).toBeUndefined();
    // The same agent, with tools that were made anew: in a later turn, say.
    const first = agent(agentTools(toolkit, { caller: 'first' }));
    expect(await first('session_send', { ...REACHES[4]?.[1], timeout_ms: null })).toContain('planted');
    await toolkit.jobs.get('j1')?.end();
    expect(await second('job_list', {})).not.toContain('j1');
    const told = await toolkit.execute('file_list', {}, { caller: 'first' });
    expect(told.content).toContain('[ended since your last call: j1');
  });

  it('reach it where they have the same caller, or none', async () => {
    for (const caller of [undefined, 'one']) {
      const toolkit = await started(caller);
      const second = agent(agentTools(toolkit, { caller }));
      for (const [name, args] of REACHES) expect(await second(name, args)).not.toContain('There is no');
    }
  });

  it('are told of their jobs by their own tools: the shell of another takes no line from them', async () => {
    const toolkit = await started('first');
    await toolkit.jobs.get('j1')?.end();
    const shell = agentShellTool(toolkit, { caller: 'second' });
    await shell.shell?.run({ commands: ['cat /dev/null'] });
    const told = await toolkit.execute('file_list', {}, { caller: 'first' });
    expect(told.content).toContain('[ended since your last call: j1');
  });

  it('are strings', async () => {
    const toolkit = await make();
    const caller = 1 as unknown as string;
    expect(() => agentTools(toolkit, { caller })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });
});
