/**
 * What scripts of everyday work may say because the kernel holds it, or because the files that they read are judged with them:
 * the work is done, and what looks like it and harms is not, which happens with the guard off.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';
import { Engine } from '../../ts/terminal/engine.js';

const ALLOW = ['cat', 'ln', 'ls', 'node', 'rm', 'sed', 'sh', 'sleep', 'touch', 'xargs'];
const off = new Engine({ judging: false, confine: false });
let folder = '';
let victim: ChildProcess;
const at = (name: string): string => path.join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-words-'));
  writeFileSync(at('a.txt'), 'old\n');
  writeFileSync(at('env'), 'MODE=test\n');
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => off.close());

/** The script that activates an environment, as `venv` writes it, without what only other systems need. */
const activation = (): string =>
  [
    'deactivate () {',
    'if ! [ -z "$_OLD_VIRTUAL_PATH" ] ; then',
    'PATH="$_OLD_VIRTUAL_PATH"; export PATH; unset _OLD_VIRTUAL_PATH',
    'fi',
    'unset VIRTUAL_ENV',
    'if [ ! "$1" = "nondestructive" ] ; then unset -f deactivate; fi',
    '}',
    'deactivate nondestructive',
    `VIRTUAL_ENV="${at('.venv')}"`,
    'export VIRTUAL_ENV',
    '_OLD_VIRTUAL_PATH="$PATH"',
    'PATH="$VIRTUAL_ENV/bin:$PATH"',
    'export PATH',
    'hash -r 2> /dev/null',
    '',
  ].join('\n');

function makeEnvironment(text: string): void {
  mkdirSync(at('.venv/bin'), { recursive: true });
  writeFileSync(at('.venv/bin/activate'), text);
}

function plant(name: string): void {
  writeFileSync(at(name), `#!/bin/sh\ntouch '${at('harm')}'\n`);
  chmodSync(at(name), 0o755);
}

async function run(command: string, engine?: Engine, root = folder) {
  const options = { shell: 'bash', roots: [root], confine: { exec: 'any' } } as const;
  const lists = { allow: ALLOW, trustInterpreters: ['node'] };
  await using terminal =
    engine === undefined
      ? new Terminal({ ...options, ...lists })
      : new Terminal({ ...options, ...lists, sandbox: 'off' }, { engine });
  const { status, stdout, stderr, decision } = await terminal.run(command);
  return { status, stdout, stderr, rules: decision.reasons.map(({ rule }) => rule) };
}

test.each([
  ['a server is ended by its number', 'sleep 60 & pid=$!; kill $pid; wait $pid; echo $?', '143\n'],
  ['a server is ended by its job', 'sleep 60 & kill -TERM %1; wait; echo ended', 'ended\n'],
  ['a server is ended by a trap', 'sleep 60 & pid=$!; trap "kill $pid" EXIT; echo done', 'done\n'],
  ['a file is renamed in all files', 'ls *.txt | xargs sed -i s/old/new/; cat a.txt', 'new\n'],
  ['names become arguments of code', `ls *.txt | xargs -I{} sh -c 'cat "$1"' _ {}`, 'old\n'],
  ['variables come from a file', 'set -a; . ./env; set +a; node -p process.env.MODE', 'test\n'],
  ['variables come from a file of the script', `printf 'A=1\\n' > b; . ./b; echo $A`, '1\n'],
])('%s', async (_, command, stdout) => {
  expect(await run(command)).toMatchObject({ status: 'exited', stdout });
});

test('an environment is activated and left', async () => {
  makeEnvironment(activation());
  const command = 'set -e; . .venv/bin/activate && cat a.txt; echo "$VIRTUAL_ENV"; deactivate; cat a.txt';
  expect(await run(command)).toMatchObject({ status: 'exited', stdout: `old\n${at('.venv')}\nold\n` });
});

/** What is prepared, and what a command then runs to make the file `harm`. */
const ATTACKS: [string, () => void, string][] = [
  [
    'an activation that a command rewrote',
    () => makeEnvironment(`${activation()}touch harm\n`),
    '. .venv/bin/activate',
  ],
  [
    'an activation that the script rewrites',
    () => makeEnvironment(activation()),
    'echo "touch harm" >> .venv/bin/activate; sed -i s/touch/touch/ .venv/bin/activate; . .venv/bin/activate',
  ],
  [
    'a search path that leads elsewhere',
    () => {
      makeEnvironment(activation().replace('PATH="$VIRTUAL_ENV/bin', `PATH="${'$'}VIRTUAL_ENV/../planted`));
      mkdirSync(at('planted'));
      plant('planted/ls');
    },
    '. .venv/bin/activate; ls',
  ],
  [
    'a program that a command planted in an environment',
    () => {
      makeEnvironment(activation());
      plant('.venv/bin/ls');
    },
    '. .venv/bin/activate; ls',
  ],
  ['code in a file that the script writes', () => undefined, `echo "$(printf 'touch harm')" > c; . ./c`],
  ['a file with code that no list allows', () => writeFileSync(at('env'), 'id > harm\n'), '. ./env'],
  ['a program that is not listed, by xargs', () => undefined, 'echo harm | xargs cp a.txt'],
  [
    'code that names complete',
    () => writeFileSync(at("a'; touch harm; '.txt"), ''),
    `ls -1 *harm* | xargs -d '\\n' -I{} sh -c "cat '{}'"`,
  ],
  ['text that a trap runs', () => writeFileSync(at('pid'), '1; touch harm'), 'p=$(cat pid); trap "kill $p" EXIT'],
];

test.each(ATTACKS)('%s does nothing', async (_, prepare, command) => {
  prepare();
  expect(await run(command)).toMatchObject({ status: 'denied' });
  expect(existsSync(at('harm'))).toBe(false);
  await run(command, off);
  expect(existsSync(at('harm'))).toBe(true);
});

test('a process outside of the run is not signalled', async () => {
  victim = spawn('sleep', ['600']);
  const ended = once(victim, 'exit');
  writeFileSync(at('pid'), String(victim.pid));
  expect(await run('kill -9 $(cat pid)')).toMatchObject({ status: 'exited' });
  expect(await run('cat pid | xargs kill -9')).toMatchObject({ status: 'denied' });
  expect(await run(`kill -9 ${victim.pid}; true`)).toMatchObject({
    status: 'denied',
    rules: ['no_approver', 'program.dynamic'],
  });
  expect(readFileSync(`/proc/${victim.pid}/comm`, 'utf8')).toBe('sleep\n');
  await run('kill -9 $(cat pid)', off);
  await ended;
  expect(victim.signalCode).toBe('SIGKILL');
});

test('no link in the folder of temporary files leads out, and none is left for others', async () => {
  const root = mkdtempSync('/var/tmp/handrail-words-');
  const outside = mkdtempSync('/var/tmp/handrail-outside-');
  const former = process.env['TMPDIR'];
  process.env['TMPDIR'] = '/tmp';
  const planted = `/tmp/handrail-planted-${process.pid}`;
  const kept = path.join(outside, 'kept');
  const attacks = [
    `ln -s ${outside} /tmp/handrail-own; echo harm > /tmp/handrail-own/kept`,
    `ln -s ${kept} /tmp/handrail-file; cat env > /tmp/handrail-file`,
    `ln -s ${kept} /tmp/handrail-file; echo harm >> /tmp/handrail-file`,
    // Somebody else has put a link at the name that scripts write to.
    `echo harm > ${planted}`,
    `cat env > /tmp/..${kept}`,
    `echo harm > /tmp/../..${kept}`,
    `cd /tmp; echo harm > ..${kept}`,
  ];
  try {
    symlinkSync(kept, planted);
    for (const attack of attacks) {
      writeFileSync(path.join(root, 'env'), 'harm\n');
      const tried = async (engine?: Engine): Promise<string> => {
        writeFileSync(kept, 'kept\n');
        await run(attack, engine, root);
        return readFileSync(kept, 'utf8');
      };
      expect(await tried(), attack).toBe('kept\n');
      expect(await tried(off), attack).toContain('harm');
      for (const name of ['own', 'file']) rmSync(`/tmp/handrail-${name}`, { recursive: true, force: true });
    }
  } finally {
    if (former === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = former;
    for (const place of [root, outside, planted]) rmSync(place, { recursive: true });
  }
});

test('a folder of temporary files is the run’s own', async () => {
  const root = mkdtempSync('/var/tmp/handrail-words-');
  const former = process.env['TMPDIR'];
  // Where the state directory lies deeper, the folder is the machine's.
  process.env['TMPDIR'] = '/tmp';
  const name = `/tmp/handrail-words-${process.pid}`;
  writeFileSync(name, 'host\n');
  try {
    const write = `cat ${name} || echo own > ${name}; cat ${name}; ln -s /etc/hostname /tmp/link; cat env > /tmp/link`;
    const { stdout, status } = await run(write, undefined, root);
    expect({ stdout, status, left: readFileSync(name, 'utf8') }).toEqual({
      stdout: 'own\n',
      status: 'exited',
      left: 'host\n',
    });
    // What was left is gone with the run, and no path leads out.
    expect(await run('cd /tmp; ls', undefined, root)).toMatchObject({
      status: 'exited',
      stdout: expect.not.stringContaining('words'),
    });
    expect(await run('echo a > /tmp/../srv/harm', undefined, root)).toMatchObject({ status: 'denied' });
    // Where a root lies in the folder, the machine's is seen and not written.
    expect(await run(`echo own > ${name}`)).toMatchObject({ status: 'denied' });
    await run(`echo own > ${name}`, off, root);
    expect(readFileSync(name, 'utf8')).toBe('own\n');
  } finally {
    if (former === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = former;
    rmSync(root, { recursive: true });
    rmSync(name);
  }
});
