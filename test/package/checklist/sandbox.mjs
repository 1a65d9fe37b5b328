// Checklist C: the sandbox tools for files and a terminal.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as h from 'handrail';
import { line, living, marker, runNode, SECRET, temporaryFolder, until } from './line.mjs';

const { FilesystemTool, TerminalTool, ToolError } = h;
const base = temporaryFolder('sandbox');
const folder = path.join(base, 'workspace');
mkdirSync(folder);
const file = (name, content) => {
  const target = path.join(folder, name);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
  return target;
};

/** The text of the `ToolError` that a call rejects with. */
async function refusal(call) {
  const error = await call.then(
    (value) => assert.fail(`not refused: ${JSON.stringify(value)}`),
    (reason) => reason,
  );
  assert.ok(error instanceof ToolError && error instanceof h.HandrailError, String(error));
  assert.deepEqual([error.name, error.code], ['ToolError', 'ERR_TOOL']);
  return error.message;
}

const files = new FilesystemTool({ allowedDirectories: [folder] });
const read = (target) => files.execute({ action: 'read', path: target });
const write = (target, content) => files.execute({ action: 'write', path: target, content });
const list = (target) => files.execute({ action: 'list', path: target });

await line('FilesystemTool has its name, description, parameters and schema', () => {
  assert.equal(files.name, 'filesystem');
  assert.equal(files.description, 'Read, write, or list files within the sandbox workspace.');
  const { properties, ...rest } = files.parameters;
  assert.deepEqual(rest, { type: 'object', required: ['action', 'path'] });
  assert.deepEqual(Object.keys(properties), ['action', 'path', 'content']);
  assert.deepEqual(properties.action.enum, ['read', 'write', 'list']);
  for (const { type, description } of Object.values(properties)) assert.ok(type === 'string' && description !== '');
  const { name, description, parameters } = files;
  assert.deepEqual(files.toSchema(), { type: 'function', function: { name, description, parameters } });
});

await line('read gives the text, write says how many characters went where, parents made', async () => {
  const target = path.join(folder, 'deep/er/a.txt');
  assert.equal(await write('deep/er/a.txt', 'Grüße 🌍\r\n'), `Wrote 9 chars to ${target}`);
  assert.equal(await read('deep/er/a.txt'), 'Grüße 🌍\r\n');
  assert.equal(await read(target), 'Grüße 🌍\r\n');
});

await line('list gives directory and entries sorted by name, with what they are', async () => {
  file('list/b.txt', '');
  file('list/a/x', '');
  file('list/B.txt', '');
  execFileSync('mkfifo', [path.join(folder, 'list/pipe')]);
  symlinkSync('nowhere', path.join(folder, 'list/link'));
  const types = { 'B.txt': 'file', a: 'dir', 'b.txt': 'file', link: 'symlink', pipe: 'fifo' };
  const entries = Object.entries(types).map(([name, type]) => ({ name, type }));
  assert.deepEqual(await list('list'), { directory: path.join(folder, 'list'), entries });
});

await line('relative paths belong to the first directory, every directory is allowed', async () => {
  const other = path.join(base, 'other');
  mkdirSync(other);
  writeFileSync(path.join(other, 'o.txt'), 'o');
  file('o.txt', 'first');
  const both = new FilesystemTool({ allowedDirectories: [folder, other] });
  assert.equal(await both.execute({ action: 'read', path: 'o.txt' }), 'first');
  assert.equal(await both.execute({ action: 'read', path: path.join(other, 'o.txt') }), 'o');
  await both.close();
});

await line('new FilesystemTool() allows nothing, allowAll lifts that', async () => {
  const target = file('a.txt', 'a');
  for (const options of [undefined, {}, { allowedDirectories: [] }]) {
    const none = new FilesystemTool(options);
    const call = none.execute({ action: 'read', path: target });
    assert.equal(await refusal(call), `Path '${target}' is outside allowed directories`);
    await none.close();
  }
  const all = new FilesystemTool({ allowAll: true });
  assert.equal(await all.execute({ action: 'read', path: target }), 'a');
  await all.close();
});

await line('.env files are read masked', async () => {
  file('.env', `DB_PASSWORD=${SECRET}\nPORT=80\n`);
  assert.equal(await read('.env'), 'DB_PASSWORD=[REDACTED]\nPORT=80\n');
});

await line('what is outside, unknown, missing or none says so', async () => {
  for (const outside of ['/etc/passwd', '../a.txt', `${folder}-evil/a.txt`]) {
    assert.equal(await refusal(read(outside)), `Path '${outside}' is outside allowed directories`);
  }
  const unknown = files.execute({ action: 'x', path: '/etc/passwd' });
  assert.equal(await refusal(unknown), "Unknown filesystem action: 'x'");
  assert.equal(await refusal(write('a.txt')), "'content' is required for write action");
  assert.equal(await refusal(read('none.txt')), 'File not found: none.txt');
  assert.equal(await refusal(list('none')), 'Directory not found: none');
  assert.equal(await refusal(list('a.txt')), 'Not a directory: a.txt');
  assert.match(await refusal(read('.')), /^Read failed: ./);
  assert.match(await refusal(write('list', 'x')), /^Write failed: ./);
  assert.match(await refusal(list('')), /^List failed: ./);
  assert.equal(readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'a');
});

await line('FIFOs, devices and endless files are an error', async () => {
  const all = new FilesystemTool({ allowAll: true, readBlocklist: 'none' });
  for (const endless of [path.join(folder, 'list/pipe'), '/dev/zero', '/dev/full', '/proc/kmsg']) {
    assert.match(await refusal(all.execute({ action: 'read', path: endless })), /^Read failed: ./, endless);
  }
  await all.close();
});

await line('deviation: protected places are refused in an allowed directory too', async () => {
  for (const target of ['.git/hooks/pre-commit', '.bashrc', '.ssh/id_rsa']) {
    assert.match(await refusal(write(target, 'x')), /^Write failed: ./, target);
  }
});

const tool = new TerminalTool({ cwd: folder });
const execute = (command, options) => {
  if (options === undefined) return tool.execute({ command });
  const made = new TerminalTool({ cwd: folder, ...options });
  return made.execute({ command }).finally(() => made.close());
};

await line('TerminalTool has its name, description, parameter, schema and platform', () => {
  assert.deepEqual([tool.name, tool.platform], ['terminal', process.platform]);
  assert.equal(tool.description, 'Execute a shell command in the sandbox.');
  const properties = { command: { type: 'string', description: 'Shell command to execute.' } };
  assert.deepEqual(tool.parameters, { type: 'object', properties, required: ['command'] });
  const { name, description, parameters } = tool;
  assert.deepEqual(tool.toSchema(), { type: 'function', function: { name, description, parameters } });
});

await line('the blacklist has fifteen names, and a set or an array replaces it', async () => {
  const names = 'rm rmdir mkfs dd shutdown reboot halt poweroff kill killall pkill format del erase rd';
  assert.equal([...h.DEFAULT_BLACKLIST].join(' '), names);
  for (const name of names.split(' ')) {
    assert.equal(await refusal(execute(`${name} x`)), `Command '${name}' is blocked by sandbox policy`);
  }
  for (const blacklist of [['curl'], new Set(['curl'])]) {
    assert.equal(await refusal(execute('curl x', { blacklist })), "Command 'curl' is blocked by sandbox policy");
    mkdirSync(path.join(folder, 'empty'));
    assert.equal((await execute('rmdir empty', { blacklist })).exit_code, 0);
  }
});

await line('timeout is in seconds, a late command leaves nobody', async () => {
  const mark = marker();
  const late = execute(`setsid sleep ${mark} & sleep ${mark}`, { timeout: 0.3 });
  assert.equal(await refusal(late), 'Command timed out after 0.3s');
  assert.deepEqual(living(mark), []);
});

await line('the result is exactly exit_code, stdout, stderr and platform; -N of a signal', async () => {
  const result = await execute('echo out; echo err >&2; exit 3');
  assert.deepEqual(result, { exit_code: 3, stdout: 'out\n', stderr: 'err\n', platform: process.platform });
  assert.equal((await execute('kill -9 $$', { blacklist: [] })).exit_code, -9);
  assert.equal((await execute(`echo password=${SECRET}`)).stdout, 'password=[REDACTED]\n');
});

await line('views take cwd env path roots approve redactor beside their own options', async () => {
  mkdirSync(path.join(base, 'bin'));
  writeFileSync(path.join(base, 'bin/hi'), '#!/bin/sh\necho "hi $NAME"\n', { mode: 0o755 });
  const redactor = new h.Redactor({ substrings: ['world'] });
  const more = { env: { set: { NAME: 'world' } }, path: [path.join(base, 'bin')], roots: [folder], redactor };
  assert.equal((await execute('true; hi', more)).stdout, 'hi [REDACTED]\n');
  assert.equal((await execute('c=echo; "$(echo $c)" a', { approve: () => ({ approved: true }) })).stdout, 'a\n');
});

await line('views take confine: a command writes and reaches what it says', async () => {
  const copy = (name) => `cp /etc/hostname ${path.join(base, name)}`;
  const root = { roots: [folder] };
  assert.notEqual((await execute(copy('held'), root)).exit_code, 0);
  assert.equal((await execute(copy('free'), { ...root, confine: { writes: 'any' } })).exit_code, 0);
  assert.deepEqual(
    ['held', 'free'].map((name) => existsSync(path.join(base, name))),
    [false, true],
  );
  assert.throws(() => new TerminalTool({ confine: true }), { code: 'ERR_INVALID_ARGUMENT' });
});

await line('an empty command, a timeout and a command that cannot run have their texts', async () => {
  for (const empty of ['', '  ', '\n\t', undefined]) assert.equal(await refusal(execute(empty)), 'Empty command');
  const gone = execute('echo', { cwd: path.join(folder, 'gone') });
  assert.match(await refusal(gone), /^Command execution failed: ./);
});

await line('the default timeout is 30 seconds', async () => {
  // What is not waited for is read from the package: the text that a time-out would have.
  const slow = new TerminalTool({ cwd: folder });
  const call = slow.execute({ command: 'sleep 1.2; echo done' });
  assert.equal((await call).stdout, 'done\n');
  await slow.close();
  const types = readFileSync(new URL('compat/terminal-tool.d.ts', import.meta.resolve('handrail')), 'utf8');
  assert.match(types, /Default: 30\./);
});

await line('it is full bash', async () => {
  file('words.txt', 'one two\nthree\n');
  const script = 'for w in $(cat words.txt); do echo "got $w"; done | sort > sorted; [[ -s sorted ]] && wc -l < sorted';
  assert.equal((await execute(script)).stdout, '3\n');
});

await line('every spelling of a blocked name leaves a canary alone', async () => {
  // Stand-ins kill the canary, so that a hole costs nothing else.
  const bin = path.join(base, 'stand-ins');
  const canary = file('canary', 'alive');
  mkdirSync(bin);
  for (const [name, body] of [
    ['rm', `echo dead > '${canary}'`],
    ['busybox', 'exec "$@"'],
  ]) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${body}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  for (const name of ['bash', 'sh', 'cat', 'env', 'find', 'xargs']) {
    symlinkSync(
      execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      path.join(bin, name),
    );
  }
  const guarded = new TerminalTool({ cwd: folder, path: [bin], roots: [folder], timeout: 10 });
  const spellings = [
    "sh -c 'rm canary'",
    'echo a; rm canary',
    'true && rm canary',
    "'r'm canary",
    'r"m" canary',
    '\\rm canary',
    'X=1 rm canary',
    '{ rm canary; }',
    '(rm canary)',
    '$(echo rm) canary',
    'command rm canary',
    'busybox rm canary',
    'env rm canary',
    'a=rm; $a canary',
    'echo canary | xargs rm',
    "eval 'rm canary'",
    `${bin}/rm canary`,
    '/bin/rm canary',
    "bash <<< 'rm canary'",
    'f() { rm canary; }; f',
    '! rm canary',
    'rm canary & wait',
    'find . -name canary -delete',
  ];
  for (const command of spellings) {
    await guarded.execute({ command }).catch((error) => assert.ok(error instanceof ToolError));
    assert.equal(readFileSync(canary, 'utf8'), 'alive', command);
    // Only the real one is behind these two; without the guard every other one kills it.
    if (command.startsWith('/bin/') || command.startsWith('find')) continue;
    execFileSync('/bin/bash', ['-c', `${command}; true`], { cwd: folder, env: { PATH: bin }, stdio: 'ignore' });
    assert.equal(readFileSync(canary, 'utf8'), 'dead\n', `no hole to guard: ${command}`);
    writeFileSync(canary, 'alive');
  }
  await guarded.close();
});

await line('every view has close, which can be called twice', async () => {
  const views = [files, tool, new h.ToolExecutor(folder), new h.AGTerm('cat'), new h.MemoryBus()];
  for (const view of views) {
    await view.close();
    await view.close();
  }
  await assert.rejects(read('a.txt'), { code: 'ERR_CLOSED' });
  await assert.rejects(execute('echo'), { code: 'ERR_CLOSED' });
});

await line('an unclosed view does not keep the host alive, and leaves nobody', async () => {
  const calls = [
    "new h.FilesystemTool({ allowedDirectories: ['.'] }).execute({ action: 'list', path: '.' })",
    "new h.TerminalTool().execute({ command: 'sleep MARK & echo a' })",
    "new h.ToolExecutor('.').execute('bash', { command: 'sleep MARK & echo a' })",
    "new h.AGTerm('sleep', { args: ['MARK'] }).readAvailable()",
  ];
  await Promise.all(
    calls.map(async (call) => {
      const mark = marker();
      // Beside this program: the installed package is found from there.
      const code = `import * as h from 'handrail'; await ${call.replace('MARK', mark)}; console.log('done')`;
      const ended = await runNode(['--input-type=module', '-e', code], import.meta.dirname);
      assert.deepEqual(ended, { code: 0, stdout: 'done\n', stderr: '' }, call);
      await until(() => living(mark).length === 0);
    }),
  );
});
