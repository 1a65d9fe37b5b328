/** Reports cross as JSON, where no compiler sees them: here the real binding is held to the described types. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Redactor, Terminal } from '../../ts/index.js';
import type { NativeEvent, NativeReport, NativeResult } from '../../ts/native/binding.js';
import { loadNative } from '../../ts/native/loader.js';

const { binding, supervisorPath } = loadNative();
const list = expect.any(Array);
const text = expect.any(String);
const number = expect.any(Number);

/** Every field that is always there. */
const REPORT: Record<Exclude<keyof NativeReport, OptionalField>, unknown> = {
  status: text,
  cuts: expect.any(Object),
  durationMs: number,
  stdoutBytes: number,
  stderrBytes: number,
  keptBytes: number,
  omittedBytes: number,
  spillBytes: number,
  spillComplete: expect.any(Boolean),
  redactions: number,
  survivors: list,
  leftovers: list,
  userMs: number,
  systemMs: number,
  maxRssBytes: number,
  sandbox: list,
};
type OptionalField = {
  [Key in keyof NativeReport]-?: undefined extends NativeReport[Key] ? Key : never;
}[keyof NativeReport];

let folder: string;
let events: NativeEvent[];
let engine: InstanceType<typeof binding.NativeEngine>;
let terminal: InstanceType<typeof binding.NativeTerminal>;
let nextId = 1;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-reports-'));
  const tools = path.join(folder, 'tools');
  mkdirSync(tools);
  writeFileSync(path.join(tools, 'junk'), 'no program', { mode: 0o755 });
  events = [];
  const options = {
    supervisorPath,
    stateParent: folder,
    maxWorkers: 2,
    maxSessions: 1,
    maxServices: 1,
    spillTotalBytes: 1_000_000,
    killing: true,
    confine: true,
  };
  engine = new binding.NativeEngine(options, (event) => events.push(event));
  terminal = new binding.NativeTerminal(engine, new binding.NativeRoots(null), {
    allow: ['bash', 'seq', 'junk'].map((program) => ({ program })),
    trustInterpreters: ['bash'],
    confine: {},
    judging: true,
    shell: 'none',
    writeRules: true,
    lifted: [],
    protectedPaths: [],
    path: ['/usr/bin', '/bin', tools],
    cwd: folder,
    env: [],
    gitEnv: [],
    privateHome: true,
    graceMs: 0,
    headBytes: 10,
    tailBytes: 10,
    spillBytes: 1_000,
    excerptTokens: 0,
    redactor: new binding.NativeRedactor({ secrets: [{ name: 'word', value: 'hunter2secret' }] }),
  });
});

afterAll(async () => {
  await new Promise<void>((resolve) => {
    engine.close(resolve);
  });
  rmSync(folder, { recursive: true });
});

/** Runs it, streamed, and gives what the engine told. */
async function run(command: string[], timeoutMs = 120_000): Promise<{ result: NativeResult; chunks: NativeEvent[] }> {
  const id = nextId;
  nextId += 1;
  const call = { cwd: folder, timeoutMs, merge: false, stream: true, approved: false };
  expect(terminal.run(id, command, call)).toMatchObject({ started: true, verdict: { decision: 'allow' } });
  let done: NativeEvent | undefined;
  await expect.poll(() => (done = events.find((event) => event.kind === 'done' && event.id === id))).toBeDefined();
  const chunks = events.filter((event) => event.kind === 'output' && event.id === id);
  if (done?.kind !== 'done') throw new Error('no end');
  return { result: done.result, chunks };
}

describe('a report', () => {
  test('has every field, with the three texts', async () => {
    const { result, chunks } = await run(['bash', '-c', 'echo out; echo err >&2; exit 3']);
    expect(result).toEqual({
      ...REPORT,
      status: 'exited',
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      output: text,
    });
    expect(result).toMatchObject({
      stdoutBytes: 4,
      stderrBytes: 4,
      keptBytes: 8,
      omittedBytes: 0,
      survivors: [],
      leftovers: [],
    });
    for (const stream of ['stdout', 'stderr']) {
      expect(chunks).toContainEqual({
        kind: 'output',
        id: expect.any(Number),
        chunk: { stream, text: expect.stringMatching(/^(out|err)\n$/) },
      });
    }
  });

  test('names a signal, leftovers and a spill file', async () => {
    const signaled = await run(['bash', '-c', 'sleep 60 & kill -SEGV $$']);
    expect(signaled.result).toEqual({
      ...REPORT,
      status: 'signaled',
      signal: 'SIGSEGV',
      stdout: '',
      stderr: '',
      output: '',
      leftovers: [{ pid: number, program: text }],
    });
    const spilled = await run(['seq', '100']);
    const cut = { unit: 'bytes', bytes: number, chars: number, lines: number, notice: [number, number] };
    expect(spilled.result).toMatchObject({
      cuts: { stdout: cut, output: cut },
      alone: 'stdout',
      output: spilled.result.stdout,
      spillPath: expect.stringContaining(folder),
      spillBytes: 292,
      spillComplete: true,
    });
  });

  test('says why nothing was executed', async () => {
    const { result } = await run(['junk']);
    expect(result).toMatchObject({ status: 'spawn_failed', failure: { code: text, message: text } });
  });

  test('of a deadline has neither code nor signal', async () => {
    const { result } = await run(['bash', '-c', 'sleep 60'], 50);
    expect(result.status).toBe('timed_out');
    expect(result).not.toHaveProperty('exitCode');
    expect(result).not.toHaveProperty('signal');
  });
});

describe('a verdict', () => {
  test('has spans in UTF-16 units and no secret', () => {
    const verdict = terminal.explain('\u{1f600}x hunter2secret');
    expect(verdict).toMatchObject({
      decision: 'deny',
      reasons: [{ rule: text, span: [number, number], message: text }],
    });
    const { reasons } = terminal.explain(['hunter2secret']);
    expect(JSON.stringify(reasons)).toContain('[REDACTED]');
    expect(JSON.stringify(reasons)).not.toContain('hunter2');
  });

  test('of a public terminal is masked by its redactor', async () => {
    const redactor = new Redactor({ secrets: { word: 'hunter2secret' } });
    await using guarded = new Terminal({ allow: ['echo'], redactor });
    const { decision } = await guarded.run(['hunter2secret']);
    expect(decision.reasons[0]?.message).toContain('[REDACTED]');
    expect(decision.reasons[0]?.program).toBe('[REDACTED]');
  });
});
