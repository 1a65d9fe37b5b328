/** A secret in every option of every command, and in its words: neither output may repeat it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../ts/cli/command-table.js';
import { runCommandLine } from '../support/cli.js';
import { partsOf, TOKEN, UNKNOWN } from './planted.js';

const folder = mkdtempSync(path.join(tmpdir(), 'handrail-leaks-'));
const file = path.join(folder, 'of.log');
writeFileSync(file, `a key ${UNKNOWN} of it\n`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Line = readonly [name: string, args: readonly string[]];

/** What stands behind the options so that the command would do something. */
const OPERANDS: Readonly<Record<string, readonly string[]>> = {
  run: ['--', 'echo'],
  explain: ['echo'],
  redact: ['/dev/null'],
  bus: ['tail', 'chat:a'],
  doctor: [],
  // Without a mistake it would serve.
  serve: ['x'],
  trust: ['/dev/null'],
  completion: ['bash'],
};

/** Each option with the secret for its value, joined and apart; an option of that name; and the same as JSON. */
function optionLines(): Line[] {
  return COMMANDS.flatMap(({ name: command, options }) => {
    const operands = OPERANDS[command] ?? [];
    const given = options
      .filter(({ name }) => name !== 'help')
      .flatMap(({ name, kind }) => [
        [`--${name}=${UNKNOWN}`],
        // Behind a flag it would be a program, and those are named in what is said of them.
        ...(kind === 'flag'
          ? []
          : [
              [`--${name}`, UNKNOWN],
              [`--${name}`, `${UNKNOWN},,(`],
            ]),
      ]);
    const strange = [
      [`--${UNKNOWN}`],
      [`-${UNKNOWN}`],
      [`--${UNKNOWN}=x`],
      [`--x=${UNKNOWN}`],
      ['--json', `--${UNKNOWN}`],
    ];
    return [...given, ...strange].map((args) => [
      `${command} ${args[0]?.split('=')[0]}`,
      [command, ...args, ...operands],
    ]);
  });
}

const LINES: readonly Line[] = [
  ...optionLines(),
  ['a command', [UNKNOWN]],
  ['a command behind a dash', [`-${UNKNOWN}`]],
  ['help about it', ['help', UNKNOWN]],
  ['help of it', [UNKNOWN, '--help']],
  ['a word too many', ['redact', 'a', UNKNOWN]],
  ['something to do with a bus', ['bus', UNKNOWN]],
  ['a topic of a bus', ['bus', 'tail', UNKNOWN, UNKNOWN]],
  ['what is sent', ['bus', 'send', 'room:1', UNKNOWN, '--json']],
  ['a word for doctor', ['doctor', UNKNOWN]],
  ['a shell', ['completion', UNKNOWN]],
  ['a file to trust', ['trust', UNKNOWN]],
  ['an address to listen on', ['serve', '--http', UNKNOWN]],
  ['a time to wait', ['serve', '--drain', UNKNOWN]],
  ['a certificate', ['serve', '--no-auth', '--tls-cert', `/nowhere/${UNKNOWN}`]],
  ['a page that is answered', ['serve', '--no-auth', '--origin', UNKNOWN, '--http', '192.0.2.1:9']],
  ['a file that has no tokens', ['serve', '--token-file', file]],
  ['an option of the program', ['run', '--allow', 'true', 'true', `-${UNKNOWN}`]],
  ['an argument of what is denied', ['run', '--allow', 'ls', '--', 'rm', UNKNOWN]],
  ['the same as JSON', ['run', '--allow', 'ls', '--json', '--', 'rm', UNKNOWN]],
  ['a folder that is not there', ['run', '--allow', 'echo', '--cwd', `/nowhere/${UNKNOWN}`, '--json', '--', 'echo']],
  ['a pattern', ['redact', '--pattern', `(${UNKNOWN}`, '/dev/null']],
  ['the value of a variable', ['redact', '--secret-env', 'PLANTED', '--report', '--label', file]],
  ['its report as JSON', ['redact', '--secret-env', 'PLANTED', '--json', '--fail-on-find', file]],
  ['the environment of a command', ['run', '--allow', 'env', '--json', '--', 'env']],
  ['what this machine can do', ['doctor', '--json']],
];

/** Settings files with the secret in every place of one. */
const SETTINGS: readonly (readonly [name: string, toml: string])[] = [
  ['a key', `${UNKNOWN} = 1\n`],
  ['a key of a table', `[${UNKNOWN}]\n${UNKNOWN} = 1\n`],
  ['a key twice', `${UNKNOWN} = 1\n${UNKNOWN} = 2\n`],
  ['a word that is no value', `allow = ${UNKNOWN}\n`],
  ['a text without its end', `allow = "${UNKNOWN}\n`],
  ['a text with a wrong escape', `allow = "\\${UNKNOWN}"\n`],
  ['a value of a choice', `writes = "${UNKNOWN}"\n`],
  ['a number', `timeout = "${UNKNOWN}"\n`],
  ['a folder', `root = ["/nowhere/${UNKNOWN}"]\n`],
  ['a rule', `allow = ["${UNKNOWN} $(ls)", "${UNKNOWN}*"]\n`],
];

async function said(args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runCommandLine(args, { env: { PLANTED: UNKNOWN, PLANTED_KEY: TOKEN } });
  return `${stdout}\n${stderr}`;
}

describe.concurrent('the command line does not repeat a secret', () => {
  test.each(SETTINGS)('of a settings file: %s', async (name, toml) => {
    const settings = path.join(folder, `${name}.toml`);
    writeFileSync(settings, toml, { mode: 0o600 });
    const whole = await said(['run', '--config', settings, 'ls']);
    expect(partsOf(UNKNOWN, whole)).toEqual([]);
    expect(whole).not.toBe('\n');
  });

  test.each(LINES)('%s', async (_name, args) => {
    expect(partsOf(UNKNOWN, await said(args))).toEqual([]);
  });

  test.each<Line>([
    ['a file that is not there', ['redact', `/nowhere/${TOKEN}`]],
    ['a file that is not there, as JSON', ['redact', '--json', `/nowhere/token=${TOKEN}`]],
    ['a program that is not allowed', ['run', '--allow', 'ls', '--', TOKEN]],
    ['a program that is not there', ['run', '--deny', 'ls', '--', TOKEN]],
    ['what a command writes', ['run', '--allow', 'sh', '--trust', 'sh', '--', 'sh', '-c', `echo ${TOKEN}`]],
    [
      'what it writes before its time is over',
      ['run', '--allow', 'sh,sleep', '--trust', 'sh', '--timeout', '300', '--', 'sh', '-c', `printf ${TOKEN}; sleep 9`],
    ],
  ])('where a rule knows it: %s', async (_name, args) => {
    expect(partsOf(TOKEN, await said(args))).toEqual([]);
  });

  test('and the test would see it', async () => {
    expect(partsOf(UNKNOWN, await said(['redact', file]))).not.toEqual([]);
  });
});
