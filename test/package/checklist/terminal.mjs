// Checklist A: the terminal function tool, by the names of the installed package.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RunContext } from '@openai/agents';
import * as h from 'handrail';
import { terminalRunTool } from 'handrail/openai-agents';
import { API_KEY, gap, line, living, marker, SECRET, temporaryFolder, withVariables } from './line.mjs';

const folder = temporaryFolder('terminal');
for (const name of Object.keys(process.env)) if (name.startsWith('TERMINAL_')) delete process.env[name];

/** Runs a command with variables, named without their beginning. */
const run = (command, variables = {}, cwd = folder) => {
  const named = Object.entries(variables).map(([name, value]) => [`TERMINAL_${name}`, value]);
  return withVariables({ TERMINAL_ALLOWED_COMMANDS: 'echo', ...Object.fromEntries(named) }, () =>
    h.terminalRun(command, cwd),
  );
};
const failure = (text) => `ok=false exit=None timeout=false truncated=false\nerror:\n${text}`;
const success = (text) => `ok=true exit=0 timeout=false truncated=false\noutput:\n${text}`;
const defaults = h.loadTerminalPolicyFromEnv({});

await line('terminalRun(command, cwd?) returns a promise of a text', async () => {
  const call = run('echo hello');
  assert.ok(call instanceof Promise);
  assert.equal(await call, success('hello\n'));
  mkdirSync(path.join(folder, 'sub'));
  assert.equal(await run('pwd', { ALLOWED_COMMANDS: 'pwd' }, path.join(folder, 'sub')), success(`${folder}/sub\n`));
  const here = await withVariables({ TERMINAL_ALLOWED_COMMANDS: 'pwd' }, () => h.terminalRun('pwd'));
  assert.equal(here, success(`${process.cwd()}\n`));
});

await line(
  'the tool terminal_run is in handrail/openai-agents, and its file is dist/adapters/openai-agents.js',
  async () => {
    assert.match(import.meta.resolve('handrail/openai-agents'), /\/dist\/adapters\/openai-agents\.js$/);
    assert.equal(terminalRunTool.name, 'terminal_run');
    assert.deepEqual(Object.keys(terminalRunTool.parameters.properties), ['command', 'cwd']);
    const answer = await withVariables({ TERMINAL_ALLOWED_COMMANDS: 'echo' }, () =>
      terminalRunTool.invoke(new RunContext({}), JSON.stringify({ command: 'echo hello', cwd: null })),
    );
    assert.equal(answer, success('hello\n'));
  },
);

await line('TERMINAL_ALLOWED_COMMANDS is none by default, and none runs nothing', async () => {
  assert.deepEqual(defaults.allowedCommands, []);
  for (const none of [undefined, '', ' ', '[]']) {
    const refused = await run('echo hello', { ALLOWED_COMMANDS: none });
    assert.equal(refused, failure("Command 'echo' is not allowed\nTERMINAL_ALLOWED_COMMANDS names no command"));
  }
  assert.equal(await run('ls'), failure("Command 'ls' is not allowed"));
  for (const list of ['ls,echo', ' ls , echo ', '["ls","echo"]']) {
    assert.equal(await run('echo a', { ALLOWED_COMMANDS: list }), success('a\n'));
  }
});

await line('TERMINAL_TIMEOUT_SECONDS is 5.0, and a late command ends with what it started', async () => {
  assert.deepEqual([defaults.timeoutSeconds, h.DEFAULT_TERMINAL_TIMEOUT_SECONDS], [5, 5]);
  const mark = marker();
  const late = await run(`setsid -w sleep ${mark}`, { ALLOWED_COMMANDS: 'sleep,setsid', TIMEOUT_SECONDS: '1.5' });
  assert.match(late, /^ok=false exit=None timeout=true truncated=false\noutput:\n/);
  assert.deepEqual(living(mark), []);
});

await line('TERMINAL_OUTPUT_CAP_BYTES is 8192, head and tail are kept with the omitted counts', async () => {
  assert.deepEqual([defaults.outputCapBytes, h.DEFAULT_TERMINAL_OUTPUT_CAP_BYTES], [8_192, 8_192]);
  const cut = await run('seq 1 1000', { ALLOWED_COMMANDS: 'seq', OUTPUT_CAP_BYTES: '100' });
  assert.match(cut, /^ok=true exit=0 timeout=false truncated=true\noutput:\n1\n2\n[\s\S]*omitted[\s\S]*\n1000\n?$/);
});

await line('TERMINAL_FUNCTION_OUTPUT_MAX_CHARS is 1000, beside the status line', async () => {
  assert.deepEqual([defaults.functionOutputMaxChars, h.DEFAULT_TERMINAL_FUNCTION_OUTPUT_MAX_CHARS], [1_000, 1_000]);
  for (const [chars, variables] of [
    [1_000, {}],
    [200, { FUNCTION_OUTPUT_MAX_CHARS: '200' }],
  ]) {
    const text = await run('seq 1 1000', { ALLOWED_COMMANDS: 'seq', ...variables });
    const [status] = text.split('\n');
    assert.equal(status, 'ok=true exit=0 timeout=false truncated=true');
    assert.ok(text.length - status.length <= chars, `${text.length}`);
  }
});

await line('TERMINAL_REDACT_SUBSTRINGS and TERMINAL_REDACT_PATTERNS are none by default, and mask', async () => {
  assert.deepEqual([defaults.redactSubstrings, defaults.redactPatterns], [[], []]);
  const variables = { REDACT_SUBSTRINGS: 'blue whale', REDACT_PATTERNS: 'ticket-[0-9]+' };
  assert.equal(await run('echo a blue whale, ticket-77', variables), success('a [REDACTED], [REDACTED]\n'));
});

await line('built-in: sk-… is masked', async () => {
  assert.equal(await run(`echo the key ${API_KEY} is`), success('the key [REDACTED] is\n'));
});

await line(
  'built-in: api_key authorization token password secret with : or = in any case are masked, their key stays',
  async () => {
    for (const name of [
      'api_key',
      'authorization',
      'token',
      'password',
      'secret',
      'API_KEY',
      'Password',
      'TOKEN',
      'Secret',
    ]) {
      for (const sign of ['=', ':', ': ']) {
        const text = await run(`echo '${name}${sign}${SECRET}'`);
        assert.equal(text, success(`${name}${sign}[REDACTED]\n`));
      }
    }
  },
);

await gap('built-in: letters of both cases are one, as in toKen= and passWord=', async () => {
  for (const name of ['toKen', 'passWord', 'sEcReT']) {
    assert.equal(await run(`echo '${name}=${SECRET}'`), success(`${name}=[REDACTED]\n`));
  }
});

await line('the text is a status line, then output: or error:', async () => {
  assert.equal(
    await run('false', { ALLOWED_COMMANDS: 'false' }),
    'ok=false exit=1 timeout=false truncated=false\noutput:\n',
  );
  assert.equal(await run(''), failure('Empty command'));
  assert.equal(await run('echo a', { DENY_COMMANDS: 'echo' }), failure("Command 'echo' is denied by policy"));
  const outside = await run('echo a', { SANDBOX_CWD: folder }, '/');
  assert.equal(outside, failure('Working directory escapes sandbox root'));
});

await line('it never rejects, and says what is wrong', async () => {
  for (const wrong of [undefined, null, 7, {}, 'echo "', 'echo a\0b', 'a'.repeat(200_000)]) {
    assert.match(await run(wrong), /^ok=false exit=None timeout=false truncated=false\nerror:\n\S/);
  }
  assert.match(await run('echo a', {}, path.join(folder, 'missing')), /^ok=false exit=None .*\nerror:\n\S/);
  assert.match(await run('echo a', {}, 7), /^ok=false exit=None .*\nerror:\n\S/);
});

await line('a variable that cannot be used is an error that names it', async () => {
  for (const [name, value] of [
    ['TIMEOUT_SECONDS', 'soon'],
    ['OUTPUT_CAP_BYTES', '-1'],
    ['FUNCTION_OUTPUT_MAX_CHARS', '0'],
    ['REDACT_PATTERNS', '('],
    ['ALLOWED_COMMANDS', 'ec*'],
  ]) {
    assert.match(
      await run('echo a', { [name]: value }),
      new RegExp(`^ok=false exit=None .*\\nerror:\\n.*TERMINAL_${name}`),
    );
  }
});

await line('deviation: operators are refused, not passed on as words', async () => {
  for (const command of ['echo a; echo b', 'echo a > b', 'echo $HOME', 'echo a | cat']) {
    assert.match(await run(command), /^ok=false exit=None .*\nerror:\n\S/, command);
  }
});

await line("deviation: bash -lc 'sleep 5' needs bash and sleep", async () => {
  const command = "bash -lc 'sleep 5'";
  assert.equal(await run(command, { ALLOWED_COMMANDS: 'bash' }), failure("Command 'sleep' is not allowed"));
  const both = await run(command, { ALLOWED_COMMANDS: 'bash,sleep', TIMEOUT_SECONDS: '0.2' });
  assert.match(both, / timeout=true /);
});

await line('deviation: TERMINAL_DENY_COMMANDS matches whole names', async () => {
  assert.equal(await run('echo a', { DENY_COMMANDS: 'ech' }), success('a\n'));
});

await line('deviation: a program planted in the working directory never runs', async () => {
  writeFileSync(path.join(folder, 'echo'), '#!/bin/sh\nprintf planted\n', { mode: 0o755 });
  const found = withVariables({ PATH: `${folder}:${process.env.PATH}` }, () => run('echo a'));
  assert.equal(await found, success('a\n'));
});

await line('deviation: commands have an empty home and a fixed environment', async () => {
  const seen = await withVariables({ CHECKLIST_PLANTED: 'planted' }, () => run('env', { ALLOWED_COMMANDS: 'env' }));
  assert.doesNotMatch(seen, /planted/i);
  assert.doesNotMatch(seen, new RegExp(`HOME=${process.env.HOME}\n`));
});
