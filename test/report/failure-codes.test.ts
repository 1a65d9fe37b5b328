/** One table of failure codes: whatever a program was started as, the same trouble has the same code. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Failure, type FailureCode, isHandrailError, Terminal } from '../../ts/index.js';
import { killTogether, supervisorsOf } from '../kill/family.js';
import { nodeServer, routers } from '../mcp/routers.js';
import { folderPerTest } from '../support/folder.js';
import { live } from '../support/live.js';
import { living, marker, until } from '../support/processes.js';

const { host } = live();
const open = routers();
const folder = folderPerTest();
const terminals: Terminal[] = [];

afterEach(async () => {
  await Promise.all(terminals.splice(0).map((terminal) => terminal.close()));
});

/** What a program was to be, and where it starts. */
interface Start {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** How it ended, or why it never ran. */
interface Ended {
  readonly status?: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly failure?: Failure | undefined;
  readonly survivors?: unknown;
  readonly sandbox?: unknown;
}

/** The reason of an error that says that nothing was started. */
function refused(error: unknown): Ended {
  if (!isHandrailError(error) || error.code !== 'ERR_INVALID_ARGUMENT') throw error;
  return { failure: { code: error.data?.['reason'] as FailureCode, message: error.message } };
}

const KINDS: Readonly<Record<string, (start: Start) => Promise<Ended>>> = {
  'a run': async ({ program, args, cwd }) => {
    const terminal = new Terminal({ allow: ['sleep', 'none-such'] });
    terminals.push(terminal);
    return await terminal.run([program, ...args], { cwd });
  },
  'a session': async ({ program, args, cwd }) => {
    const { sessions } = host();
    try {
      const session = await sessions.open(program, { args, cwd });
      return await session.ended;
    } catch (error) {
      return refused(error);
    }
  },
  'a service': async ({ program, args, cwd }) => {
    const { services } = host();
    try {
      const service = await services.start({ command: program, args, cwd, onOutput: () => undefined });
      return await service.ended;
    } catch (error) {
      return refused(error);
    }
  },
};

describe.each(Object.entries(KINDS))('of %s', (_kind, start) => {
  it('whose supervisor is killed: the same code in an end of the same shape', async () => {
    const mark = marker();
    const ending = start({ program: 'sleep', args: [mark], cwd: folder() });
    expect(await until(() => living(mark).length > 0)).toBeDefined();
    for (const supervisor of supervisorsOf()) killTogether(supervisor);
    const { status, exitCode, signal, failure, survivors, sandbox } = await ending;
    expect({ status, exitCode, signal, survivors }).toEqual({
      status: 'signaled',
      exitCode: null,
      signal: 'SIGKILL',
      survivors: 'unknown',
    });
    expect(failure).toEqual({ code: 'supervisor_lost', message: expect.stringMatching(/^the supervisor was killed/) });
    expect(sandbox).toMatchObject({ profile: 'default' });
  });

  it('whose program is missing', async () => {
    const ended = await start({ program: 'none-such', args: [], cwd: folder() });
    expect(ended.failure?.code).toBe('program_not_found');
  });

  it('whose directory is gone', async () => {
    const gone = path.join(folder(), 'gone');
    mkdirSync(gone);
    rmSync(gone, { recursive: true });
    expect((await start({ program: 'sleep', args: ['0'], cwd: gone })).failure?.code).toBe('not_found');
  });
});

it('of a run in a root that was removed while it was in use: the code of a directory that never was', async () => {
  const root = path.join(folder(), 'root');
  mkdirSync(root);
  const terminal = new Terminal({ allow: ['true'], roots: [root] });
  terminals.push(terminal);
  expect((await terminal.run('true')).ok).toBe(true);
  rmSync(root, { recursive: true });
  const { status, failure } = await terminal.run('true');
  expect({ status, code: failure?.code }).toEqual({ status: 'spawn_failed', code: 'not_found' });
});

describe('of an MCP server', () => {
  it('whose supervisor is killed', async () => {
    const { call } = await open([nodeServer('one')]);
    const silent = call('mcp__one__silent');
    const supervisors = supervisorsOf();
    expect(supervisors).toHaveLength(1);
    for (const supervisor of supervisors) killTogether(supervisor);
    expect(await silent).toMatchObject({ status: 'interrupted', failure: { code: 'supervisor_lost' } });
  });

  it.each([
    ['program', 'program_not_found'],
    ['home', 'not_found'],
  ])('whose %s is gone when it is started again', async (gone, code) => {
    const program = path.join(folder(), 'program');
    const home = path.join(folder(), 'home');
    symlinkSync(process.execPath, program);
    mkdirSync(home);
    const { args = [] } = nodeServer('one');
    const { call } = await open([{ name: 'one', command: program, args }], { cwd: home });
    rmSync(path.join(folder(), gone), { recursive: true });
    await call('mcp__one__die', { code: 3 });
    const answer = await call('mcp__one__echo', { text: 'a' });
    expect(answer).toMatchObject({ status: 'unavailable', failure: { code } });
  });
});
