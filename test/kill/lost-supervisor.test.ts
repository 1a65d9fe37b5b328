import { expect, test } from 'vitest';

import type { CommandResult } from '../../ts/index.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { end, living, marker, until } from '../support/processes.js';
import { killTogether, supervisorsOf, viewsOf } from './family.js';
import { looseTerminal } from './run-escape.js';

/** Long enough to end what is going to be ended. */
const SHORT_MS = 1_000;
const SIDE_BY_SIDE = 8;

function supervisor(): number {
  const supervisors = supervisorsOf();
  expect(supervisors).toHaveLength(1);
  return supervisors[0] as number;
}

/** The number of the worker that serves a run, from the name of its private folder. */
function workerNumber({ stdout }: CommandResult): number {
  return Number(/\/worker-(\d+)\/home/.exec(stdout)?.[1]);
}

/** Fails for a run that hangs, instead of the whole test. */
async function settled(runs: readonly Promise<CommandResult>[]): Promise<(string | undefined)[]> {
  const codes = runs.map(() => 'hangs' as string | undefined);
  const all = runs.map(async (run, index) => {
    const { ok, failure } = await run;
    codes[index] = ok ? 'ok' : failure?.code;
  });
  const late = new Promise((resolve) => setTimeout(resolve, LIVENESS_MS).unref());
  await Promise.race([Promise.all(all), late]);
  return codes;
}

/** Starts each in a turn of its own: of many started in one, some would not have reached the engine yet. */
async function startEach(start: () => Promise<CommandResult>): Promise<Promise<CommandResult>[]> {
  const runs: Promise<CommandResult>[] = [];
  while (runs.length < SIDE_BY_SIDE) {
    runs.push(start());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return runs;
}

test('kill -9 of the supervisor ends its commands, and the host gets results', async () => {
  const { terminal, close } = looseTerminal();
  try {
    const mark = marker();
    const running = terminal.run(['bash', '-c', `echo kept; setsid sleep ${mark} & sleep ${mark}`]);
    await until(() => living(mark).length >= 3);
    process.kill(supervisor(), 'SIGKILL');
    const result = await running;
    expect(result.failure?.code).toBe('supervisor_lost');
    expect(result.stdout).toBe('kept\n');
    expect(await until(() => living(mark).length === 0)).toBeDefined();
    // The next run gets a new supervisor.
    expect((await terminal.run(['bash', '-c', 'echo again'])).stdout).toBe('again\n');
  } finally {
    await close();
  }
});

test('and so does kill -9 of the process that makes views: there could be no workers any more', async () => {
  const { terminal, close } = looseTerminal();
  try {
    const mark = marker();
    const running = terminal.run(['bash', '-c', `echo kept; setsid sleep ${mark} & sleep ${mark}`]);
    await until(() => living(mark).length >= 3);
    const views = viewsOf(supervisor());
    expect(views).toHaveLength(1);
    process.kill(views[0] as number, 'SIGKILL');
    expect((await running).failure?.code).toBe('supervisor_lost');
    expect(await until(() => living(mark).length === 0)).toBeDefined();
    expect((await terminal.run(['bash', '-c', 'echo again'])).stdout).toBe('again\n');
  } finally {
    await close();
  }
});

/** The command and what it starts, when the supervisor and its workers are killed at once. */
async function killAll(
  confine: boolean,
  limitMs: number,
): Promise<{ result: CommandResult; mark: string; gone: boolean }> {
  const { terminal, close } = looseTerminal({ confine });
  try {
    const mark = marker();
    const script = `echo kept; setsid sleep ${mark} & env -i setsid sleep ${mark} & sleep ${mark}`;
    const running = terminal.run(['bash', '-c', script]);
    await until(() => living(mark).length >= 4);
    killTogether(supervisor());
    const result = await running;
    const gone = (await until(() => living(mark).length === 0, limitMs)) !== undefined;
    return { result, mark, gone };
  } finally {
    await close();
  }
}

test('kill -9 of the supervisor and its workers at once ends its commands too', async () => {
  const { result, gone } = await killAll(true, LIVENESS_MS);
  expect(result.failure?.code).toBe('supervisor_lost');
  expect(result.stdout).toBe('kept\n');
  expect(gone).toBe(true);
});

test('the attack works without the confinement that the watchdog needs', async () => {
  const { result, mark, gone } = await killAll(false, SHORT_MS);
  end(living(mark));
  expect(result.failure?.code).toBe('supervisor_lost');
  expect(gone).toBe(false);
});

test('a new supervisor uses no worker number again, and takes no run of the old one', async () => {
  const { terminal, close } = looseTerminal();
  try {
    const seen = new Set<number>();
    for (let supervisors = 1; supervisors <= 2; supervisors += 1) {
      const old = Array.from({ length: SIDE_BY_SIDE }, () => terminal.run(['bash', '-c', 'echo $HOME; sleep 0.2']));
      const numbers = (await Promise.all(old)).map(workerNumber);
      expect(numbers.every((number) => number > 0 && !seen.has(number))).toBe(true);
      for (const number of numbers) seen.add(number);

      const mark = marker();
      const lost = Array.from({ length: SIDE_BY_SIDE }, () => terminal.run(['bash', '-c', `sleep ${mark}`]));
      await until(() => living(mark).length >= SIDE_BY_SIDE);
      process.kill(supervisor(), 'SIGKILL');
      // The first result says that the host knows; the others come while new runs start.
      await Promise.race(lost);
      const fresh = Array.from({ length: SIDE_BY_SIDE }, (_, index) => terminal.run(['bash', '-c', `echo ${index}`]));
      const codes = await settled(lost);
      expect(codes.filter((code) => code !== 'supervisor_lost')).toEqual([]);
      const outputs = (await Promise.all(fresh)).map(({ ok, stdout }) => (ok ? stdout : 'lost'));
      expect(outputs).toEqual(fresh.map((_, index) => `${index}\n`));
      expect(await until(() => living(mark).length === 0)).toBeDefined();
    }
  } finally {
    await close();
  }
});

test('runs that wait for a worker when the supervisor dies are told', async () => {
  const { terminal, close } = looseTerminal({ maxWorkers: 2 });
  try {
    const mark = marker();
    const waiting = await startEach(() => terminal.run(['bash', '-c', `sleep ${mark}`]));
    await until(() => living(mark).length >= 2);
    process.kill(supervisor(), 'SIGKILL');
    // The host starts these before it knows: each is lost with it, or finds the next one.
    const late = Array.from({ length: SIDE_BY_SIDE }, () => terminal.run(['bash', '-c', 'echo late']));
    const lost = await settled(waiting);
    expect(lost.filter((code) => code !== 'supervisor_lost')).toEqual([]);
    const codes = await settled(late);
    expect(codes.filter((code) => code !== 'ok' && code !== 'supervisor_lost')).toEqual([]);
    expect(await until(() => living(mark).length === 0)).toBeDefined();
  } finally {
    await close();
  }
});

test('so are runs that wait for a supervisor that is stopped and then dies', async () => {
  const { terminal, close } = looseTerminal();
  try {
    expect((await terminal.run(['bash', '-c', 'echo up'])).stdout).toBe('up\n');
    const pid = supervisor();
    process.kill(pid, 'SIGSTOP');
    // More than there are idle workers: the others wait for those that it does not make.
    const runs = await startEach(() => terminal.run(['bash', '-c', 'sleep 0.5']));
    process.kill(pid, 'SIGKILL');
    const codes = await settled(runs);
    expect(codes.every((code) => code === 'ok' || code === 'supervisor_lost')).toBe(true);
    expect(codes).toContain('supervisor_lost');
    expect((await terminal.run(['bash', '-c', 'echo again'])).stdout).toBe('again\n');
  } finally {
    await close();
  }
});
