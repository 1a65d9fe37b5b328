/**
 * The other faults of the terminal tool that this one descends from, each as an attack. Where a guard can be taken away, the
 * attack is also shown to work without it.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';

import { Terminal, terminalRun } from '../../ts/index.js';
import { Engine } from '../../ts/terminal/engine.js';
import { end, living, marker } from '../support/processes.js';
import { parseText, REFUSED, temporaryFolder, terminalEnvironment } from './terminal-environment.js';

const folder = temporaryFolder();
/** Looks like a secret; put together here so that no such word is in this file. */
const PASSWORD = ['hun', 'ter2'].join('');

describe('A7: a name on the list is a program of the system', () => {
  /** An executable that shows it ran. */
  function plant(directory: string, name: string): string {
    const file = path.join(directory, name);
    writeFileSync(file, '#!/bin/sh\necho planted\n');
    chmodSync(file, 0o755);
    return file;
  }

  test('a planted program of that name never runs', async () => {
    const planted = plant(folder(), 'echo');
    expect(spawnSync(planted, { encoding: 'utf8' }).stdout).toBe('planted\n');
    vi.stubEnv('PATH', `${folder()}:${process.env['PATH']}`);
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo', SANDBOX_CWD: folder() });
    expect(parseText(await terminalRun('echo real')).body).toBe('real\n');
    for (const command of ['./echo x', `${planted} x`, '../echo x', `PATH=${folder()} echo x`, 'PATH=. echo x']) {
      expect(await terminalRun(command)).not.toContain('planted');
    }
  });

  test('an allowed program does not bring another one along', async () => {
    const victim = path.join(folder(), 'victim');
    mkdirSync(path.join(folder(), 'repository'));
    spawnSync('git', ['init', '-q', path.join(folder(), 'repository')]);
    const attacks = [
      `bash -lc 'rm ${victim}'`,
      `env rm ${victim}`,
      `timeout 5 rm ${victim}`,
      `awk 'BEGIN{system("rm ${victim}")}'`,
      `sed -n '1e rm ${victim}' /etc/hostname`,
      `git -C ${folder()}/repository -c 'alias.x=!rm ${victim}' x`,
      `find ${victim} -exec rm {} ;`,
    ];
    for (const attack of attacks) {
      terminalEnvironment({ ALLOWED_COMMANDS: 'bash,env,timeout,awk,sed,git,find' });
      writeFileSync(victim, '');
      expect(parseText(await terminalRun(attack)).status, attack).toBe(REFUSED);
      expect(existsSync(victim), attack).toBe(true);
      // Without the guard each of them removes the file.
      spawnSync('bash', ['-c', attack.replace('{} ;', "{} ';'")], { stdio: 'ignore' });
      expect(existsSync(victim), attack).toBe(false);
    }
  });
});

test('A8: a denied name is a whole name, also behind a wrapper', async () => {
  mkdirSync(path.join(folder(), 'empty'));
  terminalEnvironment({ ALLOWED_COMMANDS: 'rm,rmdir,env', DENY_COMMANDS: 'rm', SANDBOX_CWD: folder() });
  expect(await terminalRun('rmdir empty')).toContain('ok=true');
  expect(await terminalRun('rm empty')).toContain("Command 'rm' is denied by policy");
  expect(await terminalRun('env rm empty')).toContain("Command 'rm' is denied by policy");
});

describe('A9: a deadline ends a command, and nothing survives it', () => {
  test('whoever holds the pipe', async () => {
    const duration = marker();
    terminalEnvironment({ ALLOWED_COMMANDS: 'bash', TRUSTED_INTERPRETERS: 'bash', TIMEOUT_SECONDS: '1' });
    const text = await terminalRun(`bash -c 'setsid sleep ${duration} & sleep ${duration}'`);
    expect(parseText(text).status).toBe('ok=false exit=None timeout=true truncated=false');
    expect(living(duration)).toEqual([]);
  });

  test('and a command that ends in time is no timeout, although a child of it goes on', async () => {
    const duration = marker();
    terminalEnvironment({ ALLOWED_COMMANDS: 'bash', TRUSTED_INTERPRETERS: 'bash', TIMEOUT_SECONDS: '600' });
    const text = await terminalRun(`bash -c 'sleep ${duration} & echo hi'`);
    expect(text).toBe('ok=true exit=0 timeout=false truncated=false\noutput:\nhi\n');
    expect(living(duration)).toEqual([]);
  });

  test('which is our doing: without killing it does survive', async () => {
    const duration = marker();
    const engine = new Engine({ killing: false });
    const terminal = new Terminal({ allow: ['bash'], trustInterpreters: ['bash'], graceMs: 0 }, { engine });
    try {
      await terminal.run(['bash', '-c', `setsid sleep ${duration} >/dev/null 2>&1 & sleep 0.2`]);
      expect(living(duration)).toHaveLength(1);
    } finally {
      end(living(duration));
      await engine.close();
    }
  });
});

test('A10: the memory of the host does not grow with the output', async () => {
  const megabytes = 200;
  terminalEnvironment({ ALLOWED_COMMANDS: 'bash', TRUSTED_INTERPRETERS: 'bash', TIMEOUT_SECONDS: '600' });
  await terminalRun("bash -c 'echo warm'");
  const before = process.memoryUsage.rss();
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, 20);
  const { status, body } = parseText(await terminalRun(`bash -c 'yes 0123456 | head -c ${megabytes}000000'`));
  clearInterval(watch);
  expect(status).toBe('ok=true exit=0 timeout=false truncated=true');
  expect(body).toContain('lines omitted');
  expect(highest - before).toBeLessThan(48 * 1024 * 1024);
});

test('A11: output that is no UTF-8 is shown, not lost', async () => {
  terminalEnvironment({ ALLOWED_COMMANDS: 'printf' });
  const text = await terminalRun("printf 'a\\xffb'");
  expect(text).toBe('ok=true exit=0 timeout=false truncated=false\noutput:\na\ufffdb');
});

test('A12: a cut by the character cap is said to be one, and the end of the output is kept', async () => {
  terminalEnvironment({ ALLOWED_COMMANDS: 'seq' });
  const { status, body } = parseText(await terminalRun('seq 1 1200'));
  expect(status).toContain('truncated=true');
  expect(body).toMatch(/^1\n2\n.*lines omitted.*\n1199\n1200\n$/s);
});

test.each([
  ['TIMEOUT_SECONDS', 'abc'],
  ['OUTPUT_CAP_BYTES', '-1'],
  ['FUNCTION_OUTPUT_MAX_CHARS', '1e99'],
  ['SANDBOX_CWD', '/does/not/exist'],
])('A13: a bad %s is a text that names it, not an exception', async (name, value) => {
  terminalEnvironment({ ALLOWED_COMMANDS: 'echo', [name]: value });
  const { status, label, body } = parseText(await terminalRun('echo a'));
  expect([status, label]).toEqual([REFUSED, 'error']);
  expect(body).toContain(`TERMINAL_${name} `);
});

test('A14: commands have a home, with nothing in it but what git knows of the user', async () => {
  terminalEnvironment({ ALLOWED_COMMANDS: 'bash,git,ls', TRUSTED_INTERPRETERS: 'bash' });
  const configure = 'git config --global user.name somebody && git config --global user.name';
  expect(parseText(await terminalRun(`bash -c '${configure}'`)).body).toBe('somebody\n');
  expect(['', '.gitconfig\n']).toContain(parseText(await terminalRun("bash -lc 'ls -A ~'")).body);
  expect(parseText(await terminalRun('git config user.name')).body).not.toContain('somebody');
});

describe('A15: what would need a shell is refused, not passed on as words', () => {
  test.each([
    ['echo a | wc -c', '|'],
    ['echo a > file', '>'],
    ['echo a && echo b', '&&'],
    ['echo a; echo b', ';'],
    ['echo $HOME', '$'],
    ['echo $(id)', '$('],
    ['echo `id`', 'backticks'],
    ['echo *', '*'],
  ])('%s', async (command, shown) => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo,wc,id' });
    const { status, label, body } = parseText(await terminalRun(command, folder()));
    expect([status, label]).toEqual([REFUSED, 'error']);
    expect(body).toContain(shown);
    expect(readdirSync(folder())).toEqual([]);
  });

  test.each(['history', 'type ls'])('%s: a built-in of shells is called that', async (command) => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'history,type' });
    expect(parseText(await terminalRun(command))).toMatchObject({ status: REFUSED, label: 'error' });
  });

  test('but quoted they are words', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo' });
    expect(parseText(await terminalRun(`echo 'a | wc -c' "b > c" d\\;`)).body).toBe('a | wc -c b > c d;\n');
  });
});

test('A16: nothing is logged, so no secret can be', async () => {
  const writes: string[] = [];
  const keep = (chunk: unknown) => {
    writes.push(String(chunk));
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
  terminalEnvironment({ ALLOWED_COMMANDS: 'echo' });
  await terminalRun(`TOKEN=${PASSWORD} echo a`);
  await terminalRun(`TOKEN=${PASSWORD} curl a`);
  vi.restoreAllMocks();
  expect(writes).toEqual([]);
});
