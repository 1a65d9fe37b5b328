/** What the kernel holds the commands of views to: each attack works without the plan. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  type ConfineOptions,
  TerminalTool,
  type TerminalToolOptions,
  ToolExecutor,
  type ToolExecutorOptions,
} from '../../ts/index.js';
import { agterms } from '../support/agterms.js';
import { listeners } from '../support/listener.js';
import { outside } from '../support/outside.js';

const workspace = mkdtempSync(path.join(tmpdir(), 'handrail-confined-'));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const listen = listeners();
const { make } = agterms();
/** What lies in /tmp is a root of executors. */
const beyond = outside('/var/tmp');

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((view) => view.close()));
});

/** A copy, which no list knows, and which truncates. */
const write = (file: string) => `cp /etc/hostname ${file}`;

const connect = (port: number) =>
  `node -e 'require("node:net").connect(${port}, "127.0.0.1").on("connect", () => process.exit(0)).on("error", () => process.exit(3))'`;

describe('TerminalTool', () => {
  async function code(command: string, options: TerminalToolOptions): Promise<number> {
    const tool = new TerminalTool({ cwd: workspace, ...options });
    open.push(tool);
    return (await tool.execute({ command })).exit_code;
  }

  it('writes beneath its roots, or where confine says', async () => {
    expect(await code(write(beyond.path('held')), { roots: [workspace] })).not.toBe(0);
    expect(await code(write('own'), { roots: [workspace] })).toBe(0);
    expect(await code(write('none'), { roots: [workspace], confine: { writes: 'none' } })).not.toBe(0);
    expect([beyond.has('held'), existsSync(path.join(workspace, 'own'))]).toEqual([false, true]);
    expect(await code(write(beyond.path('free')), { roots: [workspace], confine: { writes: 'any' } })).toBe(0);
  });

  it('reaches nothing where confine says so', async () => {
    const { port, reached } = await listen();
    const approve = () => ({ approved: true });
    expect(await code(connect(port), { approve })).toBe(0);
    expect(await code(connect(port), { approve, confine: { network: 'none' } })).toBe(3);
    expect(reached()).toBe(1);
  });

  it('keeps files because it denies rm, unless confine says otherwise', async () => {
    const file = path.join(workspace, 'kept');
    writeFileSync(file, 'x');
    // No list knows what a mover moves.
    expect(await code(`mv kept ${beyond.path('moved')}`, {})).not.toBe(0);
    expect(existsSync(file)).toBe(true);
    expect(await code('mv kept moved', { confine: { remove: 'yes' } })).toBe(0);
  });
});

describe('ToolExecutor', () => {
  async function isError(command: string, options: ToolExecutorOptions): Promise<boolean> {
    const executor = new ToolExecutor(workspace, options);
    open.push(executor);
    return (await executor.execute('bash', { command })).isError;
  }

  it('writes everywhere, or in the workspace and /tmp alone where confine says so', async () => {
    const confine = { writes: 'roots' } as const;
    expect(await isError(write(beyond.path('executor')), { confine })).toBe(true);
    expect(beyond.has('executor')).toBe(false);
    expect(await isError(write('executor'), { confine })).toBe(false);
    expect(await isError(write(beyond.path('executor')), {})).toBe(false);
  });

  it('starts what is listed, or everything where confine says so', async () => {
    writeFileSync(path.join(workspace, 'Makefile'), 'all:\n\t@/bin/expr 40 + 2\n');
    expect(await isError('make', { allow: ['make'] })).toBe(true);
    expect(await isError('make', { allow: ['make'], confine: { exec: 'any' } })).toBe(false);
  });
});

describe('AGTerm', () => {
  const PS1 = 'ready> ';

  async function answer(line: string, confine?: ConfineOptions, allow?: readonly string[]): Promise<string> {
    const options = {
      ...(confine === undefined ? {} : { confine }),
      ...(allow === undefined ? {} : { allow }),
      ...{ cwd: workspace, readyMarkers: [PS1], env: { set: { PS1 } } },
    };
    const terminal = make('bash --norc', options);
    await terminal.readUntilReady();
    return await terminal.sendAndReadUntilReady(line);
  }

  it('does what its program may, or what confine lets it', async () => {
    const { port, reached } = await listen();
    const line = `: > /dev/tcp/127.0.0.1/${port} && echo connected`;
    expect(await answer(line)).toMatch(/^connected/);
    expect(await answer(line, { network: 'none' })).not.toMatch(/^connected/);
    expect(reached()).toBe(1);
    await answer(`: > ${beyond.path('agterm-held')}`, { writes: 'none' });
    await answer(`: > ${beyond.path('agterm')}`);
    expect([beyond.has('agterm-held'), beyond.has('agterm')]).toEqual([false, true]);
  });

  it('starts what its list names, where confine holds it to that', async () => {
    writeFileSync(path.join(workspace, 'Makefile'), 'all:\n\t@/bin/expr 40 + 2\n');
    expect(await answer('make', undefined, ['make'])).toMatch(/^42\n/);
    expect(await answer('make', { exec: 'listed' }, ['make'])).toMatch(/[Pp]ermission denied/);
  });
});
