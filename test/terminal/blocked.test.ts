import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

import { createToolkit, type OptionAdvice, Terminal, type TerminalOptions } from '../../ts/index.js';
import type { NativeResult } from '../../ts/native/binding.js';
import { type EnforcedPlan, refusalsInOutput, refusalsOfRun } from '../../ts/terminal/blocked.js';

const work = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-blocked-')));
writeFileSync(path.join(work, 'kept.txt'), 'kept\n');
writeFileSync(path.join(work, 'built'), '#!/bin/sh\necho built\n', { mode: 0o755 });
mkdirSync(path.join(work, 'sub'));
mkdirSync(path.join(work, 'node_modules', '.bin'), { recursive: true });
writeFileSync(path.join(work, 'node_modules', '.bin', 'packaged'), '#!/bin/sh\n', { mode: 0o755 });
const outsideFolder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-blocked-outside-')));
afterAll(() => {
  rmSync(work, { recursive: true });
  rmSync(outsideFolder, { recursive: true });
});

function held(plan: Partial<EnforcedPlan['plan']>): EnforcedPlan {
  return {
    plan: {
      writes: 'roots',
      exec: 'listed',
      network: 'none',
      remove: 'no',
      reads: 'protected',
      programs: ['ls'],
      writable: [],
      ...plan,
    },
    writable: [work],
    path: ['/usr/bin', '/bin'],
    cwd: work,
    sockets: [],
    withheld: () => undefined,
    shownWritable: [work],
    realPath: (file) => file,
  };
}

describe('what a program wrote about a file that it was kept from', () => {
  const place = '/home/u/.ssh';
  const withheld = (file: string) => {
    if (file.startsWith(place)) return { guarantee: 'reads', place } as const;
    return file === '/run/docker.sock' ? ({ guarantee: 'sockets', place: file } as const) : undefined;
  };
  test.each([
    ['cat: /home/u/.ssh/id: No such file or directory', 'reads', '/home/u/.ssh/id', place],
    ["ls: cannot open directory '/home/u/.ssh': Permission denied", 'reads', '/home/u/.ssh', place],
    ["Error: ENOENT: no such file or directory, open '/home/u/.ssh/id'", 'reads', '/home/u/.ssh/id', place],
    [
      'Cannot connect to the Docker daemon at unix:///run/docker.sock. Is the docker daemon running?',
      'sockets',
      '/run/docker.sock',
      '/run/docker.sock',
    ],
  ])('%s', (line, guarantee, subject, lifts) => {
    const [blocked] = refusalsInOutput(line, { ...held({ network: 'any' }), withheld });
    expect(blocked).toMatchObject({ guarantee, subject });
    expect(blocked?.advice).toEqual([{ kind: 'option', name: 'confine.readable', value: lifts }]);
  });

  test('the advice is no wider than the file, where that exists', () => {
    const file = path.join(work, 'kept');
    writeFileSync(file, '');
    const keeping = (place: string) => (name: string) =>
      name === file ? ({ guarantee: 'reads', place } as const) : undefined;
    const inner = { ...held({}), withheld: keeping(work) };
    const [blocked] = refusalsInOutput(`cat: ${file}: Permission denied`, inner);
    expect(blocked?.advice).toEqual([{ kind: 'option', name: 'confine.readable', value: file }]);
    expect(blocked?.message).toContain(`what is in '${work}'`);
    const itself = { ...held({ reads: 'roots' }), withheld: keeping(file) };
    const [outside] = refusalsInOutput(`cat: ${file}: Permission denied`, itself);
    expect(outside?.message).toContain('commands read the roots');
  });

  test('a socket that only a variable names is named', () => {
    const enforced = { ...held({ network: 'any' }), sockets: ['/run/docker.sock'], withheld };
    for (const line of [
      'Error connecting to agent: Connection refused',
      'Failed to connect to bus: No such file or directory',
    ]) {
      const [blocked] = refusalsInOutput(line, enforced);
      expect(blocked, line).toMatchObject({ guarantee: 'sockets', subject: '/run/docker.sock' });
    }
    expect(refusalsInOutput('curl: (7) Failed to connect to a port: Connection refused', enforced)).toEqual([]);
  });

  test('nothing is made of a file that is missing', () => {
    expect(refusalsInOutput('cat: /home/u/x: No such file or directory', { ...held({}), withheld })).toEqual([]);
  });
});

test('both outputs are read where they came through one pipe, and else the errors alone', () => {
  const line = `touch: cannot touch '${outsideFolder}/x': Read-only file system`;
  const subjects = (stdout: string, stderr: string, isMerged: boolean) => {
    const end = { status: 'exited', exitCode: 1 };
    const result = { end, stdout, stderr, output: `${stdout}${stderr}` } as unknown as NativeResult;
    return refusalsOfRun(result, 'touch x', held({}), [], isMerged).map(({ subject }) => subject);
  };
  expect(subjects(line, '', true)).toEqual([`${outsideFolder}/x`]);
  expect(subjects('', line, false)).toEqual([`${outsideFolder}/x`]);
  expect(subjects(line, '', false)).toEqual([]);
});

describe('what the way out refused', () => {
  const plan = held({ network: 'allow' });
  const refused = {
    host: 'a.example',
    port: 443,
    outcome: 'refused',
    message: 'a.example:443 is not allowed',
    times: 1,
  } as const;
  const named = (stderr: string, exitCode: number, contacts: Parameters<typeof refusalsOfRun>[3], command = 'x') =>
    refusalsOfRun(
      { end: { status: 'exited', exitCode }, stdout: '', stderr, output: stderr } as unknown as NativeResult,
      command,
      plan,
      contacts,
    ).map(({ subject }) => subject);

  test('is named where the run failed, and its output names the host or a proxy', () => {
    expect(named('curl: (56) CONNECT tunnel failed, response 403', 56, [refused])).toEqual(['a.example:443']);
    expect(named('cannot fetch from a.example', 1, [refused])).toEqual(['a.example:443']);
    expect(named('Failed to connect to a.example', 1, [refused])).toEqual(['a.example:443']);
  });

  test('is named to the run that asked for it, not to others of its owner', () => {
    const others = [refused, { ...refused, host: 'b.example' }];
    const curl = 'curl: (56) CONNECT tunnel failed, response 403';
    expect(named(curl, 56, others, 'curl https://b.example/')).toEqual(['b.example:443']);
    expect(named('', 22, others, 'curl -sf https://b.example/')).toEqual(['b.example:443']);
    expect(named('403 handrail: a.example:443 is not allowed', 1, others, 'x b.example')).toEqual(['a.example:443']);
    // Nobody can tell.
    expect(named(curl, 56, others)).toEqual(['a.example:443', 'b.example:443']);
  });

  test('is named to a run that says nothing, where nothing else ran', () => {
    const silent = (isAlone: boolean) =>
      refusalsOfRun(
        { end: { status: 'exited', exitCode: 1 }, stdout: '', stderr: 'failed', output: '' } as unknown as NativeResult,
        'x',
        plan,
        [refused],
        false,
        isAlone,
      ).map(({ subject }) => subject);
    expect(silent(true)).toEqual(['a.example:443']);
    expect(silent(false)).toEqual([]);
  });

  test('is not put down to a run that succeeded, or that says nothing of it', () => {
    expect(named('cannot fetch from a.example', 0, [refused])).toEqual([]);
    expect(named('error: test failed', 1, [refused])).toEqual([]);
    expect(
      named('proxy error', 1, [
        { ...refused, outcome: 'failed' },
        { ...refused, outcome: 'reached' },
      ]),
    ).toEqual([]);
  });
});

describe('a run that failed without a word about the network', () => {
  const told = (command: string, output = '', network: 'none' | 'loopback' | 'any' = 'none', exitCode = 1) =>
    refusalsOfRun(
      { end: { status: 'exited', exitCode }, stdout: output, stderr: '', output: '' } as unknown as NativeResult,
      command,
      held({ network }),
    ).map(({ guarantee, message }) => `${guarantee}: ${message}`);

  test.each([
    'wget -q http://a.example/x',
    'cd src && git fetch',
    'A=1 npm install',
    'ls | curl -s http://a.example',
    'pip install x',
  ])('is told of the plan where it needs one: %s', (command) => {
    expect(told(command)).toEqual(['network: This program needs the network, and commands have no network']);
    expect(told(command, '', 'any')).toEqual([]);
    expect(told(command, '', 'none', 0)).toEqual([]);
  });

  test('is told of nothing where it may need none, has said something, or asked this machine', () => {
    for (const command of ['node fetch.mjs', 'npm test', 'grep curl notes'])
      expect(told(command, 'failed')).toEqual([]);
    expect(told('npm install', 'x'.repeat(201))).toEqual([]);
    expect(told('npm install', '', 'loopback')).toHaveLength(1);
    expect(told('curl -s http://localhost:1/', '', 'loopback')).toEqual([]);
    expect(told('curl -s http://localhost:1/')).toHaveLength(1);
  });
});

describe('a file that was not written', () => {
  const outside = path.join(path.dirname(work), 'somewhere.tar');
  const refusals = (output: string, command = '') =>
    refusalsInOutput(output, held({ remove: 'yes' }), command).map(({ guarantee, subject }) => [guarantee, subject]);

  test('is no program, whatever its error is called', () => {
    expect(refusals(`tar: ${outside}: Cannot open: Read-only file system`)).toEqual([['writes', outside]]);
    expect(refusals(`tar: ${outside}: Cannot open: Permission denied`)).toEqual([['writes', outside]]);
  });

  test('is named by another line, or by the command', () => {
    const zip = `zip I/O error: Read-only file system\nzip error: Could not create output file (${outside})`;
    expect(refusals(zip)).toEqual([['writes', outside]]);
    expect(refusals('tool: Read-only file system', `tool ${outside} f`)).toEqual([['writes', outside]]);
    expect(refusals('tool: Read-only file system', 'tool f')).toEqual([['writes', 'a file']]);
    const lost = held({ writes: 'any' });
    expect(refusalsInOutput('tool: Read-only file system', lost, 'tool f')).toEqual([]);
  });

  test('is looked for in the folders that the command names', () => {
    expect(refusals('touch: ../../x: Read-only file system', 'cd sub && touch ../../x')).toEqual([
      ['writes', '../../x'],
    ]);
  });

  test('may be a folder that Node could not make, with those above it', () => {
    const folder = path.join(outside, 'deep', 'deeper');
    expect(refusals(`Error: ENOENT: no such file or directory, mkdir '${folder}'`)).toEqual([['writes', outside]]);
    expect(refusals(`Error: ENOENT: no such file or directory, mkdir '${work}/a/b'`)).toEqual([]);
    expect(refusals(`Error: ENOENT: no such file or directory, open '${folder}'`)).toEqual([]);
  });

  test('lies where a link leads', () => {
    symlinkSync(outsideFolder, path.join(work, 'link'));
    const [blocked] = refusalsInOutput('bash: line 1: link/x: Read-only file system', held({}));
    expect(blocked?.message).toContain(`'link/x' leads to '${path.join(outsideFolder, 'x')}', and was not written`);
    expect(blocked?.advice[0]).toEqual({ kind: 'option', name: 'roots', value: outsideFolder });
  });
});

describe('what a program wrote about a refusal', () => {
  test.each(['/etc/shadow', '/proc/1/mem'])('the call in an error of Node is no program: %s', (file) => {
    const found = refusalsInOutput(`Error: EACCES: permission denied, env '${file}/x'`, held({}));
    expect(found.filter(({ guarantee }) => guarantee === 'exec')).toEqual([]);
  });

  const outside = path.join(path.dirname(work), 'somewhere');
  test.each<[string, string, string]>([
    ['bash: line 1: /usr/bin/env: Permission denied', 'exec', '/usr/bin/env'],
    ['sh: 1: env: Permission denied', 'exec', 'env'],
    ['find: ‘env’: Permission denied', 'exec', 'env'],
    ['Error: spawnSync env EACCES', 'exec', 'env'],
    ["PermissionError: [Errno 13] Permission denied: 'env'", 'exec', 'env'],
    ['error: cannot run env: Permission denied', 'exec', 'env'],
    ['bash: line 1: ./built: Permission denied', 'exec', './built'],
    [
      'error: could not execute process `./built` (never executed)\n\nCaused by:\n  Permission denied (os error 13)',
      'exec',
      './built',
    ],
    ['sh: 1: packaged: Permission denied', 'exec', 'packaged'],
    ['sh: 1: unknown-tool: Permission denied', 'exec', 'unknown-tool'],
    ['npm error sh: line 1: ./in-a-package.sh: Permission denied', 'exec', './in-a-package.sh'],
    ['bash: line 1: ./built: /bin/sh: bad interpreter: Permission denied', 'exec', './built'],
    ["fatal: cannot exec 'git-upload-pack '.'': Permission denied", 'exec', 'sh'],
    ['tar (child): ls: Cannot exec: Permission denied', 'exec', 'sh'],
    ['./x.so: failed to map segment from shared object', 'exec', './x.so'],
    [`touch: cannot touch '${outside}': Permission denied`, 'writes', outside],
    [`cp: cannot create regular file '${outside}': Read-only file system`, 'writes', outside],
    [`OSError: [Errno 30] Read-only file system: '${outside}'`, 'writes', outside],
    [`Error: EACCES: permission denied, open '${outside}'`, 'writes', outside],
    ["rm: cannot remove 'kept.txt': Permission denied", 'remove', 'kept.txt'],
    ['curl: (6) Could not resolve host: example.com', 'network', 'example.com'],
    ['curl: (7) Failed to connect to 127.0.0.1 port 1 after 0 ms', 'network', '127.0.0.1'],
    ['bash: line 1: /dev/tcp/127.0.0.1/9: Address family not supported by protocol', 'network', '/dev/tcp/127.0.0.1/9'],
    ["fatal: unable to access 'https://example.com/x/': Could not resolve host", 'network', 'https://example.com'],
  ])('%s', (line, guarantee, subject) => {
    expect(refusalsInOutput(`before\n${line}\nafter\n`, held({}))).toMatchObject([{ guarantee, subject }]);
  });

  test('is not put down to a plan that lets it pass, or that the system would refuse anyway', () => {
    const open = held({ writes: 'any', exec: 'any', network: 'any', remove: 'yes' });
    expect(refusalsInOutput('sh: 1: env: Permission denied', open)).toEqual([]);
    expect(refusalsInOutput(`touch: cannot touch '${outside}': Permission denied`, open)).toEqual([]);
    expect(refusalsInOutput('curl: (6) Could not resolve host: example.com', open)).toEqual([]);
    for (const unheard of [
      'curl: (7) Failed to connect to 127.0.0.1 port 8080 after 0 ms: Could not connect to server',
      "curl: (7) Failed to connect to localhost port 3000: Couldn't connect to server",
      'Error: could not connect to [::1]:5432',
    ]) {
      expect(refusalsInOutput(unheard, held({ network: 'loopback' })), unheard).toEqual([]);
      expect(refusalsInOutput(unheard, held({ network: 'none' })), unheard).toHaveLength(1);
    }
    for (const other of [
      "FileNotFoundError: [Errno 2] No such file or directory: 'x'",
      'npm error code ERESOLVE\nnpm error ERESOLVE could not resolve',
      'Failed to resolve import "./x.js" from "src/a.ts"',
      "ERROR 2002 (HY000): Can't connect to local server through socket '/run/x.sock' (2)",
      'could not connect to server: Connection refused',
    ]) {
      expect(refusalsInOutput(other, held({ network: 'loopback' })), other).toEqual([]);
    }
    expect(refusalsInOutput("cat: '/no/such/place': Permission denied", held({}))).toEqual([]);
    expect(refusalsInOutput('ls: Permission denied', held({}))).toEqual([]);
    expect(refusalsInOutput('PermissionError: [Errno 13] Permission denied', held({}))).toEqual([]);
  });

  test('names the network only where nothing names an address', () => {
    const subjects = (output: string) => refusalsInOutput(output, held({})).map(({ subject }) => subject);
    expect(subjects('getaddrinfo EAI_AGAIN a.example\n  code: EAI_AGAIN\n')).toEqual(['a.example']);
    expect(subjects('  code: EAI_AGAIN\n')).toEqual(['the network']);
  });

  test('is named three times at most, and looked for in the last lines only', () => {
    const line = (name: string) => `touch: cannot touch '${outside}${name}': Permission denied\n`;
    expect(refusalsInOutput(['1', '2', '3', '4'].map(line).join(''), held({}))).toHaveLength(3);
    expect(refusalsInOutput(line('1') + 'x\n'.repeat(1_000), held({}))).toEqual([]);
    expect(refusalsInOutput(`${'x '.repeat(100_000)} Permission denied`, held({}))).toEqual([]);
  });
});

async function run(options: TerminalOptions, command: string | string[]) {
  await using terminal = new Terminal({ roots: [work], ...options });
  return await terminal.run(command);
}

/** As a host that follows the advice. */
function withOption(options: TerminalOptions, { name, value }: OptionAdvice): TerminalOptions {
  const [option = '', key] = name.split('.');
  const given = (options as Record<string, unknown>)[option];
  if (Array.isArray(given)) return { ...options, [option]: [...given, value] };
  return { ...options, [option]: key === undefined ? value : { ...(given as object), [key]: value } };
}

describe('a refusal of the kernel', () => {
  test('of a program that is not listed names it and the option that lifts it', async () => {
    const refused = await run({ allow: ['bash'], trustInterpreters: ['bash'], confine: { exec: 'listed' } }, [
      'bash',
      '-c',
      'env; ./built',
    ]);
    expect(refused.blocked).toMatchObject([
      {
        guarantee: 'exec',
        advice: [
          { name: 'allow', value: 'env' },
          { name: 'confine.exec', value: 'any' },
        ],
      },
      {
        guarantee: 'exec',
        subject: './built',
        advice: [
          { name: 'allow', value: './built' },
          { name: 'confine.exec', value: 'any' },
        ],
      },
    ]);
  });

  test('and what it says lifts it', async () => {
    const options = { allow: ['bash'], trustInterpreters: ['bash'] };
    const lifted = await run({ ...options, confine: { exec: 'any' } }, ['bash', '-c', './built']);
    expect(lifted).toMatchObject({ ok: true, stdout: 'built\n' });
    expect(lifted.blocked).toBeUndefined();
  });

  test.each([
    [{ allow: ['bash', 'rm'], confine: { exec: 'listed' } }, 'env'],
    [{ allow: ['bash', 'rm'], confine: { exec: 'listed' } }, './built'],
    [{ allow: ['bash', 'touch'] }, `touch ${path.join(outsideFolder, 'new')}`],
    [{ allow: ['bash', 'rm'], confine: { remove: 'no' } }, 'rm kept.txt'],
    [{ allow: ['bash'], confine: { network: 'none' } }, 'exec 3<>/dev/udp/127.0.0.1/9'],
  ] as const)('%j: each piece of advice lifts that of %s', async (options, command) => {
    const trusting: TerminalOptions = { ...options, trustInterpreters: ['bash'], roots: [work] };
    const refused = await run(trusting, ['bash', '-c', command]);
    const advice = refused.blocked?.flatMap((one) => one.advice) ?? [];
    expect(advice).not.toEqual([]);
    for (const one of advice) {
      writeFileSync(path.join(work, 'kept.txt'), '');
      const lifted = await run(withOption(trusting, one), ['bash', '-c', command]);
      expect(lifted, JSON.stringify(one)).toMatchObject({ ok: true });
    }
  });

  test('of a place says where to write, in the words of a toolkit too', async () => {
    const place = path.join(path.dirname(work), 'handrail-blocked-place');
    await using toolkit = await createToolkit({ workspace: work, terminal: { allow: ['touch'] } });
    const { content, isError } = await toolkit.execute('terminal_run', { command: `touch ${place}` });
    expect(isError).toBe(true);
    expect(content).toContain(`[blocked: '${place}' was not written: commands write beneath ${work} and $TMPDIR only`);
    expect(content).toContain("confine: { writes: 'any' }");
  });

  test('is absent where nothing was refused', async () => {
    expect((await run({ allow: ['ls'] }, ['ls', 'no-such-file'])).blocked).toBeUndefined();
    expect((await run({ allow: ['ls'], sandbox: 'off' }, ['ls', '/root'])).blocked).toBeUndefined();
  });
});
