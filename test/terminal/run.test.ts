import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { toolChainVariables } from '../../ts/config/tool-chains.js';
import { type OutputChunk, Redactor, Terminal, type TerminalOptions } from '../../ts/index.js';
import { Engine } from '../../ts/terminal/engine.js';
import { pastDeadline } from '../support/deadlines.js';
import { living, marker, sleep, until } from '../support/processes.js';

const MASK = '[REDACTED]';
/** Waits in a script until its last child is what it is going to be. */
const UNTIL_SLEEP = 'until read -r name < /proc/$!/comm && [ "$name" = sleep ]; do :; done';

let folder: string;
let open: Terminal[];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-run-')));
  open = [];
});

afterEach(async () => {
  await Promise.all(open.map((terminal) => terminal.close()));
  rmSync(folder, { recursive: true });
});

/** A terminal for trusted test programs, closed after the test. */
function terminal(options: TerminalOptions = {}): Terminal {
  const made = new Terminal({
    allow: ['bash', 'cat', 'echo', 'pwd', 'printenv', 'seq', 'sleep'],
    trustInterpreters: ['bash'],
    ...options,
  });
  open.push(made);
  return made;
}

/** An argv that runs a script of ours. */
function bash(script: string): string[] {
  return ['bash', '-c', script];
}

describe('a run', () => {
  test('of an argv gives its outputs apart and together', async () => {
    const result = await terminal().run(bash('echo out; sleep 0.1; echo err >&2; exit 3'));
    expect(result).toMatchObject({
      status: 'exited',
      ok: false,
      exitCode: 3,
      signal: null,
      timedOut: false,
      truncated: false,
      stdout: 'out\n',
      stderr: 'err\n',
      output: 'out\nerr\n',
      bytes: { stdout: 4, stderr: 4, kept: 8, omitted: 0 },
      redactions: 0,
      decision: { decision: 'allow' },
      survivors: [],
    });
    expect(result.durationMs).toBeGreaterThan(90);
    expect(result.usage.maxRssBytes).toBeGreaterThan(100_000);
    expect(result).not.toHaveProperty('spill');
    expect(result).not.toHaveProperty('pipesHeldBy');
    expect(result).not.toHaveProperty('failure');
  });

  test('of a string is the simple command with its quoting undone', async () => {
    const result = await terminal().run(`echo 'a  b' "c'd" e\\ f`);
    expect(result.output).toBe("a  b c'd e f\n");
  });

  test('of an argv sees no shell', async () => {
    const result = await terminal().run(['echo', '$HOME', '|', '*', ';']);
    expect(result.output).toBe('$HOME | * ;\n');
  });

  test('that a signal ends says which', async () => {
    const result = await terminal().run(bash('kill -SEGV $$'));
    expect(result).toMatchObject({ status: 'signaled', exitCode: null, signal: 'SIGSEGV', ok: false });
  });

  test('past its deadline is ended, and what it wrote is kept', async () => {
    const deaf = terminal({ graceMs: 200 });
    const result = await pastDeadline(
      (timeoutMs) => deaf.run(bash('trap "" TERM; echo before; sleep 600'), { timeoutMs }),
      ({ output }) => output !== '',
    );
    expect(result).toMatchObject({ status: 'timed_out', timedOut: true, output: 'before\n', exitCode: null });
  });

  test('of a program that is not there is a failure with a code', async () => {
    const result = await terminal({ allow: ['no-such-program'] }).run(['no-such-program']);
    expect(result).toMatchObject({ status: 'spawn_failed', ok: false, failure: { code: 'program_not_found' } });
  });

  test('that leaves a process behind ends it and says so', async () => {
    const result = await terminal().run(bash(`sleep 300 & ${UNTIL_SLEEP}; echo hi`));
    expect(result).toMatchObject({ status: 'exited', ok: true, output: 'hi\n' });
    expect(result.pipesHeldBy).toEqual([{ pid: expect.any(Number), program: 'sleep' }]);
  });

  test('reads nothing unless it is given something', async () => {
    expect((await terminal().run(['cat'])).output).toBe('');
    expect((await terminal().run(['cat'], { stdin: 'grüße\n' })).output).toBe('grüße\n');
    const bytes = Buffer.alloc(200_000, 'x\n');
    expect((await terminal().run(['cat'], { stdin: bytes })).bytes.stdout).toBe(200_000);
  });

  test('shows a line where it began, also when it ends after one of the other output', async () => {
    const script = 'printf "Asking... "; sleep 0.1; echo warning >&2; sleep 0.1; echo done; echo last >&2';
    const result = await terminal().run(bash(script));
    expect(result.output).toMatch(/^Asking\.\.\. done\nwarning\n/);
    expect(result).toMatchObject({ stdout: 'Asking... done\n', stderr: 'warning\nlast\n' });
  });

  test('with merge keeps the exact order of both outputs', async () => {
    const script = 'for i in 1 2 3 4 5 6 7 8 9; do echo out$i; echo err$i >&2; done';
    const result = await terminal().run(bash(script), { merge: true });
    const expected = Array.from({ length: 9 }, (_, index) => `out${index + 1}\nerr${index + 1}\n`).join('');
    expect(result.output).toBe(expected);
    expect(result.stdout).toBe(expected);
    expect(result.stderr).toBe('');
  });

  test('is masked by the redactor of the host', async () => {
    const redactor = new Redactor({ substrings: ['blue'] });
    const result = await terminal({ redactor }).run(['echo', 'blue password=hunter2']);
    expect(result.output).toBe(`${MASK} password=${MASK}\n`);
    expect(result.redactions).toBe(2);
  });
});

describe('a denied command', () => {
  test('says which rule, which part, and what would help', async () => {
    const result = await terminal().run('echo a | rm b');
    expect(result.status).toBe('denied');
    const [reason] = result.decision.reasons;
    expect(reason?.rule).toBe('syntax.operator');
    expect('echo a | rm b'.slice(...(reason?.span ?? [0, 0]))).toBe('|');
    expect(reason?.message).toBeTruthy();
  });

  test('has spans in UTF-16 units', () => {
    const command = 'echo 😀😀 | wc';
    const [reason] = terminal().explain(command).reasons;
    expect(command.slice(...(reason?.span ?? [0, 0]))).toBe('|');
  });

  test('is the same judgement that explain gives', async () => {
    const guarded = terminal();
    for (const command of ['rm a', ['rm', 'a'], 'echo a', 'echo > a']) {
      expect((await guarded.run(command)).decision).toEqual(guarded.explain(command));
    }
  });

  test('is every command when nothing is listed', async () => {
    for (const options of [{}, { allow: [] }]) {
      const made = new Terminal(options);
      open.push(made);
      expect((await made.run('echo a')).status).toBe('denied');
    }
  });
});

describe('onOutput', () => {
  test('gets the output while the command runs, cleaned and masked', async () => {
    const chunks: OutputChunk[] = [];
    let running = true;
    let early = false;
    const onOutput = (chunk: OutputChunk) => {
      early ||= running && chunk.text.includes('first');
      chunks.push(chunk);
    };
    const script = 'echo first; sleep 0.3; printf "\\033[31mpass"; sleep 0.1; echo "word=hunter2"; echo err >&2';
    const result = await terminal().run(bash(script), { onOutput });
    running = false;
    expect(early).toBe(true);
    const of = (stream: string) =>
      chunks
        .filter((chunk) => chunk.stream === stream)
        .map(({ text }) => text)
        .join('');
    expect(of('stdout')).toBe(result.stdout);
    expect(of('stdout')).toBe(`first\npassword=${MASK}\n`);
    expect(of('stderr')).toBe('err\n');
  });

  test('that is slow slows the command down instead of filling memory', async () => {
    let taken = 0;
    const onOutput = async ({ text }: OutputChunk) => {
      taken += text.length;
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    };
    const result = await terminal().run(bash('yes | head -c 3000000'), { onOutput });
    expect(result.bytes.stdout).toBe(3_000_000);
    expect(taken).toBe(3_000_000);
  });

  test('that throws ends the command', async () => {
    const mistake = new Error('mine');
    const running = terminal().run(bash('echo a; sleep 600'), {
      timeoutMs: 600_000,
      onOutput: () => {
        throw mistake;
      },
    });
    await expect(running).rejects.toBe(mistake);
  });
});

describe('an abort', () => {
  test('ends the command and keeps what it wrote', async () => {
    const controller = new AbortController();
    const onOutput = () => controller.abort();
    const call = { signal: controller.signal, onOutput, timeoutMs: 600_000 };
    const result = await terminal().run(bash('echo before; sleep 600'), call);
    expect(result).toMatchObject({ status: 'cancelled', output: 'before\n', timedOut: false });
  });

  test('of a hundred runs on one signal warns of nothing', async () => {
    const warnings: unknown[] = [];
    const keep = (warning: unknown) => warnings.push(warning);
    process.on('warning', keep);
    const controller = new AbortController();
    const guarded = terminal();
    const running = Array.from({ length: 100 }, () => guarded.run(['sleep', '600'], { signal: controller.signal }));
    setTimeout(() => controller.abort(), 300);
    const results = await Promise.all(running);
    process.off('warning', keep);
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['cancelled']));
    expect(warnings).toEqual([]);
  });
});

describe('a working directory', () => {
  test('is the first root by default, and relative ones start there', async () => {
    mkdirSync(path.join(folder, 'sub'));
    const guarded = terminal({ roots: [folder] });
    expect((await guarded.run(['pwd'])).output).toBe(`${folder}\n`);
    expect((await guarded.run(['pwd'], { cwd: 'sub' })).output).toBe(`${folder}/sub\n`);
  });

  test.each(['..', '/', 'sub/../..', 'link'])('outside of every root is refused: %s', async (cwd) => {
    mkdirSync(path.join(folder, 'sub'));
    symlinkSync('/', path.join(folder, 'link'));
    const result = await terminal({ roots: [folder] }).run(['pwd'], { cwd });
    expect(result.status).toBe('denied');
    expect(result.decision.reasons[0]?.rule).toBe('outside_root');
  });

  test('is never allowed when the roots are empty', async () => {
    const result = await terminal({ roots: [] }).run(['pwd']);
    expect(result.status).toBe('denied');
    expect(result.decision.reasons[0]?.rule).toBe('outside_root');
  });

  test('that is missing or a file is a failure to start', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    const guarded = terminal({ roots: [folder] });
    expect(await guarded.run(['pwd'], { cwd: 'no' })).toMatchObject({ failure: { code: 'not_found' } });
    expect(await guarded.run(['pwd'], { cwd: 'file' })).toMatchObject({ failure: { code: 'not_a_directory' } });
  });

  test('that the host names as a root must exist', () => {
    const build = () => terminal({ roots: [path.join(folder, 'no')] });
    expect(build).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });
});

describe('the environment of a command', () => {
  test('is built from nothing, with a private home and temporary folder that go away', async () => {
    const guarded = terminal({ env: { set: { MINE: 'yes' }, identity: false } });
    const { output } = await guarded.run(['printenv']);
    const seen = Object.fromEntries(
      output
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    );
    expect(Object.keys(seen).sort()).toEqual(
      [
        ...['CI', 'DEBIAN_FRONTEND', 'GIT_PAGER', 'GIT_TERMINAL_PROMPT', 'HOME', 'LANG', 'LC_ALL', 'MINE'],
        ...['NO_COLOR', 'PAGER', 'PATH', 'TERM', 'TMPDIR'],
        // It may start git.
        ...['COUNT', ...[0, 1, 2, 3].flatMap((index) => [`KEY_${index}`, `VALUE_${index}`])].map(
          (of) => `GIT_CONFIG_${of}`,
        ),
        ...['GIT_EDITOR', 'GIT_OPTIONAL_LOCKS', 'GIT_SEQUENCE_EDITOR'],
        ...toolChainVariables(process.env).map(([name]) => name),
      ].sort(),
    );
    expect(seen['HOME']).not.toBe(process.env['HOME']);
    await guarded.close();
    expect(existsSync(seen['HOME'] ?? '')).toBe(false);
    expect(existsSync(seen['TMPDIR'] ?? '')).toBe(false);
  });

  test('says by name what was withheld, and in no result', async () => {
    process.env['HANDRAIL_TEST_OF_ENVIRONMENT'] = 'hidden';
    try {
      const guarded = terminal();
      const result = await guarded.run(['echo']);
      expect(guarded.withheld).toContain('HANDRAIL_TEST_OF_ENVIRONMENT');
      expect(guarded.capabilities().withheld).toBe(guarded.withheld);
      expect(JSON.stringify(result)).not.toContain('HANDRAIL_TEST_OF_ENVIRONMENT');
      const inheriting = terminal({ env: { inherit: ['HANDRAIL_TEST_OF_ENVIRONMENT'] } });
      expect((await inheriting.run(['printenv', 'HANDRAIL_TEST_OF_ENVIRONMENT'])).output).toBe('hidden\n');
      expect(inheriting.withheld).not.toContain('HANDRAIL_TEST_OF_ENVIRONMENT');
    } finally {
      delete process.env['HANDRAIL_TEST_OF_ENVIRONMENT'];
    }
  });
});

describe('an output that does not fit', () => {
  const COUNT = 20_000;
  const whole = Array.from({ length: COUNT }, (_, index) => `${index + 1}\n`).join('');

  test('keeps head and tail, counts the rest exactly, and spills all of it', async () => {
    const guarded = terminal({ output: { headBytes: 300, tailBytes: 700 } });
    const result = await guarded.run(['seq', '1', String(COUNT)]);
    expect(result.truncated).toBe(true);
    expect(result.output).toMatch(/^1\n2\n.*lines omitted \.\.\.\]\n.*\n20000\n$/s);
    expect(result.bytes.stdout).toBe(whole.length);
    expect(result.bytes.kept + result.bytes.omitted).toBe(whole.length);
    const file = result.spill?.path ?? '';
    expect(result.spill).toEqual({ path: expect.any(String), bytes: whole.length, complete: true });
    expect(readFileSync(file, 'utf8')).toBe(whole);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await guarded.close();
    expect(existsSync(file)).toBe(false);
  });

  test('fits at its bound and not one byte above', async () => {
    const guarded = terminal({ output: { headBytes: 4, tailBytes: 6, spillBytes: 0 } });
    const at = await guarded.run(['echo', '123456789']);
    expect(at).toMatchObject({ truncated: false, output: '123456789\n' });
    const above = await guarded.run(['echo', '1234567890']);
    expect(above.truncated).toBe(true);
    expect(above).not.toHaveProperty('spill');
  });

  test('stays within maxChars, the counts included', async () => {
    const guarded = terminal({ output: { maxChars: 200 } });
    const result = await guarded.run(['seq', '1', String(COUNT)]);
    expect(result.output.length).toBeLessThanOrEqual(200);
    expect(result.truncated).toBe(true);
  });
});

describe('a terminal', () => {
  test('runs many commands at once, each with its own result', async () => {
    const guarded = terminal();
    const indexes = Array.from({ length: 100 }, (_, index) => index);
    const results = await Promise.all(indexes.map((index) => guarded.run(['echo', String(index)])));
    expect(results.map(({ output }) => output)).toEqual(indexes.map((index) => `${index}\n`));
  });

  test('runs as many at the same time as its engine has workers, the others after them', async () => {
    const engine = new Engine({ maxWorkers: 2 });
    const guarded = new Terminal({ allow: ['sleep'] }, { engine });
    const marks = [marker(), marker(), marker()];
    const ends = marks.map(() => new AbortController());
    const isUp = (mark: string) => living(mark).length > 0;
    const runs = marks.map((mark, index) =>
      guarded.run(['sleep', mark], { signal: ends[index]?.signal as AbortSignal }),
    );
    expect(await until(() => marks.filter(isUp).length === 2)).toBeDefined();
    await sleep(300);
    expect(marks.map(isUp)).toEqual([true, true, false]);
    ends[0]?.abort();
    expect(await until(() => isUp(marks[2] as string))).toBeDefined();
    expect(marks.map(isUp)).toEqual([false, true, true]);
    for (const end of ends) end.abort();
    expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(marks.map(() => 'cancelled'));
    await engine.close();
  });

  test('on a shared engine has the sandbox of that engine', async () => {
    const engine = new Engine();
    const build = () => new Terminal({ sandbox: 'off' }, { engine });
    expect(build).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
    await engine.close();
  });

  test('without a sandbox says so', async () => {
    const result = await terminal({ sandbox: 'off' }).run(['echo']);
    expect(result.sandbox.profile).toBe('off');
    expect((await terminal().run(['echo'])).sandbox.profile).toBe('default');
  });

  test('reports what this machine enforces', () => {
    const { features } = terminal().capabilities();
    expect(features.map(({ feature }) => feature).sort()).toEqual(
      [
        'environ',
        'exec',
        'host',
        'kill',
        'limits',
        'network',
        'reads',
        'remove',
        'signals',
        'sockets',
        'writes',
      ].sort(),
    );
  });

  test('fails closed for a guarantee that nobody asked the kernel for', async () => {
    await expect(terminal({ require: ['network'] }).run(['echo'])).rejects.toMatchObject({
      code: 'ERR_GUARANTEE_UNAVAILABLE',
      data: { guarantee: 'network' },
    });
  });

  test('that is closed ends what runs, and rejects what comes', async () => {
    const guarded = terminal();
    const running = guarded.run(['sleep', '600']);
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    await guarded.close();
    expect((await running).status).toBe('cancelled');
    await expect(guarded.run(['echo'])).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });

  test('refuses a search folder that commands can write to', () => {
    const build = () => terminal({ roots: [folder], path: [folder] });
    expect(build).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });
});
