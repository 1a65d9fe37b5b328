/** The SDK's own tools `shell` and `apply_patch` on a toolkit, through the SDK's own runner. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Agent, applyDiff, RunContext, Runner, type Tool } from '@openai/agents';
import { assistantMessage, ScriptedModel } from '@openai/agents/testing';
import { describe, expect, it } from 'vitest';
import { agentApplyPatchTool, agentShellTool, MAX_SHELL_COMMANDS } from '../../ts/adapters/openai-agents.js';
import { toolkits } from '../support/toolkits.js';

const { workspace, make, audited } = toolkits();

type Turn = NonNullable<ConstructorParameters<typeof ScriptedModel>[0]> extends Iterable<infer Step> ? Step : never;

/** Runs one call and gives what the model would see of it. */
async function seen<Output>(tool: Tool, call: object): Promise<Output> {
  const turn = [{ callId: 'call-1', status: 'completed', ...call }] as unknown as Turn;
  const model = new ScriptedModel([turn, [assistantMessage('done')]]);
  await new Runner({ tracingDisabled: true }).run(new Agent({ name: 'Test', model, tools: [tool] }), 'go');
  const input = model.lastCall?.request.input as Output[] | undefined;
  return input?.at(-1) as Output;
}

interface ShellSeen {
  readonly type: string;
  readonly output: { stdout: string; stderr: string; outcome: { type: string; exitCode?: number | null } }[];
}

interface PatchSeen {
  readonly type: string;
  readonly status: string;
  readonly output: string;
}

const shell = (tool: Tool, ...commands: readonly string[]) => shellAction(tool, { commands });
const shellAction = (tool: Tool, action: object) => seen<ShellSeen>(tool, { type: 'shell_call', action });
const patch = (tool: Tool, operation: object) => seen<PatchSeen>(tool, { type: 'apply_patch_call', operation });

function file(name: string, content: string): void {
  const target = path.join(workspace, name);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
}

const content = (name: string): string => readFileSync(path.join(workspace, name), 'utf8');

describe('agentShellTool', () => {
  const bash = (others: object = {}) =>
    audited({ terminal: { shell: 'bash', allow: ['echo', 'sleep', 'seq', 'cat', 'grep'], ...others } });

  it('runs each command as a call of terminal_run, and records it with the id of the call', async () => {
    const { toolkit, records } = await bash();
    const { type, output } = await shell(agentShellTool(toolkit), 'echo one | cat', 'echo two >&2; exit 3');
    expect(type).toBe('shell_call_output');
    expect(output).toEqual([
      { stdout: 'one\n', stderr: '', outcome: { type: 'exit', exitCode: 0 } },
      { stdout: '', stderr: 'two\n', outcome: { type: 'exit', exitCode: 3 } },
    ]);
    expect(records).toMatchObject([
      { tool: 'terminal_run', callId: 'call-1', decision: 'allow', detail: { command: 'echo one | cat' } },
      { tool: 'terminal_run', callId: 'call-1', detail: { exitCode: 3 } },
    ]);
  });

  it('takes one program without a shell, as the toolkit does', async () => {
    const { output } = await shell(agentShellTool(await make()), 'echo one | cat', 'echo "a b"');
    expect(output[0]?.stderr).toMatch(/^denied: /);
    expect(output[1]?.stdout).toBe('a b\n');
  });

  it('says why a command was denied, and runs what follows', async () => {
    const { toolkit, records } = await bash();
    file('stays.txt', 'x\n');
    const { output } = await shell(agentShellTool(toolkit), 'rm stays.txt', 'echo after');
    expect(output[0]).toMatchObject({ stdout: '', outcome: { type: 'exit', exitCode: null } });
    expect(output[0]?.stderr).toMatch(/^denied: .*\(list\.not_allowed\)[\s\S]*Allowed programs: .*echo/);
    expect(output[1]?.stdout).toBe('after\n');
    expect(records.map(({ decision }) => decision)).toEqual(['deny', 'allow']);
    expect(content('stays.txt')).toBe('x\n');
  });

  it('keeps what was written before the time was up', async () => {
    const { toolkit } = await bash();
    const action = { commands: ['echo started; sleep 600'], timeoutMs: 1_500 };
    const { output } = await shellAction(agentShellTool(toolkit), action);
    expect(output[0]).toMatchObject({ stdout: 'started\n', outcome: { type: 'timeout' } });
    expect(output[0]?.stderr).toMatch(/^timed out after /);
  });

  it("takes no time that is longer than the toolkit's", async () => {
    const { toolkit } = await bash({ timeoutMs: 500 });
    const { output } = await shellAction(agentShellTool(toolkit), { commands: ['sleep 600'], timeoutMs: 3_600_000 });
    expect(output[0]?.outcome).toEqual({ type: 'timeout' });
  });

  it('masks secrets, and bounds what is long by the lines that tell most and by the call', async () => {
    const { toolkit } = await bash();
    const tool = agentShellTool(toolkit);
    const secret = ['hunter2', 'hunter2'].join('-');
    file('app.ini', `password=${secret}\n`);
    const { output } = await shell(tool, 'cat app.ini', 'seq 1 100000');
    expect(output[0]).toMatchObject({ stdout: 'password=[REDACTED]\n', stderr: '[1 secret masked]\n' });
    expect(output[1]?.stdout).toMatch(/\n\[\d+ of 100,000 lines shown; more in \/.*\]\n$/);
    expect(output[1]?.stdout.length).toBeLessThan(40_000);
    const short = await shellAction(tool, { commands: ['seq 1 100000'], maxOutputLength: 200 });
    expect(short).toMatchObject({ maxOutputLength: 200 });
    expect(short.output[0]?.stdout.length).toBeLessThanOrEqual(200);
  });

  it('runs no more commands than a call may have, and says so', async () => {
    const { toolkit, records } = await bash();
    const commands = Array.from({ length: MAX_SHELL_COMMANDS + 2 }, (_, index) => `echo ${index}`);
    const { output } = await shell(agentShellTool(toolkit), ...commands);
    expect(output).toHaveLength(MAX_SHELL_COMMANDS + 1);
    expect(output.at(-1)?.stderr).toMatch(/^2 further commands were not run/);
    expect(records).toHaveLength(MAX_SHELL_COMMANDS);
  });

  it('ends the command when the signal fires', async () => {
    const { toolkit } = await bash();
    const tool = agentShellTool(toolkit, { signal: AbortSignal.timeout(200) });
    const { output } = await shell(tool, 'echo started; sleep 600', 'echo never');
    expect(output[0]).toMatchObject({ stdout: 'started\n', outcome: { type: 'exit', exitCode: null } });
    expect(output[0]?.stderr).toMatch(/^cancelled after /);
    expect(output[1]).toMatchObject({ stdout: '', stderr: 'cancelled before it started' });
  });

  it('throws nothing when the toolkit is closed', async () => {
    const toolkit = await make();
    const tool = agentShellTool(toolkit);
    await toolkit.close();
    const { output } = await shell(tool, 'echo');
    expect(output).toEqual([
      { stdout: '', stderr: 'error: This toolkit was closed (ERR_CLOSED)', outcome: { type: 'exit', exitCode: null } },
    ]);
  });
});

describe('agentApplyPatchTool', () => {
  it('creates, updates, moves and removes a file', async () => {
    const { toolkit, records } = await audited();
    const tool = agentApplyPatchTool(toolkit);
    const created = await patch(tool, { type: 'create_file', path: 'src/a.ts', diff: '+one\n+two\n' });
    expect(created).toMatchObject({
      type: 'apply_patch_call_output',
      status: 'completed',
      output: 'Patched 1 file.\nadd src/a.ts (+2 -0)',
    });
    expect(content('src/a.ts')).toBe('one\ntwo\n');
    const update = { type: 'update_file', path: 'src/a.ts', diff: '@@\n one\n-two\n+2', moveTo: 'src/b.ts' };
    expect(await patch(tool, update)).toMatchObject({ status: 'completed' });
    expect([existsSync(path.join(workspace, 'src/a.ts')), content('src/b.ts')]).toEqual([false, 'one\n2\n']);
    expect(await patch(tool, { type: 'delete_file', path: 'src/b.ts' })).toMatchObject({ status: 'completed' });
    expect(existsSync(path.join(workspace, 'src/b.ts'))).toBe(false);
    expect(records.map(({ tool: name, callId }) => `${name} ${callId}`)).toEqual(
      new Array(3).fill('file_patch call-1'),
    );
  });

  it("refuses what the SDK's applyDiff puts in the first place it finds, or at the top", async () => {
    const text = 'a()\n  x = 1\nb()\n  x = 1\n';
    const ambiguous = '@@\n-  x = 1\n+  x = 2\n';
    const nowhere = '@@\n+x = 0\n';
    expect(applyDiff(text, ambiguous)).toBe('a()\n  x = 2\nb()\n  x = 1\n');
    expect(applyDiff(text, nowhere)).toMatch(/^x = 0\n/);
    const tool = agentApplyPatchTool(await make());
    for (const [diff, expected] of [
      [ambiguous, /old text occurs 2 times in twice\.txt \(lines 2, 4\)[\s\S]*hint: Add lines/],
      [nowhere, /hunk 1: it only adds, and has no line of the file to be found by/],
      ['@@\n-  x = 3\n+  x = 4\n', /Nearest is line/],
    ] as const) {
      file('twice.txt', text);
      const refused = await patch(tool, { type: 'update_file', path: 'twice.txt', diff });
      expect(refused).toMatchObject({ status: 'failed', output: expect.stringMatching(expected) });
      expect(content('twice.txt')).toBe(text);
    }
    const meant = { type: 'update_file', path: 'twice.txt', diff: `@@ b()\n${ambiguous.slice(3)}` };
    expect(await patch(tool, meant)).toMatchObject({ status: 'completed' });
    expect(content('twice.txt')).toBe('a()\n  x = 1\nb()\n  x = 2\n');
  });

  it('does to the files that an operation names what it names, and nothing to others', async () => {
    file('mine.txt', 'x\n');
    file('other.txt', 'y\n');
    file('.env', 'A=1\n');
    const tool = agentApplyPatchTool(await make());
    const diff = '@@\n-x\n+z\n';
    for (const operation of [
      { type: 'update_file', path: 'mine.txt', diff: `${diff}*** Delete File: other.txt\n` },
      { type: 'update_file', path: 'mine.txt', diff: `*** Move to: moved.txt\n${diff}` },
      { type: 'update_file', path: 'mine.txt\n*** Delete File: other.txt', diff },
      { type: 'update_file', path: 'mine.txt', diff, moveTo: 'moved.txt\n*** End Patch' },
      { type: 'create_file', path: 'new.txt', diff: '+a\r*** Delete File: other.txt\n' },
      { type: 'create_file', path: 'new.txt', diff: '+a\n*** Delete File: other.txt' },
      { type: 'create_file', path: ' new.txt', diff: '+a' },
      { type: 'delete_file', path: 'mine.txt\n*** Delete File: other.txt' },
      { type: 'update_file', path: 'mine.txt', diff, moveTo: '.git/hooks/post-commit' },
      { type: 'update_file', path: '../mine.txt', diff },
      { type: 'create_file', path: '/etc/new.txt', diff: '+a' },
      { type: 'delete_file', path: '.env' },
    ]) {
      const refused = await patch(tool, operation);
      expect(refused.status, JSON.stringify(operation)).toBe('failed');
      expect(refused.output).toMatch(/^(?:invalid arguments: |Patch not applied \(0 of 1 file\)\. .*denied: )/);
      expect([content('mine.txt'), content('other.txt'), content('.env')]).toEqual(['x\n', 'y\n', 'A=1\n']);
      expect(['moved.txt', 'new.txt'].filter((name) => existsSync(path.join(workspace, name)))).toEqual([]);
    }
  });

  it('needs to look for that: the same texts in a patch would remove the other file', async () => {
    file('mine.txt', 'x\n');
    file('other.txt', 'y\n');
    const diff = '@@\n-x\n+z\n*** Delete File: other.txt\n';
    const unguarded = `*** Begin Patch\n*** Update File: mine.txt\n${diff}*** End Patch\n`;
    const toolkit = await make();
    await toolkit.execute('file_read', { path: 'other.txt' });
    expect(await toolkit.execute('file_patch', { patch: unguarded })).toMatchObject({ isError: false });
    expect(existsSync(path.join(workspace, 'other.txt'))).toBe(false);
  });

  it('throws nothing when the toolkit is closed', async () => {
    const toolkit = await make();
    const tool = agentApplyPatchTool(toolkit);
    await toolkit.close();
    const failed = { status: 'failed', output: 'error: This toolkit was closed (ERR_CLOSED)' };
    expect(await patch(tool, { type: 'delete_file', path: 'a' })).toMatchObject(failed);
  });
});

describe('both', () => {
  it('are of tools that the toolkit publishes', async () => {
    const toolkit = await make({ tools: ['file_read'] });
    for (const wrap of [agentShellTool, agentApplyPatchTool]) {
      expect(() => wrap(toolkit)).toThrow(expect.objectContaining({ code: 'ERR_UNKNOWN_TOOL' }));
    }
  });

  it('ask the SDK for approval as the host says, and run nothing that it rejects', async () => {
    const { toolkit, records } = await audited();
    const asked: string[] = [];
    const onApproval = async () => ({ approve: false, reason: 'not today' });
    const shellTool = agentShellTool(toolkit, {
      needsApproval: (_context, { commands }) => {
        asked.push(...commands);
        return Promise.resolve(commands.includes('echo no'));
      },
      onApproval,
    });
    expect((await shell(shellTool, 'echo yes')).output[0]?.stdout).toBe('yes\n');
    expect((await shell(shellTool, 'echo no')).output[0]).toMatchObject({ stdout: '' });
    expect(asked).toEqual(['echo yes', 'echo no']);
    const patchTool = agentApplyPatchTool(toolkit, { needsApproval: true, onApproval });
    const created = await patch(patchTool, { type: 'create_file', path: 'asked.txt', diff: '+a' });
    expect(created.status).toBe('failed');
    expect(existsSync(path.join(workspace, 'asked.txt'))).toBe(false);
    expect(records).toHaveLength(1);
    expect(await agentShellTool(toolkit).needsApproval(new RunContext(), { commands: [] })).toBe(false);
  });
});
