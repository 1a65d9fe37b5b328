/** Commands know the workspace by the root of the manifest, where they have a view; else by its path on this machine. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Runner, setTracingDisabled } from '@openai/agents';
import { Manifest, SandboxAgent } from '@openai/agents/sandbox';
import { assistantMessage, ScriptedModel } from '@openai/agents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HandrailSandboxOptions, HandrailSandboxSession } from '../../ts/openai-sandbox/index.js';
import { removeSandboxes, testClient, testSession } from './support.js';

afterAll(removeSandboxes);

beforeAll(() => setTracingDisabled(true));

const entries = {
  'notes.txt': { type: 'file', content: 'noted\n' },
  sub: { type: 'dir', children: {} },
} as const;

const sessionAt = (root: string, options?: HandrailSandboxOptions): Promise<HandrailSandboxSession> =>
  testSession(options, new Manifest({ root, entries }));

const outputOf = async (session: HandrailSandboxSession, cmd: string, workdir?: string): Promise<string> =>
  (await session.exec({ cmd, ...(workdir === undefined ? {} : { workdir }) })).stdout;

/** What a model is told of the file system. */
async function toldOf(client: ReturnType<typeof testClient>, root: string): Promise<string> {
  const model = new ScriptedModel([[assistantMessage('done')]]);
  const defaultManifest = new Manifest({ root, entries });
  const agent = new SandboxAgent({ name: 'Test', model, defaultManifest, capabilities: client.capabilities() });
  await new Runner({ sandbox: { client } }).run(agent, 'go');
  return model.lastCall?.request.systemInstructions ?? '';
}

describe('a session whose root is a name that this machine does not have', () => {
  it('has its workspace there for commands of every kind, and the files in the real one', async () => {
    const session = await sessionAt('/workspace');
    const { workspaceRootPath: real, commandRootPath, commandRootReason } = session.state;
    expect({ commandRootPath, commandRootReason }).toEqual({ commandRootPath: '/workspace' });
    expect(await outputOf(session, 'pwd; echo $PWD; pwd -P')).toBe('/workspace\n/workspace\n/workspace\n');
    expect(await outputOf(session, 'cat /workspace/notes.txt; cd /workspace/sub && pwd')).toBe(
      'noted\n/workspace/sub\n',
    );
    expect(await outputOf(session, 'pwd; echo two > /workspace/sub/two.txt', '/workspace/sub')).toBe(
      '/workspace/sub\n',
    );
    expect(readFileSync(path.join(real, 'sub/two.txt'), 'utf8')).toBe('two\n');
    expect(await outputOf(session, 'pwd', path.join(real, 'sub'))).toBe('/workspace/sub\n');
    expect(await outputOf(session, `cat ${real}/notes.txt; printf %s /workspace | wc -c`)).toBe('noted\n10\n');
    expect(existsSync('/workspace')).toBe(false);
  });

  it('has it there on a terminal too, and judges what is typed by where the shell is', async () => {
    const session = await sessionAt('/workspace');
    const { sessionId = 0 } = await session.exec({ cmd: 'bash', tty: true, yieldTimeMs: 5_000 });
    const say = (chars: string) => session.writeStdin({ sessionId, chars: `${chars}\n`, yieldTimeMs: 5_000 });
    expect(await say('cd /workspace/sub; pwd')).toContain('\n/workspace/sub');
    expect(await say('echo typed > here.txt; cat ../notes.txt')).toContain('noted');
    expect(readFileSync(path.join(session.state.workspaceRootPath, 'sub/here.txt'), 'utf8')).toBe('typed\n');
    expect(await say('mkdir -p ../.git; cd ../.git; echo x > config')).toContain('denied');
  });

  it('knows that a program waits which has opened the terminal by its name', async () => {
    const session = await sessionAt('/workspace');
    const python = "f = open('/dev/tty'); print('name? ', end='', flush=True); print('hello', f.readline())";
    const { output, sessionId = 0 } = await session.exec({ cmd: `python3 -c "${python}"`, tty: true });
    expect(output).toContain('name? ');
    expect(await session.writeStdin({ sessionId, chars: 'Ada\n', yieldTimeMs: 5_000 })).toContain('hello Ada');
  });

  it('takes a program of a rule by this path, and a name of several parts', async () => {
    const session = await sessionAt('/agent/work space', { terminal: { allow: ['pwd', 'bin/tool'] } });
    const { workspaceRootPath: real } = session.state;
    mkdirSync(path.join(real, 'bin'));
    writeFileSync(path.join(real, 'bin/tool'), '#!/bin/sh\npwd\n');
    chmodSync(path.join(real, 'bin/tool'), 0o755);
    for (const cmd of ["'/agent/work space/bin/tool'", 'bin/tool', "pwd; '/agent/work space/bin/tool'"]) {
      expect(await outputOf(session, cmd), cmd).toContain('/agent/work space\n');
    }
    const refused = await session.exec({ cmd: "'/agent/work space/bin/other'" });
    expect(refused.exitCode).toBe(126);
  });

  it('follows links that name it as commands do, and none that leads out', async () => {
    const session = await sessionAt('/workspace');
    const { workspaceRootPath: real } = session.state;
    symlinkSync('/workspace/notes.txt', path.join(real, 'inner'));
    symlinkSync('/workspace/../etc', path.join(real, 'outer'));
    symlinkSync('/workspace', path.join(real, 'self'));
    writeFileSync(path.join(real, 'code'), 'rm -r sub\n');
    expect(await outputOf(session, 'cat inner self/inner')).toBe('noted\nnoted\n');
    expect(Buffer.from(await session.readFile({ path: '/workspace/inner' })).toString()).toBe('noted\n');
    await expect(session.readFile({ path: 'outer/passwd' })).rejects.toThrow(/escapes/);
    expect((await session.exec({ cmd: 'echo x > outer/handrail-was-here' })).exitCode).not.toBe(0);
    expect(existsSync('/etc/handrail-was-here')).toBe(false);
    for (const cmd of ['. self/code', '. /workspace/code', 'rm /workspace/code', 'echo x > /workspace/.bashrc']) {
      expect((await session.exec({ cmd })).exitCode, cmd).toBe(126);
    }
    expect(readdirSync(real).toSorted()).toEqual(['code', 'inner', 'notes.txt', 'outer', 'self', 'sub']);
  });

  it('does not run what was changed while somebody was asked, whatever name it has', async () => {
    let change = (): void => undefined;
    const session = await sessionAt('/workspace', {
      approve: () => {
        change();
        return { approved: true };
      },
    });
    const { workspaceRootPath: real } = session.state;
    const script = path.join(real, 'script.sh');
    symlinkSync('/workspace/script.sh', path.join(real, 'linked'));
    for (const name of ['/workspace/script.sh', 'linked', 'script.sh']) {
      writeFileSync(script, 'echo ran\n');
      change = () => writeFileSync(script, 'echo changed\n');
      expect((await session.exec({ cmd: `bash ${name}` })).output, name).toContain('was changed while');
      change = () => undefined;
      expect(await outputOf(session, `bash ${name}`), name).toContain('changed\n');
    }
  });

  it('names what a command was kept from by this path', async () => {
    const session = await sessionAt('/workspace', { terminal: { allow: ['touch'] } });
    const { output } = await session.exec({ cmd: 'touch /handrail-was-here' });
    // An ordinary user may not write there anyway, and is told nothing of the plan.
    if (process.getuid?.() === 0) expect(output).toContain('commands write beneath /workspace and $TMPDIR only');
    expect(output).toContain('cannot touch');
    expect(output).not.toContain(session.state.workspaceRootPath);
  });

  it('tells the model this path', async () => {
    const client = testClient();
    const told = await toldOf(client, '/workspace');
    expect(told).toContain('/workspace/notes.txt');
    expect(told).not.toContain('handrail-sandbox-');
  });
});

describe('a session whose root cannot be shown', () => {
  const long = `/${'x'.repeat(256)}`;
  it.each([
    ['/', 'is the root of the file system'],
    ['/etc', 'begins with /etc'],
    ['/usr/workspace', 'begins with /usr'],
    ['/tmp/handrail-workspace', 'begins with /tmp'],
    ['/proc/1', 'begins with /proc'],
    [long, 'is too long'],
  ])('knows its workspace by its path on this machine where the root is %s', async (root, problem) => {
    const session = await sessionAt(root);
    const { workspaceRootPath: real, commandRootPath, commandRootReason } = session.state;
    expect(commandRootPath).toBe(real);
    expect(commandRootReason).toContain(problem);
    expect(await outputOf(session, 'pwd; cat notes.txt; test -e /etc/passwd && echo whole')).toBe(
      `${real}\nnoted\nwhole\n`,
    );
    expect(Buffer.from(await session.readFile({ path: path.posix.join(root, 'notes.txt') })).toString()).toBe(
      'noted\n',
    );
  });

  it('tells the model the path on this machine', async () => {
    expect(await toldOf(testClient(), '/etc/x')).toMatch(/\/handrail-sandbox-[0-9a-f]{32}\/notes\.txt/);
  });

  it('has no view without a sandbox', async () => {
    const terminal = { deny: ['rm'], sandbox: 'off', confine: {} } as const;
    const session = await sessionAt('/workspace', { terminal });
    const { workspaceRootPath: real, commandRootPath, commandRootReason } = session.state;
    expect({ commandRootPath, commandRootReason }).toEqual({
      commandRootPath: real,
      commandRootReason: 'commands have no mount namespace here',
    });
    expect(await outputOf(session, 'pwd')).toBe(`${real}\n`);
    expect((await session.exec({ cmd: 'cat /workspace/notes.txt' })).exitCode).not.toBe(0);
    expect(await toldOf(testClient({ terminal }), '/workspace')).toMatch(/\/handrail-sandbox-[0-9a-f]{32}\/notes\.txt/);
  });

  it('is not led to a folder of the machine by a state that came back', async () => {
    const client = testClient();
    const session = await client.create(new Manifest({ entries }));
    const kept = await client.serializeSessionState(session.state);
    await session.shutdown();
    const forged = { ...kept, manifest: { ...(kept['manifest'] as object), root: '/etc' } };
    const resumed = await client.resume(await client.deserializeSessionState(JSON.parse(JSON.stringify(forged))));
    expect(resumed.state.commandRootPath).toBe(resumed.state.workspaceRootPath);
    expect(await outputOf(resumed, 'cat notes.txt; grep -c root /etc/passwd')).toMatch(/^noted\n[1-9]/);
    expect(JSON.stringify(kept)).not.toContain('commandRoot');
    await resumed.close();
  });
});
