import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTracingDisabled } from '@openai/agents';
import { addSandboxEventSink, Manifest, type SandboxEvent } from '@openai/agents/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../ts/audit/record.js';
import type { HandrailSandboxSession } from '../../ts/openai-sandbox/index.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { living, marker, until } from '../support/processes.js';
import { removeSandboxes, seenByModel, temporaryFolder, testClient, testSession } from './support.js';

afterAll(removeSandboxes);

beforeAll(() => setTracingDisabled(true));

describe('a run of the SDK', () => {
  it('runs commands in a workspace that is gone afterwards', async () => {
    const workspaceBaseDir = temporaryFolder();
    const [output = ''] = await seenByModel(testClient({ workspaceBaseDir }), [
      { tool: 'exec_command', args: { cmd: 'pwd; echo hi | tr h H' } },
    ]);
    expect(output).toMatch(
      /^Chunk ID: [0-9a-f]{6}\nWall time: \d+\.\d{4} seconds\nProcess exited with code 0\nOutput:\n/,
    );
    expect(output).toContain('\n/workspace\nHi\n');
    expect(readdirSync(workspaceBaseDir)).toEqual([]);
  });

  it('judges commands, with the reason as their output', async () => {
    const records: AuditRecord[] = [];
    const client = testClient({ audit: (record) => records.push(record) });
    const [output] = await seenByModel(client, [{ tool: 'exec_command', args: { cmd: 'rm -rf .' } }]);
    expect(output).toContain("Process exited with code 126\nOutput:\ndenied: Command 'rm' is denied");
    expect(records).toMatchObject([{ tool: 'terminal_run', callId: 'call-0', decision: 'deny' }]);
  });

  it('goes on with a command, and with a program on a terminal', async () => {
    const outputs = await seenByModel(testClient(), [
      {
        tool: 'exec_command',
        args: { cmd: 'echo started; until [ -e go ]; do sleep 0.02; done; echo ended', yield_time_ms: 300 },
      },
      { tool: 'exec_command', args: { cmd: 'touch go' } },
      { tool: 'write_stdin', args: { session_id: 1, yield_time_ms: LIVENESS_MS } },
      { tool: 'exec_command', args: { cmd: 'read -p "name? " name; test -t 0 && echo "hello $name"', tty: true } },
      { tool: 'write_stdin', args: { session_id: 2, chars: 'Ada\n', yield_time_ms: LIVENESS_MS } },
      { tool: 'write_stdin', args: { session_id: 9 } },
    ]);
    const [begun = '', , over = ''] = outputs;
    expect(begun).toMatch(/Process running with session ID 1\nOutput:\n/);
    expect(over).toMatch(/Process exited with code 0\nOutput:\n/);
    // On a busy machine the first line may come after the first call.
    const shown = [begun, over].map((output) => output.slice(output.indexOf('Output:\n') + 'Output:\n'.length));
    expect(shown.join('').trim()).toMatch(/^started\n+ended$/);
    expect(outputs[3]).toMatch(/Process running with session ID 2\nOutput:\nname\? /);
    expect(outputs[4]).toMatch(/Process exited with code 0\nOutput:\nhello Ada/);
    expect(outputs[5]).toContain('Process exited with code 1\nOutput:\nwrite_stdin failed: session not found: 9');
  });

  it('ends a command when the run is aborted', async () => {
    const client = testClient();
    const session = await client.create();
    const marker = path.join(session.state.workspaceRootPath, 'began');
    const controller = new AbortController();
    const run = seenByModel(
      client,
      [{ tool: 'exec_command', args: { cmd: 'touch began; sleep 600', yield_time_ms: 600_000 } }],
      {
        signal: controller.signal,
        session,
      },
    );
    await expect.poll(() => existsSync(marker), { timeout: 20_000 }).toBe(true);
    controller.abort();
    await run.catch(() => undefined);
    expect(await session.execCommand({ cmd: 'pgrep -f "sleep 60[0]" || echo none' })).toContain('none');
    await session.close();
  });

  it('runs what the host asks for within a call, and not the command of the model again', async () => {
    const secret = `k9Fq2m${'Zx81Lp0a'}`;
    const ofHost = new Map<string, Promise<string>>();
    let session: HandrailSandboxSession | undefined;
    const askOnce = (word: string): void => {
      if (ofHost.has(word) || session === undefined) return;
      ofHost.set(word, session.execCommand({ cmd: `echo ${word} > ${word}` }));
    };
    const client = testClient({
      redaction: { secrets: { TOKEN: secret } },
      approve: () => {
        askOnce('asked');
        return { approved: true };
      },
      audit: () => askOnce('recorded'),
    });
    session = await client.create();
    // A bare shell needs approval.
    const args = { cmd: `echo ${secret} >> model; bash < /dev/null` };
    await seenByModel(client, [{ tool: 'exec_command', args }], { session });
    await Promise.all(ofHost.values());
    const { workspaceRootPath: root } = session.state;
    const contents = ['asked', 'recorded', 'model'].map((name) => readFileSync(path.join(root, name), 'utf8'));
    expect(contents).toEqual(['asked\n', 'recorded\n', `${secret}\n`]);
    await session.close();
  });

  it('shows spans and events of the sandbox no secret of a command', async () => {
    const events: SandboxEvent[] = [];
    const remove = addSandboxEventSink((event) => void events.push(event));
    const secret = `k9Fq2m${'Zx81Lp0a'}`;
    const args = { cmd: `export PASSWORD=${secret}; echo \${#PASSWORD}` };
    const [output] = await seenByModel(testClient(), [{ tool: 'exec_command', args }]).finally(remove);
    expect(output).toContain('Output:\n14\n');
    const commands = events.filter(({ name }) => name === 'sandbox.exec');
    expect(commands).toHaveLength(2);
    expect(JSON.stringify(events)).not.toContain(secret);
    expect(commands[0]?.data?.['cmd']).toContain('PASSWORD=[REDACTED]');
  });
});

describe('a session', () => {
  it('masks the values of the manifest in outputs and in files', async () => {
    const value = 'correct-horse-9';
    const session = await testSession({}, { manifest: { environment: { DEPLOY: value } } });
    const { stdout } = await session.exec({ cmd: `echo "$DEPLOY" \${#DEPLOY} | tee note.txt` });
    expect(stdout).toBe('[REDACTED] 15\n');
    expect(readFileSync(path.join(session.state.workspaceRootPath, 'note.txt'), 'utf8')).toBe(`${value} 15\n`);
    expect(Buffer.from(await session.readFile({ path: 'note.txt' })).toString()).not.toContain(value);
  });

  it('takes paths beneath the root that the manifest named, and rewrites no text', async () => {
    const manifest = new Manifest({ entries: { 'a.txt': { type: 'file', content: 'one\n' } } });
    const session = await testSession({}, manifest);
    expect(Buffer.from(await session.readFile({ path: '/workspace/a.txt' })).toString()).toBe('one\n');
    expect((await session.exec({ cmd: 'printf %s /workspace | wc -c; cat a.txt', workdir: '/workspace' })).stdout).toBe(
      '10\none\n',
    );
    expect(session.state.manifest.root).toBe('/workspace');
  });

  it('changes files by diffs, and refuses protected places and those outside', async () => {
    const session = await testSession();
    const editor = session.createEditor();
    await editor.createFile({ type: 'create_file', path: 'a.txt', diff: '+one\n+two\n' });
    await editor.updateFile({ type: 'update_file', path: 'a.txt', diff: '@@\n one\n-two\n+2\n', moveTo: 'b/c.txt' });
    expect(Buffer.from(await session.readFile({ path: 'b/c.txt' })).toString()).toBe('one\n2\n');
    await editor.deleteFile({ type: 'delete_file', path: 'b/c.txt' });
    expect(await session.pathExists('b/c.txt')).toBe(false);
    for (const outside of ['../x', '/etc/x', '.git/hooks/pre-commit', '.bashrc']) {
      const operation = { type: 'create_file', path: outside, diff: '+x\n' } as const;
      await expect((async () => editor.createFile(operation))()).rejects.toThrow();
    }
    expect(existsSync(path.join(session.state.workspaceRootPath, '.git'))).toBe(false);
  });

  it('reads pictures, folders and files, and follows no link out of the workspace', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4////fwAJ+wP9KobjigAAAABJRU5ErkJggg==',
      'base64',
    );
    const session = await testSession(
      {},
      { manifest: { entries: { d: { type: 'dir', children: { 'p.png': { type: 'file', content: png } } } } } },
    );
    const root = session.state.workspaceRootPath;
    writeFileSync(path.join(root, 'd', 'text.png'), 'no picture');
    symlinkSync('/etc/passwd', path.join(root, 'out.png'));
    symlinkSync('/etc', path.join(root, 'etc'));
    expect(await session.viewImage({ path: 'd/p.png' })).toEqual({
      type: 'image',
      image: { data: Uint8Array.from(png), mediaType: 'image/png' },
    });
    await expect(session.viewImage({ path: 'd/text.png' })).rejects.toThrow(/Unsupported image format/);
    await expect(session.viewImage({ path: 'd' })).rejects.toThrow(/not a file/);
    await expect(session.viewImage({ path: 'none.png' })).rejects.toThrow(/not found/);
    for (const name of ['out.png', 'etc/passwd', '/etc/passwd', '../x']) {
      await expect((async () => session.viewImage({ path: name }))()).rejects.toThrow();
      await expect((async () => session.readFile({ path: name }))()).rejects.toThrow();
    }
    expect(await session.listDir({ path: 'd' })).toEqual([
      { name: 'p.png', path: 'd/p.png', type: 'file' },
      { name: 'text.png', path: 'd/text.png', type: 'file' },
    ]);
    expect(await session.directoryExists('d')).toBe(true);
    expect(await session.directoryExists('d/p.png')).toBe(false);
    expect(Buffer.from(await session.readFile({ path: 'd/text.png', maxBytes: 2 })).toString()).toBe('no');
  });

  it('is closed for good, and leaves neither a process nor its workspace', async () => {
    const session = await testSession();
    const { sessionId } = await session.exec({ cmd: 'setsid sleep 611 & sleep 612', yieldTimeMs: 300 });
    expect(sessionId).toBe(1);
    await session.stop();
    expect((await session.exec({ cmd: 'pgrep -f "sleep 61[12]" || echo none' })).stdout).toBe('none\n');
    await session.close();
    expect(await session.running()).toBe(false);
    expect(existsSync(session.state.workspaceRootPath)).toBe(false);
    await expect(session.exec({ cmd: 'true' })).rejects.toThrow('was closed');
  });

  it.each([false, true])('ends a command whose first output is still waited for, with a terminal: %s', async (tty) => {
    const session = await testSession();
    const mark = marker();
    const waiting = session.exec({ cmd: `sleep ${mark}`, tty, yieldTimeMs: 600_000 });
    await until(() => living(mark).length > 0);
    await session.stop();
    expect((await waiting).exitCode).toBeGreaterThan(0);
    expect(living(mark)).toEqual([]);
    expect((await session.exec({ cmd: 'echo on' })).stdout).toBe('on\n');
  });

  it('bounds outputs by the tokens of the toolkit', async () => {
    const session = await testSession({ limits: { resultTokens: 200 } });
    const { output, originalTokenCount } = await session.exec({ cmd: 'seq 1 300000', maxOutputTokens: 1_000_000 });
    expect(output.length).toBeLessThan(2_000);
    expect(output).toMatch(/lines shown\]/);
    expect(originalTokenCount).toBeGreaterThan(1_000);
  });
});
