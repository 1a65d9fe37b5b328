// Checklist E: the tool executor and its built-in tools. `--long` waits for the time-out of bash, too: two minutes.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as h from 'handrail';
import { line, SECRET, temporaryFolder } from './line.mjs';

const { ToolExecutor, isWriteBlocked, truncateOutput } = h;
const data = temporaryFolder('executor');
const workspace = path.join(data, 'workspace');
mkdirSync(workspace);
const executor = new ToolExecutor(workspace);
const execute = (name, args) => executor.execute(name, args);
const place = (name) => path.join(workspace, name);
const text = (name) => readFileSync(place(name), 'utf8');
const done = (content) => ({ content, isError: false });
const failed = (content) => ({ content, isError: true });

await line('the constants are 30,000, 50,000 and 120', () => {
  assert.deepEqual([h.MAX_BASH_OUTPUT, h.MAX_READ_OUTPUT, h.BASH_TIMEOUT_SECS], [30_000, 50_000, 120]);
});

await line('a new executor has workspacePath, dataDir and empty maps', () => {
  assert.deepEqual([executor.workspacePath, executor.dataDir], [workspace, data]);
  for (const map of [executor.mcpClients, executor.mcpToolMap]) assert.ok(map instanceof Map && map.size === 0);
  assert.equal(new ToolExecutor('/').dataDir, '/');
});

await line('it takes allow deny allowedTools redactor approve and env', async () => {
  const options = { deny: ['head'], allowedTools: ['bash'], redactor: new h.Redactor({ substrings: ['blue whale'] }) };
  const made = new ToolExecutor(workspace, {
    ...options,
    approve: () => ({ approved: true }),
    env: { set: { A: 'b' } },
  });
  assert.deepEqual(
    await made.execute('bash', { command: 'c=echo; "$(echo $c)" $A blue whale' }),
    done('b [REDACTED]\n'),
  );
  assert.deepEqual(
    await made.execute('bash', { command: 'head x' }),
    failed("Command 'head' is blocked by sandbox policy"),
  );
  await made.close();
  const strict = new ToolExecutor(workspace, { allow: ['echo'] });
  assert.match((await strict.execute('bash', { command: 'ls' })).content, /'ls' is not allowed/);
  await strict.close();
});

await line('it takes confine: commands of bash start and write what it says', async () => {
  const made = new ToolExecutor(workspace, { allow: ['cp', 'sort'], confine: { writes: 'none' } });
  assert.ok((await made.execute('bash', { command: 'cp /etc/hostname copied' })).isError);
  assert.deepEqual(await made.execute('bash', { command: 'sort /dev/null' }), done('(exit code: 0)'));
  await made.close();
  assert.throws(() => new ToolExecutor(workspace, { confine: true }), { code: 'ERR_INVALID_ARGUMENT' });
});

await line('builtin_tool_defs_count: four, all parameters required', () => {
  assert.deepEqual(
    h.builtinToolDefs().map(({ name, parameters }) => [name, parameters.required, Object.keys(parameters.properties)]),
    [
      ['bash', ['command']],
      ['read', ['file_path']],
      ['write', ['file_path', 'content']],
      ['edit', ['file_path', 'old_string', 'new_string']],
    ].map(([name, names]) => [name, names, names]),
  );
});

await line('tool_def_serialization: name, description, parameters of JSON Schema', () => {
  const definitions = h.builtinToolDefs();
  assert.deepEqual(JSON.parse(JSON.stringify(definitions)), definitions);
  for (const { name, description, parameters, ...rest } of definitions) {
    assert.deepEqual([typeof name, typeof description, parameters.type, rest], ['string', 'string', 'object', {}]);
  }
});

await line('truncate_output_short, _exact and _long', () => {
  assert.deepEqual([truncateOutput('short', 10), truncateOutput('exact', 5)], ['short', 'exact']);
  assert.equal(truncateOutput('abcdef', 3), 'abc\n... (output truncated: 6 total chars, showing first 3)');
});

await line('is_write_blocked_allows_workspace and _denies_system', () => {
  for (const free of [place('a.txt'), place('new/deep/a.txt')]) assert.equal(isWriteBlocked(free, data), false, free);
  assert.equal(isWriteBlocked('a.txt', data, workspace), false);
  for (const blocked of [
    '/etc/passwd',
    '/usr/bin/ls',
    '/boot/x',
    `${data}/data/a.db`,
    `${data}/config.toml`,
    'a.txt',
    '',
  ]) {
    assert.equal(isWriteBlocked(blocked, data), true, blocked);
  }
});

await line('exec_bash_empty_command: missing or blank', async () => {
  for (const args of [{}, { command: '' }, { command: ' ' }]) {
    assert.deepEqual(await execute('bash', args), failed("Error: 'command' parameter is required"));
  }
});

await line('exec_bash_echo, in the workspace, both outputs, (exit code: N), isError', async () => {
  assert.deepEqual(await execute('bash', { command: 'echo hello' }), done('hello\n'));
  assert.deepEqual(await execute('bash', { command: 'pwd; echo err >&2' }), done(`${workspace}\nerr\n`));
  assert.deepEqual(await execute('bash', { command: 'true' }), done('(exit code: 0)'));
  assert.deepEqual(await execute('bash', { command: 'exit 3' }), failed('(exit code: 3)'));
  assert.deepEqual(await execute('bash', { command: 'echo a; exit 3' }), failed('a\n'));
});

await line('bash bounds its output', async () => {
  const { content } = await execute('bash', { command: 'seq 1 100000' });
  assert.ok(content.length <= h.MAX_BASH_OUTPUT && content.length > h.MAX_BASH_OUTPUT / 2);
});

await line('bash denies the fifteen names, and redirections follow isWriteBlocked', async () => {
  for (const name of h.DEFAULT_BLACKLIST) {
    assert.deepEqual(
      await execute('bash', { command: `${name} x` }),
      failed(`Command '${name}' is blocked by sandbox policy`),
    );
  }
  assert.deepEqual(await execute('bash', { command: 'echo a > ok.txt; cat ok.txt' }), done('a\n'));
  for (const target of ['/etc/handrail-checklist', '../config.toml', '../data/x']) {
    assert.equal(isWriteBlocked(target, data, workspace), true);
    const { content, isError } = await execute('bash', { command: `echo a > ${target}` });
    assert.ok(isError && content.includes('blocked by sandbox policy'), target);
  }
});

await line('exec_read_nonexistent; read gives the exact text, masked and bounded', async () => {
  const missing = await execute('read', { file_path: 'none.txt' });
  assert.ok(missing.isError && missing.content.startsWith('Error reading none.txt: '));
  writeFileSync(place('exact.txt'), `\ttoken=${SECRET}\r\nno end`);
  assert.deepEqual(await execute('read', { file_path: 'exact.txt' }), done('\ttoken=[REDACTED]\r\nno end'));
  writeFileSync(place('long.txt'), 'x'.repeat(50_001));
  const { content } = await execute('read', { file_path: 'long.txt' });
  assert.equal(content, `${'x'.repeat(50_000)}\n... (output truncated: 50001 total chars, showing first 50000)`);
});

await line('exec_write_and_read, parents made, bytes counted', async () => {
  const written = await execute('write', { file_path: 'sub/a.txt', content: 'Grüße' });
  assert.deepEqual(written, done(`Wrote 7 bytes to ${place('sub/a.txt')}`));
  assert.deepEqual(await execute('read', { file_path: place('sub/a.txt') }), done('Grüße'));
});

await line('exec_write_denied_sandbox', async () => {
  for (const target of ['/etc/handrail-checklist', '../config.toml', '/var/handrail-checklist']) {
    const { content, isError } = await execute('write', { file_path: target, content: 'x' });
    assert.ok(isError && content.startsWith('Write denied: '), content);
  }
});

await line('exec_edit: the first occurrence, how many, which line; the nearest place when there is none', async () => {
  writeFileSync(place('e.js'), 'zero\n\treturn one;\n\treturn one;\n');
  const edited = await execute('edit', { file_path: 'e.js', old_string: 'one', new_string: '1' });
  assert.ok(!edited.isError && edited.content.includes('(2 occurrence(s) of pattern, replaced first at line 2)'));
  assert.equal(text('e.js'), 'zero\n\treturn 1;\n\treturn one;\n');
  const none = await execute('edit', { file_path: 'e.js', old_string: '  return one;', new_string: 'x' });
  assert.ok(none.isError && none.content.startsWith('Error: old_string not found in file'));
  assert.match(none.content, /return/);
});

await line('a missing argument is an error and changes nothing', async () => {
  writeFileSync(place('kept.txt'), 'kept');
  const whole = { edit: { old_string: 'kept', new_string: 'lost' }, write: { content: 'lost' }, read: {} };
  for (const [name, others] of Object.entries(whole)) {
    const all = { file_path: 'kept.txt', ...others };
    for (const missing of Object.keys(all)) {
      const args = Object.fromEntries(Object.entries(all).filter(([key]) => key !== missing));
      assert.deepEqual(await execute(name, args), failed(`Error: '${missing}' parameter is required`));
    }
  }
  assert.equal(text('kept.txt'), 'kept');
});

await line('a mask written back keeps the secret, a mask from elsewhere is refused', async () => {
  writeFileSync(place('s.ini'), `password=${SECRET}\nport=80\n`);
  const { content } = await execute('read', { file_path: 's.ini' });
  assert.equal(content, 'password=[REDACTED]\nport=80\n');
  assert.equal((await execute('write', { file_path: 's.ini', content: content.replace('80', '81') })).isError, false);
  assert.equal(text('s.ini'), `password=${SECRET}\nport=81\n`);
  assert.equal((await execute('write', { file_path: 'copy.ini', content })).isError, true);
});

await line('deviation: unknown arguments and a read that was cut off change nothing', async () => {
  assert.equal((await execute('write', { file_path: 'kept.txt', content: 'lost', mode: 1 })).isError, true);
  const { content } = await execute('read', { file_path: 'long.txt' });
  assert.equal((await execute('write', { file_path: 'long.txt', content })).isError, true);
  assert.deepEqual([text('kept.txt'), text('long.txt').length], ['kept', 50_001]);
});

await line('deviation: edit takes replace_all and occurrence', async () => {
  const all = { file_path: 'o.txt', old_string: 'one', new_string: '1' };
  for (const [more, after] of [
    [{ occurrence: 2 }, 'one 1 one'],
    [{ replace_all: true }, '1 1 1'],
  ]) {
    writeFileSync(place('o.txt'), 'one one one');
    assert.match((await execute('edit', { ...all, ...more })).content, /\(3 occurrence\(s\) of pattern, /);
    assert.equal(text('o.txt'), after);
  }
});

await line('deviation: protected places, data/ and config.toml are neither read nor written', async () => {
  mkdirSync(path.join(data, 'data'));
  for (const target of ['../config.toml', '../data/a.db']) {
    writeFileSync(place(target), 'kept');
    assert.equal((await execute('read', { file_path: target })).isError, true, target);
  }
  assert.equal((await execute('read', { file_path: '/etc/shadow' })).isError, true);
  for (const target of ['.git/config', '.bashrc', '../data/a.db']) {
    assert.match((await execute('write', { file_path: target, content: 'x' })).content, /^Write denied: /, target);
  }
});

await line('buildResponse and toolsEnabled', () => {
  const metadata = { provider_used: 'p', tokens_used: 12, processing_time_ms: 34, model: 'm' };
  assert.deepEqual(h.buildResponse('Hi.', 'p', 12, 34, 'm'), { text: 'Hi.', metadata });
  const unknown = { ...metadata, tokens_used: null, model: null };
  assert.deepEqual(h.buildResponse('Hi.', 'p', 0, 34), { text: 'Hi.', metadata: unknown });
  assert.deepEqual([{ allowedTools: [] }, {}, { allowedTools: ['read'] }].map(h.toolsEnabled), [false, true, true]);
});

await line('allowedTools is checked at definition and at execution', async () => {
  const made = new ToolExecutor(workspace, { allowedTools: ['Read'] });
  assert.deepEqual(
    made.allToolDefs().map(({ name }) => name),
    ['read'],
  );
  assert.deepEqual(await made.execute('bash', { command: 'echo' }), failed('Unknown tool: bash'));
  assert.deepEqual(new ToolExecutor(workspace, { allowedTools: [] }).allToolDefs(), []);
  await made.close();
});

await line('execute_unknown_tool; built-in names in any case', async () => {
  assert.deepEqual(await execute('fly', {}), failed('Unknown tool: fly'));
  assert.deepEqual(await execute('BaSh', { command: 'echo a' }), done('a\n'));
});

if (process.argv.includes('--long')) {
  await line('Command timed out after 120s, with what there was', async () => {
    assert.deepEqual(
      await execute('bash', { command: 'echo so far; sleep 300' }),
      failed('Command timed out after 120s\nso far\n'),
    );
  });
}
await executor.close();
