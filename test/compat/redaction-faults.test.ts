/**
 * The faults in redaction of the terminal tool that this one descends from, each as an attack. Where a guard can be taken
 * away, the attack is also shown to work without it.
 */
import { describe, expect, test } from 'vitest';

import { boundOutput, Redactor, terminalRun } from '../../ts/index.js';
import { startNode } from '../support/cli.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { parseText, REFUSED, temporaryFolder, terminalEnvironment } from './terminal-environment.js';

temporaryFolder();
const MASK = '[REDACTED]';
/** What has no end is killed then. */
const ELSEWHERE_MS = 1_500;

/** Words that look like what a rule looks for, put together here so that no such word is in this file. */
const PASSWORD = ['hun', 'ter2'].join('');
const AWS_KEY = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
const SLACK_TOKEN = ['xoxb', '123456789012', '1234567890123', 'abcdefGHIJKLmnopQRSTuvwx'].join('-');
const GITHUB_TOKEN = ['ghp', 'abcdefGHIJKL0123456789mnopQRSTuvwxYZ'].join('_');

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

async function printed(text: string): Promise<string> {
  terminalEnvironment({ ALLOWED_COMMANDS: 'printf' });
  const { label, body } = parseText(await terminalRun(`printf '%s' ${quoted(text)}`));
  expect(label).toBe('output');
  return body;
}

describe('A1: the value is masked, not the key', () => {
  test.each([
    [`password=${PASSWORD}`, `password=${MASK}`],
    [`GITHUB_TOKEN=${PASSWORD}`, `GITHUB_TOKEN=${MASK}`],
    ['Authorization: Basic dXNlcjpwYXNz', `Authorization: Basic ${MASK}`],
  ])('%s', async (text, expected) => {
    expect(await printed(text)).toBe(expected);
    expect(new Redactor({ rules: 'none' }).redact(text)).toBe(text);
  });

  test('in refusals too', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo' });
    for (const command of [`TOKEN=${PASSWORD} curl x`, `password=${PASSWORD}`, `./token=${PASSWORD} x`]) {
      const text = await terminalRun(command);
      expect(text).toContain(REFUSED);
      expect(text).not.toContain(PASSWORD);
    }
  });
});

describe('A2: structured and vendor secrets', () => {
  const pem = ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEpAIBAAKCAQEA7bq0', '-----END RSA PRIVATE KEY-----'].join('\n');
  test.each([
    [`{"password": "${PASSWORD}"}`, PASSWORD],
    ['postgres://u:p4ss@db/x', 'p4ss'],
    [pem, 'MIIEpAIBAAKCAQEA7bq0'],
    [AWS_KEY, AWS_KEY],
    [SLACK_TOKEN, SLACK_TOKEN],
    [GITHUB_TOKEN, GITHUB_TOKEN],
    [`apikey=${PASSWORD}`, PASSWORD],
    [`api-key: ${PASSWORD}`, PASSWORD],
    [`passwd=${PASSWORD}`, PASSWORD],
  ])('%j', async (text, secret) => {
    const body = await printed(text);
    expect(body).toContain(MASK);
    expect(body).not.toContain(secret);
    expect(new Redactor({ rules: 'none' }).redact(text)).toContain(secret);
  });
});

test.each([
  'task-management-framework',
  'risk-assessment-2024',
  '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'd41d8cd98f00b204e9800998ecf8427e',
  'pkg_module.terminal_tools.function_tools',
  '/home/User1/projects/some-Very-long-path/with2/more-parts-In-It',
  'token: the lexer emits',
])('A3: %s is no secret', async (text) => {
  expect(await printed(text)).toBe(text);
});

/** That it is linear is counted in steps, of many more texts: `crates/redact/tests/all/hostile.rs`. Here it ends at all. */
describe('A4: redaction takes linear time', () => {
  const TEXT = "'a'.repeat(50_000) + 'b'";

  /** How a process ends that runs `script`. */
  const ends = async (script: string, limitMs: number) => {
    const { child, ended } = startNode(['--input-type=module', '-e', script]);
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    const { code, signal } = await ended;
    clearTimeout(timer);
    return code ?? signal;
  };
  const redacts = (options: string, text: string) =>
    ends(`import { Redactor } from './dist/index.js'; new Redactor(${options}).redact(${text});`, LIVENESS_MS);

  test.each(['a-', 'a/', 'ab.', 'password', 'eyJ'])('for a line of %j', async (unit) => {
    expect(await redacts('{}', `'${unit}'.repeat(1_000_000 / ${unit.length})`)).toBe(0);
  });

  test('for a pattern of the host that is exponential elsewhere', async () => {
    expect(await redacts("{ patterns: ['(a+)+$'], rules: 'none' }", TEXT)).toBe(0);
    // The same in a backtracking engine doubles with each character.
    expect(await ends(`/(a+)+$/.test(${TEXT});`, ELSEWHERE_MS)).toBe('SIGKILL');
  });
});

test('A5: a secret at the cap is masked before it can be cut', async () => {
  const secret = ['SUPER', 'SECRET', 'VALUE'].join('');
  const text = `${'x'.repeat(90)}${secret}`;
  terminalEnvironment({ ALLOWED_COMMANDS: 'printf', OUTPUT_CAP_BYTES: '100', REDACT_SUBSTRINGS: secret });
  const { body } = parseText(await terminalRun(`printf '%s' ${text}`));
  for (let length = 4; length <= secret.length; length += 1) expect(body).not.toContain(secret.slice(0, length));
  expect(body).toContain(MASK);
  // In the other order the cut takes away what the redactor would have known.
  const cut = boundOutput(text, { headChars: 100, tailChars: 0 }).text;
  expect(new Redactor({ substrings: [secret] }).redact(cut)).toContain(secret.slice(0, 10));
});

describe('A6: patterns are never split or skipped silently', () => {
  test('a comma in a lone pattern is an error that says what to write', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo', REDACT_PATTERNS: '[a-z]{3,5}' });
    const text = await terminalRun('echo abcd');
    expect(text).toContain(REFUSED);
    expect(text).toContain('TERMINAL_REDACT_PATTERNS');
    expect(text).toContain('["[a-z]{3,5}"]');
  });

  test('and works as a JSON array', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo', REDACT_PATTERNS: '["[a-z]{3,5}"]' });
    expect(parseText(await terminalRun('echo abcd')).body).toBe(`${MASK}\n`);
  });

  test('an invalid pattern is an error that says which', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo', REDACT_PATTERNS: 'fine,(' });
    const text = await terminalRun('echo abcd');
    expect(text).toContain(REFUSED);
    expect(text).toContain('TERMINAL_REDACT_PATTERNS entry 2');
  });
});
