import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Runner } from '@openai/agents';
import { SandboxAgent, type SandboxSession } from '@openai/agents/sandbox';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import {
  type HandrailSandboxOptions,
  type HandrailSandboxSession,
  handrailSandbox,
} from '../../ts/openai-sandbox/index.js';

const folders: string[] = [];
const sessions: HandrailSandboxSession[] = [];

/** A folder that `removeSandboxes` removes. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-test-sandbox-'));
  folders.push(folder);
  return folder;
}

/** Closes the sessions and removes the folders of a file of tests, at its end. */
export async function removeSandboxes(): Promise<void> {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A client whose workspaces and snapshots lie in a folder of the test; every program but `rm` may run. */
export function testClient(options: HandrailSandboxOptions = {}) {
  const folder = temporaryFolder();
  return handrailSandbox({
    workspaceBaseDir: folder,
    snapshot: { type: 'local', baseDir: path.join(folder, 'snapshots') },
    terminal: { deny: ['rm'], trustInterpreters: ['python3', 'node', 'perl'] },
    ...options,
  });
}

/** A session that `removeSandboxes` closes. */
export async function testSession(
  options: HandrailSandboxOptions = {},
  args?: Parameters<ReturnType<typeof handrailSandbox>['create']>[0],
): Promise<HandrailSandboxSession> {
  const session = await testClient(options).create(args);
  sessions.push(session);
  return session;
}

/** Runs calls of tools, one for each turn, through the SDK's own runner, and gives what the model saw of each. */
export async function seenByModel(
  client: ReturnType<typeof handrailSandbox>,
  calls: readonly { readonly tool: string; readonly args: Record<string, unknown> }[],
  { signal, session }: { readonly signal?: AbortSignal; readonly session?: SandboxSession } = {},
): Promise<string[]> {
  const turns = calls.map(({ tool, args }, index) => [functionCall(tool, args, { callId: `call-${index}` })]);
  const model = new ScriptedModel([...turns, [assistantMessage('done')]]);
  const agent = new SandboxAgent({ name: 'Test', model, capabilities: client.capabilities() });
  const runner = new Runner({ sandbox: session === undefined ? { client } : { client, session }, model });
  await runner.run(agent, 'go', { ...(signal === undefined ? {} : { signal }), maxTurns: calls.length + 1 });
  const input = (model.lastCall?.request.input ?? []) as { type?: string; output?: { text?: string } | string }[];
  return input
    .filter(({ type }) => type === 'function_call_result')
    .map(({ output }) => (typeof output === 'string' ? output : (output?.text ?? '')));
}
