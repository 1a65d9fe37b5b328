/** Reports cross as JSON, where no compiler sees them: here the real binding is held to the generated types. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Redactor, Terminal } from '../../ts/index.js';
import type { NativeEvent, NativeReport } from '../../ts/native/binding.js';
import { jsonOf, read } from '../../ts/native/json.js';
import { loadNative } from '../../ts/native/loader.js';

const { binding, supervisorPath } = loadNative();
const list = expect.any(Array);
const text = expect.any(String);
const number = expect.any(Number);

/** Every field that is always there. */
const END = { survivors: list, leftovers: list, sandbox: list };
const REPORT = {
  streams: {
    stdoutBytes: number,
    stderrBytes: number,
    keptBytes: number,
    omittedBytes: number,
    cuts: {},
  },
  redactions: number,
  durationMs: number,
  usage: { userMs: number, systemMs: number, maxRssBytes: number },
};

interface Told {
  readonly event: NativeEvent;
  readonly beside: string[] | Uint8Array | null | undefined;
}

let folder: string;
let events: Told[];
let engine: InstanceType<typeof binding.NativeEngine>;
let terminal: InstanceType<typeof binding.NativeRunner>;
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
    maxJobs: 1,
    spillTotalBytes: 1_000_000,
    killing: true,
    confine: true,
  };
  engine = new binding.NativeEngine(options, (event, beside) => events.push({ event: read(event), beside }));
  terminal = new binding.NativeRunner(engine, new binding.NativeRoots(null), {
    allow: ['bash', 'seq', 'junk'].map((program) => ({ program })),
    trustInterpreters: ['bash'],
    confine: {},
    judging: true,
    shell: 'none',
    writeRules: true,
    lifted: [],
    protectedPaths: [],
    path: ['/usr/bin', '/bin', tools].map((folder) => ({ path: folder, required: true })),
    cwd: folder,
    env: [],
    gitEnv: [],
    hooks: [],
    privateHome: true,
    graceMs: 0,
    headBytes: 10,
    tailBytes: 10,
    spillBytes: 1_000,
    excerptTokens: 0,
    redactor: new binding.NativeRedactor(jsonOf({ secrets: [{ name: 'word', value: 'hunter2secret' }] })),
  });
});

afterAll(async () => {
  await new Promise<void>((resolve) => {
    engine.close(resolve);
  });
  rmSync(folder, { recursive: true });
});

/** Runs it, streamed, and gives what the engine told. */
async function run(
  command: string[],
  timeoutMs = 120_000,
): Promise<{ report: NativeReport; texts: Told['beside']; chunks: Told[] }> {
  const id = nextId;
  nextId += 1;
  const call = { cwd: folder, timeoutMs, merge: false, stream: true, approved: false, piped: false, job: false };
  expect(read(terminal.run(id, command, call))).toMatchObject({ started: true, decision: { decision: 'allow' } });
  let done: Told | undefined;
  await expect.poll(() => (done = events.find(({ event }) => event.kind === 'done' && event.id === id))).toBeDefined();
  const chunks = events.filter(({ event }) => event.kind === 'output' && event.id === id);
  if (done?.event.kind !== 'done') throw new Error('no end');
  return { report: done.event.report, texts: done.beside, chunks };
}

describe('a report', () => {
  test('has every field, with the three texts beside it', async () => {
    const { report, texts, chunks } = await run(['bash', '-c', 'echo out; echo err >&2; exit 3']);
    expect(report).toEqual({ ...REPORT, end: { ...END, status: 'exited', exitCode: 3 } });
    expect(texts).toEqual(['out\n', 'err\n', text]);
    expect(report).toMatchObject({
      end: { survivors: [], leftovers: [] },
      streams: { stdoutBytes: 4, stderrBytes: 4, keptBytes: 8, omittedBytes: 0 },
    });
    for (const stream of ['stdout', 'stderr']) {
      expect(chunks).toContainEqual({
        event: { kind: 'output', id: expect.any(Number), stream },
        beside: [expect.stringMatching(/^(out|err)\n$/)],
      });
    }
  });

  test('has a text once that is an output and both of them', async () => {
    expect((await run(['bash', '-c', 'echo out'])).texts).toEqual(['out\n', '']);
    expect((await run(['bash', '-c', 'echo err >&2'])).texts).toEqual(['', 'err\n']);
  });

  test('names a signal, leftovers and a spill file', async () => {
    const signaled = await run(['bash', '-c', 'sleep 60 & kill -SEGV $$']);
    expect(signaled.report).toEqual({
      ...REPORT,
      end: { ...END, status: 'signaled', signal: 'SIGSEGV', leftovers: [{ pid: number, program: text }] },
    });
    const { report, texts } = await run(['seq', '100']);
    const cut = { unit: 'bytes', bytes: number, chars: number, lines: number, notice: [number, number] };
    expect(report.streams.cuts).toEqual({ stdout: cut, output: cut });
    expect(texts).toHaveLength(2);
    expect(report.spill).toEqual({ path: expect.stringContaining(folder), bytes: 292, complete: true });
  });

  test('says why nothing was executed, and at which step', async () => {
    const { report } = await run(['junk']);
    expect(report.end).toMatchObject({
      status: 'spawn_failed',
      failure: { code: 'spawn', stage: 'execute', message: text },
    });
  });

  test('of a deadline has neither code nor signal', async () => {
    const { report } = await run(['bash', '-c', 'sleep 60'], 50);
    expect(report.end).toEqual({ ...END, status: 'timed_out' });
  });
});

describe('a decision', () => {
  test('has spans in UTF-16 units and no secret', () => {
    const decision = read(terminal.explain('\u{1f600}x hunter2secret'));
    expect(decision).toMatchObject({
      decision: 'deny',
      reasons: [{ rule: text, span: [number, number], message: text }],
    });
    const { reasons } = read(terminal.explain(['hunter2secret']));
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
