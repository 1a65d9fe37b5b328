import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Agent, RunContext, Runner, RunState, type Tool, tool, toolNamespace } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { agentTools } from '../../ts/adapters/openai-agents.js';
import type { Toolkit } from '../../ts/toolkit.js';
import { REPOSITORY } from '../support/copy.js';
import { toolkits } from '../support/toolkits.js';

const { workspace, make } = toolkits();
const runner = new Runner({ tracingDisabled: true });
const RESTORED = path.join(REPOSITORY, 'test/adapters/restored-run.mjs');

/** A folder that a command can discard, which the policy asks about. */
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(workspace, 'run-'));
  for (const name of ['a', 'b']) mkdirSync(path.join(folder, name));
});

const discard = (name: string): string => `find ${path.basename(folder)}/${name} -delete`;
const exists = (name: string): boolean => existsSync(path.join(folder, name));

/** One turn of the scripted model: commands by the ids of their calls. */
type Turn = Readonly<Record<string, string>>;

function scripted(...turns: readonly Turn[]): ScriptedModel {
  const calls = turns.map((turn) =>
    Object.entries(turn).map(([callId, command]) => functionCall('terminal_run', { command }, { callId })),
  );
  return new ScriptedModel([...calls, [assistantMessage('done')]]);
}

/** What the model read as answers, by the id of the call. */
function answers(model: ScriptedModel): Record<string, string> {
  const input = (model.lastCall?.request.input ?? []) as {
    type?: string;
    callId?: string;
    output?: { text: string };
  }[];
  return Object.fromEntries(
    input
      .filter(({ type }) => type === 'function_call_result')
      .map(({ callId, output }) => [callId ?? '', output?.text ?? JSON.stringify(output)]),
  );
}

const lists = { terminal: { allow: ['find', 'echo'] } };

async function agentOf(model: ScriptedModel, tools?: (toolkit: Toolkit) => Tool[]): Promise<Agent> {
  const toolkit = await make(lists);
  return new Agent({ name: 'Test', model, tools: tools?.(toolkit) ?? agentTools(toolkit, { approval: 'interrupt' }) });
}

/** The same tool without the guard: the SDK decides alone, and what it lets through is approved. */
function unguarded(toolkit: Toolkit): Tool[] {
  return [
    tool({
      name: 'terminal_run',
      description: 'Runs a command.',
      strict: false,
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      needsApproval: async (_context, input) => toolkit.explain('terminal_run', input).decision === 'ask',
      execute: async (input) =>
        (await toolkit.execute('terminal_run', input, { approve: () => ({ approved: true }) })).content,
    }),
  ];
}

describe("approval: 'interrupt'", () => {
  it('interrupts for what the policy asks about, and for nothing else', async () => {
    const model = scripted({ open: discard('a'), fine: 'echo hello', never: 'curl example.com' });
    const result = await runner.run(await agentOf(model), 'go');
    expect(result.interruptions.map(({ rawItem }) => 'callId' in rawItem && rawItem.callId)).toEqual(['open']);
    expect(exists('a')).toBe(true);
  });

  it('runs what the host approves', async () => {
    const model = scripted({ 1: discard('a') });
    const agent = await agentOf(model);
    const { interruptions, state } = await runner.run(agent, 'go');
    for (const item of interruptions) state.approve(item);
    const result = await runner.run(agent, state);
    expect(result).toMatchObject({ finalOutput: 'done', interruptions: [] });
    expect(answers(model)[1]).toMatch(/^exit 0/);
    expect(exists('a')).toBe(false);
  });

  it('runs it in a namespace too', async () => {
    const call = functionCall('terminal_run', { command: discard('a') }, { callId: '1' });
    const model = new ScriptedModel([[{ ...call, namespace: 'hands' }], [assistantMessage('done')]]);
    const agent = await agentOf(model, (toolkit) =>
      toolNamespace({ name: 'hands', description: 'Hands.', tools: agentTools(toolkit, { approval: 'interrupt' }) }),
    );
    const { interruptions, state } = await runner.run(agent, 'go');
    for (const item of interruptions) state.approve(item);
    await runner.run(agent, state);
    expect(exists('a')).toBe(false);
  });

  it('tells the model of what the host rejects', async () => {
    const model = scripted({ 1: discard('a') });
    const agent = await agentOf(model);
    const { interruptions, state } = await runner.run(agent, 'go');
    for (const item of interruptions) state.reject(item, { message: 'Not on a Friday.' });
    expect((await runner.run(agent, state)).finalOutput).toBe('done');
    expect(answers(model)[1]).toBe('Not on a Friday.');
    expect(exists('a')).toBe(true);
  });

  it('interrupts for a session that the policy asks about', async () => {
    const toolkit = await make({ terminal: { allow: ['sh'] } });
    const model = new ScriptedModel([
      [functionCall('session_start', { command: 'sh script' }, { callId: 's' })],
      [assistantMessage('done')],
    ]);
    writeFileSync(path.join(workspace, 'script'), 'echo it ran\n');
    const agent = new Agent({ name: 'Test', model, tools: agentTools(toolkit, { approval: 'interrupt' }) });
    const { interruptions, state } = await runner.run(agent, 'go');
    for (const item of interruptions) state.approve(item);
    await runner.run(agent, state);
    expect(answers(model)['s']).toContain('it ran');
  });

  it('is not there unless it is asked for, and takes no other value', async () => {
    const toolkit = await make(lists);
    const model = scripted({ 1: discard('a') });
    const result = await runner.run(new Agent({ name: 'Test', model, tools: agentTools(toolkit) }), 'go');
    expect(result.interruptions).toEqual([]);
    expect(answers(model)[1]).toContain('no_approver');
    expect(() => agentTools(toolkit, { approval: 'always' as 'interrupt' })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }),
    );
  });

  it('answers with text when the toolkit was closed', async () => {
    const toolkit = await make(lists);
    const model = scripted({ 1: discard('a') });
    const agent = new Agent({ name: 'Test', model, tools: agentTools(toolkit, { approval: 'interrupt' }) });
    await toolkit.close();
    await runner.run(agent, 'go');
    expect(answers(model)[1]).toContain('ERR_CLOSED');
  });
});

describe('an approval holds for one command', () => {
  /** Approves the first call for good, then everything the run still asks. */
  async function approvedForGood(model: ScriptedModel, tools?: (toolkit: Toolkit) => Tool[]) {
    const agent = await agentOf(model, tools);
    const { interruptions, state } = await runner.run(agent, 'go');
    const [first] = interruptions;
    if (first !== undefined) state.approve(first, { alwaysApprove: true });
    return await runner.run(agent, state);
  }

  it('`alwaysApprove` of one command does not run another', async () => {
    const model = scripted({ 1: discard('a') }, { 2: discard('b') });
    expect((await approvedForGood(model)).finalOutput).toBe('done');
    expect([exists('a'), exists('b')]).toEqual([false, true]);
    expect(answers(model)[2]).toMatch(/denied[\s\S]*does not cover it/);
  });

  it('without the guard it does', async () => {
    const model = scripted({ 1: discard('a') }, { 2: discard('b') });
    await approvedForGood(model, unguarded);
    expect([exists('a'), exists('b')]).toEqual([false, false]);
  });

  it('`alwaysApprove` covers the same command again', async () => {
    const model = scripted({ 1: discard('a') }, { 2: discard('a') });
    await approvedForGood(model);
    expect(answers(model)[2]).toContain('No such file');
    expect(answers(model)[2]).not.toContain('denied');
  });

  it('`alwaysApprove` covers nothing where it is not known which of two commands was meant', async () => {
    const model = scripted({ 1: discard('a'), 2: discard('b') });
    await approvedForGood(model);
    expect([exists('a'), exists('b')]).toEqual([true, true]);
  });

  it('a rejected command is not covered by what is approved for good later', async () => {
    const model = scripted({ 1: discard('b') }, { 2: discard('a') }, { 3: discard('b') });
    const agent = await agentOf(model);
    const first = await runner.run(agent, 'go');
    for (const item of first.interruptions) first.state.reject(item);
    const second = await runner.run(agent, first.state);
    for (const item of second.interruptions) second.state.approve(item, { alwaysApprove: true });
    await runner.run(agent, second.state);
    expect([exists('a'), exists('b')]).toEqual([false, true]);
  });

  it('the id of an approved call does not run another command', async () => {
    const model = scripted({ 1: discard('a') }, { 1: discard('b') });
    const agent = await agentOf(model);
    const { interruptions, state } = await runner.run(agent, 'go');
    for (const item of interruptions) state.approve(item);
    await expect(runner.run(agent, state)).rejects.toThrow('reused');
    expect([exists('a'), exists('b')]).toEqual([false, true]);
  });

  it('a call that the SDK was never asked about is not approved', async () => {
    const [run] = agentTools(await make(lists), { tools: ['terminal_run'], approval: 'interrupt' });
    const call = { type: 'function_call' as const, name: 'terminal_run', callId: '1', arguments: '{}' };
    const args = JSON.stringify({ command: discard('a'), cwd: null, timeout_ms: null });
    expect(await run?.invoke(new RunContext(), args, { toolCall: call })).toContain('not_approved');
    expect(await run?.invoke(new RunContext(), args)).toContain('not_approved');
    expect(exists('a')).toBe(true);
  });
});

/** Another folder of the same name takes its place. */
function exchange(name: string): void {
  renameSync(path.join(folder, name), path.join(folder, 'old'));
  mkdirSync(path.join(folder, name));
}

describe('what was exchanged after somebody was asked', () => {
  it('is not what was approved', async () => {
    const model = scripted({ 1: discard('a') });
    const agent = await agentOf(model);
    const { interruptions, state } = await runner.run(agent, 'go');
    exchange('a');
    for (const item of interruptions) state.approve(item);
    await runner.run(agent, state);
    expect(answers(model)[1]).toContain('not_approved');
    expect(exists('a')).toBe(true);
  });

  it('is taken for it without the guard', async () => {
    const model = scripted({ 1: discard('a') });
    const agent = await agentOf(model, unguarded);
    const { interruptions, state } = await runner.run(agent, 'go');
    exchange('a');
    for (const item of interruptions) state.approve(item);
    await runner.run(agent, state);
    expect(exists('a')).toBe(false);
  });
});

describe('a run that was written down', () => {
  it('goes on in the same process with what was approved', async () => {
    const model = scripted({ 1: discard('a') });
    const agent = await agentOf(model);
    const first = await runner.run(agent, 'go');
    const state = await RunState.fromString(agent, first.state.toString());
    for (const item of state.getInterruptions()) state.approve(item);
    await runner.run(agent, await RunState.fromString(agent, state.toString()));
    expect(answers(model)[1]).toMatch(/^exit 0/);
    expect(exists('a')).toBe(false);
  });

  it('covers nothing by `alwaysApprove`, since it does not say of which command', async () => {
    const model = scripted({ 1: discard('a'), 2: discard('b') });
    const agent = await agentOf(model);
    const first = await runner.run(agent, 'go');
    first.state.approve(first.interruptions[1] ?? expect.fail(), { alwaysApprove: true });
    await runner.run(agent, await RunState.fromString(agent, first.state.toString()));
    expect(answers(model)[1]).toContain('not_approved');
    expect([exists('a'), exists('b')]).toEqual([true, true]);
  });

  it('does not run a call whose arguments were changed in what was written down', async () => {
    const model = scripted({ 1: discard('a') });
    const agent = await agentOf(model);
    const first = await runner.run(agent, 'go');
    for (const item of first.interruptions) first.state.approve(item);
    const changed = first.state.toString().replace(discard('a'), discard('b'));
    const going = RunState.fromString(agent, changed).then((state) => runner.run(agent, state));
    await expect(going).rejects.toBeInstanceOf(Error);
    expect([exists('a'), exists('b')]).toEqual([true, true]);
  });

  it.each([
    ['runs what was approved in a new process', 'approve', false],
    ['does not run what was rejected there', 'reject', true],
    ['does not run what nobody decided there', 'nothing', true],
  ])('%s', async (_title, decision, isLeft) => {
    const model = scripted({ 1: discard('a') });
    const first = await runner.run(await agentOf(model), 'go');
    const { status, stderr, stdout } = spawnSync(process.execPath, [RESTORED, workspace, decision], {
      input: first.state.toString(),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ asked: [discard('a')] });
    expect(exists('a')).toBe(isLeft);
    rmSync(folder, { recursive: true, force: true });
  });
});
