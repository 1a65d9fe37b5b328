/**
 * Every spelling of a blocked name leaves a canary alone. Stand-ins of the names kill it: with the
 * guard on it lives, and in bash without the guard it dies. No real program of these names is run.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_BLACKLIST, TerminalTool } from '../../ts/index.js';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-canary-')));
const standIns = path.join(base, 'stand-ins');
const workspace = path.join(base, 'workspace');
const canary = path.join(workspace, 'canary');

/** Programs that spellings need; every other name is a stand-in or missing. */
const HELPERS = ['bash', 'sh', 'cat', 'env', 'find', 'nice', 'nohup', 'setsid', 'timeout', 'xargs', 'python3'];

let tool: TerminalTool;

beforeAll(() => {
  mkdirSync(standIns);
  mkdirSync(workspace);
  for (const name of [...DEFAULT_BLACKLIST, 'mkfs.ext4']) script(name, `echo dead > '${canary}'`);
  script('busybox', 'exec "$@"');
  for (const name of HELPERS) {
    symlinkSync(programOf(name), path.join(standIns, name));
  }
  tool = new TerminalTool({ cwd: workspace, path: [standIns], roots: [workspace] });
});

beforeEach(() => writeFileSync(canary, 'alive\n'));

afterAll(async () => {
  await tool.close();
  rmSync(base, { recursive: true, force: true });
});

function script(name: string, body: string): void {
  const file = path.join(standIns, name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}

/** The program itself: a version manager may have put a script in its place. */
function programOf(name: string): string {
  const code = name === 'python3' ? `python3 -c 'import sys; print(sys.executable)'` : `command -v ${name}`;
  return execFileSync('/bin/sh', ['-c', code], { encoding: 'utf8' }).trim();
}

function isAlive(): boolean {
  try {
    return readFileSync(canary, 'utf8') === 'alive\n';
  } catch {
    return false;
  }
}

/** Runs it in bash with the stand-ins for a search path and nothing else around it. */
function runUnguarded(command: string): void {
  try {
    execFileSync('/bin/bash', ['-c', command], {
      cwd: workspace,
      env: { PATH: standIns },
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: 10_000,
    });
  } catch {
    // The canary says what came of it.
  }
}

const hex = (name: string): string => [...name].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join('');
const half = (name: string): [string, string] => [name.slice(0, 1), name.slice(1)];

/** Spellings in which bash starts a program of the name. Those of a kill are bash's own unless a program starts it. */
const SPELLINGS: readonly (readonly [string, (name: string) => string])[] = [
  // What got past the first word.
  ['sh -c', (name) => `sh -c '${name} canary'`],
  [';', (name) => `echo a; ${name} canary`],
  ['&&', (name) => `true && ${name} canary`],
  ['env', (name) => `env ${name} canary`],
  ['single quotes', (name) => `'${name}' canary`],
  ['quotes inside', (name) => `${half(name).join("''")} canary`],
  ['a variable in front', (name) => `X=1 ${name} canary`],
  ['a subshell', (name) => `(${name} canary)`],
  ['a substituted name', (name) => `$(echo ${name}) canary`],
  ['command', (name) => `command ${name} canary`],
  ['busybox', (name) => `busybox ${name} canary`],
  // What got past splitting at operators.
  ['a group', (name) => `{ ${name} canary; }`],
  ['if', (name) => `if true; then ${name} canary; fi`],
  ['!', (name) => `! ${name} canary`],
  ['eval', (name) => `eval '${name} canary'`],
  ['xargs', (name) => `echo canary | xargs ${name}`],
  ['exec', (name) => `exec ${name} canary`],
  ['a variable as name', (name) => `a=${name}; $a canary`],
  // And twenty more.
  ['a backslash', (name) => `\\${name} canary`],
  ['double quotes', (name) => `"${name}" canary`],
  ["$'...'", (name) => `$'${hex(name)}' canary`],
  ['for', (name) => `for i in 1; do ${name} canary; done`],
  ['while', (name) => `while true; do ${name} canary; break; done`],
  ['case', (name) => `case x in x) ${name} canary;; esac`],
  ['a function', (name) => `f() { ${name} canary; }; f`],
  ['in the background', (name) => `${name} canary & wait`],
  ['time', (name) => `time ${name} canary`],
  ['behind a pipe', (name) => `echo | ${name} canary`],
  ['before a pipe', (name) => `${name} canary | cat`],
  ['$( )', (name) => `: $(${name} canary)`],
  ['backticks', (name) => `: \`${name} canary\``],
  ['<( )', (name) => `cat <(${name} canary)`],
  ['a here-string', (name) => `bash <<< '${name} canary'`],
  ['a here-document', (name) => `sh <<'E'\n${name} canary\nE`],
  ['nice', (name) => `nice ${name} canary`],
  ['timeout', (name) => `timeout 5 ${name} canary`],
  ['text into a shell', (name) => `echo ${name} canary | sh`],
  ['a trap', (name) => `trap '${name} canary' EXIT`],
  ['a line continued', (name) => `${half(name).join('\\\n')} canary`],
  ['a default value', (name) => `\${x:-${name}} canary`],
  ['a path', (name) => `${standIns}/${name} canary`],
  ['braces', (name) => `{${name},canary}`],
  ['setsid and nohup', (name) => `setsid -w nohup ${name} canary`],
  ['a relative path', (name) => `cd ${standIns} && ./${name} canary`],
];

/** bash has a kill of its own, which takes no file; these start the program. */
const START_A_PROGRAM = [
  'env',
  'busybox',
  'xargs',
  'nice',
  'timeout',
  'a path',
  'setsid and nohup',
  'a relative path',
  'exec',
];

/** Others with the effect of a blocked one. */
const EFFECTS: readonly string[] = [
  'mkfs.ext4 canary',
  'find . -name canary -delete',
  'find . -name canary -exec rm {} +',
  `python3 -c 'open("canary", "w").write("dead")'`,
  `python3 <<< 'open("canary", "w").write("dead")'`,
];

describe.each([...DEFAULT_BLACKLIST])('%s', (name) => {
  it('leaves the canary alone in every spelling', async () => {
    for (const [spelling, write] of SPELLINGS) {
      const command = write(name);
      await tool.execute({ command }).catch(() => undefined);
      expect(isAlive(), `${spelling}: ${command}`).toBe(true);
    }
  });

  it('kills it in every spelling where nothing guards it', () => {
    const spellings = SPELLINGS.filter(([spelling]) => name !== 'kill' || START_A_PROGRAM.includes(spelling));
    for (const [spelling, write] of spellings) {
      writeFileSync(canary, 'alive\n');
      runUnguarded(write(name));
      expect(isAlive(), `${spelling}: ${write(name)}`).toBe(false);
    }
  });
});

describe('programs with the same effect', () => {
  it.each(EFFECTS)('%s leaves the canary alone, and kills it where nothing guards it', async (command) => {
    await tool.execute({ command }).catch(() => undefined);
    expect(isAlive()).toBe(true);
    runUnguarded(command);
    expect(isAlive()).toBe(false);
  });
});

it('a redirection into the workspace is no blocked program', async () => {
  await tool.execute({ command: '> canary' });
  expect(readFileSync(canary, 'utf8')).toBe('');
});
