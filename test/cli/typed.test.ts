/**
 * Command lines as people type them, in bash: what each exits with, and what it says. Each takes two processes, so `npm test`
 * types a tenth of them and `npm run soak -- typed` all.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../ts/version.js';
import { soakSample } from '../support/soak.js';
import { shell } from './shell.js';

/** A line, its exit code, and a part of what it prints and of what it says on standard error. */
type Typed = readonly [line: string, code: number, stdout: string | RegExp, stderr?: string | RegExp];

const GENERAL: readonly Typed[] = [
  ['handrail', 0, 'Commands:'],
  ['handrail --help', 0, 'Commands:'],
  ['handrail -h', 0, 'Commands:'],
  ['handrail help', 0, 'Commands:'],
  ['handrail help run', 0, 'handrail run [options] PROGRAM'],
  ['handrail run -h', 0, 'handrail run [options] PROGRAM'],
  ['handrail --version', 0, VERSION],
  ['handrail -V', 0, VERSION],
  ['handrail -v', 0, VERSION],
  ['handrail rnu ls', 125, '', 'did you mean run?'],
  ['handrail ls -l', 125, '', 'there is no command ls'],
  ['handrail help ls', 125, '', 'there is no command ls'],
  ['handrail doctor', 0, `handrail ${VERSION}`],
  ['handrail doctor --json', 0, '"features"'],
  ['handrail doctor now', 125, '', 'doctor takes options only'],
  ['handrail completion bash', 0, 'complete -F _handrail handrail'],
  ['handrail completion powershell', 125, '', 'completion takes the name of a shell'],
];

const RUN: readonly Typed[] = [
  ['handrail run ls', 123, '', /denied: .*'ls'[\s\S]*--allow/],
  ['handrail run --allow ls ls', 0, 'notes.txt', 'exit 0 in'],
  ['handrail run --allow ls ls -l', 0, /^total \d+\n/],
  ['handrail run --allow=ls ls -la notes.txt', 0, 'notes.txt'],
  ['handrail run --allow ls -- ls -l', 0, /^total \d+\n/],
  ['handrail run --allow ls,cat cat notes.txt', 0, 'one\n'],
  ['handrail run --allow ls --allow cat cat notes.txt', 0, 'one\n'],
  ['handrail run --allow "ls, cat" cat notes.txt', 0, 'one\n'],
  ['handrail run --allow ls --json ls', 0, '"status": "exited"'],
  ['handrail run --allow ls ls --json', 2, '', 'unrecognized option'],
  ['handrail run --allow ls -q ls', 0, /^build\.log\n/, /^$/],
  ['handrail run -q --allow ls ls none', 2, '', /^ls: [^\n]*\n$/],
  ['handrail run -q ls', 123, '', 'denied'],
  ["handrail run --allow 'echo hello' echo hello you", 0, 'hello you\n'],
  ["handrail run --allow 'echo hello' echo bye", 123, '', 'denied'],
  ["handrail run --deny 'git push' git push", 123, '', 'denied'],
  ["handrail run --deny 'git push' git --version", 0, 'git version'],
  ['handrail run --allow "git log" git log', 128, '', 'not a git repository'],
  ["handrail run --allow 'ls *' ls", 125, '', 'has a * that is not quoted'],
  ['handrail run --allow git* git', 125, '', 'is a pattern'],
  ['handrail run --alow ls ls', 125, '', 'did you mean --allow?'],
  ['handrail run -x ls', 125, '', 'there is no option'],
  ['handrail run', 125, '', 'which program?'],
  ['handrail run --allow', 125, '', '--allow needs a value'],
  ['handrail run --allow none none', 127, '', 'no such program'],
  ['handrail run --writes any --allow notes.txt --path "$PWD" notes.txt', 126, '', 'could not run'],
  ['handrail run --allow false false', 1, '', 'exit 1 in'],
  ["handrail run --allow sh --trust sh sh -c 'exit 42'", 42, '', 'exit 42 in'],
  ["handrail run --allow sh --trust sh sh -c 'kill -9 $$'", 137, '', 'killed by SIGKILL'],
  ['handrail run --allow sleep --timeout 100 sleep 60', 124, '', 'timed out'],
  ['handrail run --allow sleep --timeout 1s sleep 60', 125, '', '--timeout takes a whole number'],
  ['handrail run --allow ls --cwd none ls', 125, '', '--cwd none is not a directory'],
  ['handrail run --allow ls --root none ls', 125, '', '--root none is not a directory'],
  ["handrail run --allow ls,wc --shell 'ls | wc -l'", 0, /^\d+\n$/],
  ['handrail run --allow ls --shell ls -l', 125, '', 'put the script in quotes'],
  ["handrail run --allow ls --shell 'ls; rm notes.txt'", 123, '', "'rm'"],
  ['handrail run --allow wc --stdin wc -l < notes.txt', 0, '2\n'],
  ['FORCE_COLOR=1 handrail run --allow true true', 0, '', '\u001b[32m'],
  ['FORCE_COLOR=1 NO_COLOR=1 handrail run --allow true true', 0, '', '\u001b[32m'],
  ['FORCE_COLOR=0 handrail run --allow true true', 0, '', /^handrail: exit 0 in \d+ ms\n$/],
  ["handrail explain --allow ls 'ls -l'", 0, 'allow: it may run'],
  ['handrail explain rm', 123, 'deny: it may not run'],
  ['handrail explain --allow ls ls -l', 125, '', 'there is no option'],
];

/** In a folder with settings of its own. */
const SETTINGS: readonly Typed[] = [
  ['cd settled; handrail run ls', 125, '', 'handrail.toml is not trusted'],
  ['cd settled; handrail trust', 0, 'handrail.toml is trusted as it is now'],
  ['cd settled; handrail trust; handrail run ls', 0, 'handrail.toml', 'With the settings of handrail.toml.'],
  ['cd settled; handrail trust; handrail explain ls', 0, 'allow: it may run'],
  ['cd settled; handrail trust; handrail run -q ls', 0, 'handrail.toml', /^$/],
  ['cd settled; handrail trust; handrail run --allow cat ls', 123, '', 'denied'],
  ['cd settled; handrail trust; HANDRAIL_ALLOW=cat handrail run ls', 123, '', 'denied'],
  ['cd settled; handrail trust; handrail doctor', 0, 'allow        ls (handrail.toml:1)'],
  ['cd settled; handrail run --no-config ls', 123, '', 'Name what may run with --allow'],
  ['handrail run --config settled/handrail.toml ls', 0, 'notes.txt'],
  ['handrail run --config none.toml ls', 125, '', 'cannot be read (ENOENT)'],
  ['HANDRAIL_ALLOW=ls handrail run ls', 0, 'notes.txt'],
  ['HANDRAIL_TIMEOUT=soon handrail run ls', 125, '', 'HANDRAIL_TIMEOUT takes a whole number'],
  ['handrail trust', 125, '', 'there is no handrail.toml here or above'],
];

const REDACT: readonly Typed[] = [
  ['handrail redact build.log', 0, 'password=[REDACTED]\n', /^$/],
  ['handrail redact < build.log', 0, 'password=[REDACTED]\n'],
  ['cat build.log | handrail redact', 0, 'password=[REDACTED]\n'],
  ['handrail redact notes.txt build.log', 0, 'one\ntwo\npassword=[REDACTED]\n'],
  ['handrail redact *.log notes.txt', 0, 'password=[REDACTED]\none\ntwo\n'],
  ['handrail redact none.log', 125, '', 'none.log cannot be read: there is no such file'],
  ['handrail redact .', 125, '', '. cannot be read: it is a directory'],
  ['handrail redact --rules none.toml build.log', 125, '', '--rules none.toml: the rule file cannot be read'],
  ["handrail redact --pattern '(' build.log", 125, '', '--pattern number 1'],
  ['handrail redact --fail-on-find build.log > /dev/null', 1, ''],
  ['handrail redact --fail-on-find notes.txt > /dev/null', 0, ''],
  ['handrail redact --check build.log notes.txt', 1, 'build.log:1:10: password\n', /^$/],
  ['handrail redact --check notes.txt', 0, /^$/, /^$/],
  ['handrail redact --check --format sarif build.log', 1, '"version": "2.1.0"'],
  ['handrail redact --format sarif build.log', 125, '', '--format is for --check and --staged'],
  ['handrail redact --staged', 125, '', 'is this a repository?'],
  ['handrail redact --in-place', 125, '', '--in-place takes files'],
  ['cp build.log copy; handrail redact --in-place copy; cat copy; rm copy', 0, /^password=\[REDACTED\]\n$/],
];

describe.each<[string, readonly Typed[]]>([
  ['handrail', GENERAL],
  ['handrail run and explain', RUN],
  ['handrail redact', REDACT],
  ['settings of handrail', SETTINGS],
])('%s', (_name, lines) => {
  let folder: string;
  /** Of the lists of trusted files. */
  let home: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'handrail-typed-'));
    home = mkdtempSync(path.join(tmpdir(), 'handrail-home-'));
    mkdirSync(path.join(folder, 'src'));
    mkdirSync(path.join(folder, 'settled'));
    writeFileSync(path.join(folder, 'settled', 'handrail.toml'), 'allow = ["ls"]\n', { mode: 0o600 });
    writeFileSync(path.join(folder, 'notes.txt'), 'one\ntwo\n');
    chmodSync(path.join(folder, 'notes.txt'), 0o644);
    writeFileSync(path.join(folder, 'build.log'), 'password=hunter2\n');
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
    rmSync(home, { recursive: true });
  });

  it.each(soakSample(lines).map((typed) => [typed[0], typed] as const))(
    '%s',
    async (_line, [line, code, stdout, stderr = '']) => {
      // A line of its own, so that its code is that of what was typed.
      const ended = await shell(`export XDG_CONFIG_HOME="$(mktemp -d -p ${home})"\n${line}\necho "code $?"`, folder);
      expect(ended.stdout, ended.stderr).toMatch(new RegExp(`(^|\\n)code ${code}\\n$`));
      const printed = ended.stdout.replace(/code \d+\n$/, '');
      if (typeof stdout === 'string') expect(printed).toContain(stdout);
      else expect(printed).toMatch(stdout);
      if (typeof stderr === 'string') expect(ended.stderr).toContain(stderr);
      else expect(ended.stderr).toMatch(stderr);
    },
  );
});
