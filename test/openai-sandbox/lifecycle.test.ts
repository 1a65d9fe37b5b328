import { Runner, RunState, setTracingDisabled, tool } from '@openai/agents';
import { Manifest, SandboxAgent } from '@openai/agents/sandbox';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { removeSandboxes, temporaryFolder, testClient } from './support.js';

afterAll(removeSandboxes);

beforeAll(() => setTracingDisabled(true));

type Client = ReturnType<typeof testClient>;

const manifest = new Manifest({ entries: { 'a.txt': { type: 'file', content: 'one\n' } } });

/** Asks a person, so that a run is interrupted. */
const ask = tool({
  name: 'ask',
  description: 'Asks.',
  parameters: z.object({}),
  needsApproval: true,
  execute: () => 'yes',
});

/** A model that runs commands, one in each turn. `ask` stands for the tool of that name. */
function modelOf(...commands: string[]): ScriptedModel {
  const calls = commands.map((cmd, index) =>
    cmd === 'ask'
      ? functionCall('ask', {}, { callId: `call-${index}` })
      : functionCall('exec_command', { cmd }, { callId: `call-${index}` }),
  );
  return new ScriptedModel([...calls.map((call) => [call]), [assistantMessage('done')]]);
}

const agentOf = (client: Client, model: ScriptedModel) =>
  new SandboxAgent({
    name: 'Test',
    model,
    tools: [ask],
    defaultManifest: manifest,
    capabilities: client.capabilities(),
  });

/** The output of the last command. */
function lastOutput(model: ScriptedModel): string {
  const input = (model.lastCall?.request.input ?? []) as { type?: string; output?: { text?: string } }[];
  const text = input.findLast(({ type }) => type === 'function_call_result')?.output?.text ?? '';
  return text.slice(text.indexOf('Output:\n') + 'Output:\n'.length);
}

describe('a run of an agent that names its manifest', () => {
  it('tells the model the path that commands know, also of its working directory', async () => {
    const client = testClient();
    const model = modelOf('pwd');
    const withFolder = new Manifest({ entries: { sub: { type: 'dir', description: 'work here' } } });
    await new Runner({ sandbox: { client, cwd: 'sub', manifest: withFolder } }).run(agentOf(client, model), 'go');
    const told = model.lastCall?.request.systemInstructions ?? '';
    expect(told).toContain(`working directory is \`${lastOutput(model).trim()}\``);
    expect(told).toContain(`# ${lastOutput(model).trim()} - work here`);
    expect(lastOutput(model)).toBe('/workspace/sub\n');
  });

  it('goes on in the session that the host has made of it', async () => {
    const client = testClient();
    const session = await client.create(manifest);
    const added = new Manifest({ entries: { ...manifest.entries, 'b.txt': { type: 'file', content: 'two\n' } } });
    for (const named of [manifest, added]) {
      const model = modelOf('cat *.txt');
      await new Runner({ sandbox: { session, manifest: named } }).run(agentOf(client, model), 'go');
      expect(lastOutput(model)).toBe(named === added ? 'one\ntwo\n' : 'one\n');
    }
    await session.close();
  });

  it('goes on after an approval where it was, in this process', async () => {
    const client = testClient();
    const model = modelOf('echo two > b.txt', 'ask', 'cat b.txt');
    const agent = agentOf(client, model);
    const runner = new Runner({ sandbox: { client } });
    const { state, interruptions } = await runner.run(agent, 'go');
    for (const item of interruptions) state.approve(item);
    await runner.run(agent, state);
    expect(lastOutput(model)).toBe('two\n');
  });

  it('goes on after an approval with another client, from the text of its state', async () => {
    const folders = {
      workspaceBaseDir: temporaryFolder(),
      snapshot: { type: 'local', baseDir: temporaryFolder() } as const,
    };
    const model = modelOf('echo two > b.txt', 'ask', 'cat b.txt');
    const client = testClient(folders);
    const { state } = await new Runner({ sandbox: { client } }).run(agentOf(client, model), 'go');
    const other = testClient(folders);
    const agent = agentOf(other, model);
    const resumed = await RunState.fromString(agent, state.toString());
    for (const item of resumed.getInterruptions()) resumed.approve(item);
    await new Runner({ sandbox: { client: other } }).run(agent, resumed);
    expect(lastOutput(model)).toBe('two\n');
  });

  it('goes on in a state that the host has kept', async () => {
    const client = testClient();
    const session = await client.create(manifest);
    await session.exec({ cmd: 'echo two > b.txt' });
    const kept = JSON.stringify(await client.serializeSessionState(session.state));
    await session.close();
    const sessionState = await client.deserializeSessionState(JSON.parse(kept));
    const model = modelOf('cat b.txt');
    await new Runner({ sandbox: { client, sessionState } }).run(agentOf(client, model), 'go');
    expect(lastOutput(model)).toBe('two\n');
  });
});
