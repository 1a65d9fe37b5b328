/** The tool executor: its fifteen tests by their names, and the faults of the one it stands for. */
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  BASH_TIMEOUT_SECS,
  buildResponse,
  builtinToolDefs,
  isWriteBlocked,
  MAX_BASH_OUTPUT,
  MAX_READ_OUTPUT,
  ToolExecutor,
  type ToolExecutorOptions,
  toolsEnabled,
  truncateOutput,
} from '../../ts/index.js';
import { folderPerTest } from '../support/folder.js';
import { living, marker } from '../support/processes.js';

const folder = folderPerTest();
const open: ToolExecutor[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((executor) => executor.close()));
});

function workspace(): string {
  const directory = path.join(folder(), 'workspace');
  mkdirSync(directory, { recursive: true });
  return directory;
}

function executor(options: ToolExecutorOptions = {}): ToolExecutor {
  const made = new ToolExecutor(workspace(), options);
  open.push(made);
  return made;
}

function file(name: string, content: string): string {
  const target = path.join(workspace(), name);
  writeFileSync(target, content);
  return target;
}

const content = (target: string): string => readFileSync(target, 'utf8');

describe('by the names of the document', () => {
  it('builtin_tool_defs_count', () => {
    expect(builtinToolDefs().map(({ name }) => name)).toEqual(['bash', 'read', 'write', 'edit']);
  });

  it('tool_def_serialization', () => {
    for (const definition of builtinToolDefs()) {
      const { name, description, parameters, ...rest } = JSON.parse(JSON.stringify(definition));
      expect([typeof name, typeof description, rest]).toEqual(['string', 'string', {}]);
      expect(parameters).toMatchObject({ type: 'object', required: Object.keys(parameters.properties) });
    }
    expect(builtinToolDefs().map(({ parameters }) => parameters['required'])).toEqual([
      ['command'],
      ['file_path'],
      ['file_path', 'content'],
      ['file_path', 'old_string', 'new_string'],
    ]);
  });

  it('truncate_output_short', () => expect(truncateOutput('short', 10)).toBe('short'));

  it('truncate_output_exact', () => expect(truncateOutput('exact', 5)).toBe('exact'));

  it('truncate_output_long', () => {
    expect(truncateOutput('abcdef', 3)).toBe('abc\n... (output truncated: 6 total chars, showing first 3)');
    expect(truncateOutput('ЖЖЖ🌍', 3)).toBe('ЖЖЖ\n... (output truncated: 4 total chars, showing first 3)');
  });

  it('is_write_blocked_allows_workspace', () => {
    const data = folder();
    for (const allowed of [`${workspace()}/a.txt`, `${data}/notes.md`, '/tmp/a.txt', `${workspace()}/new/deep/a.txt`]) {
      expect(isWriteBlocked(allowed, data), allowed).toBe(false);
    }
    expect(isWriteBlocked('a.txt', data, workspace())).toBe(false);
    expect([isWriteBlocked('a.txt', data), isWriteBlocked('', data, workspace())]).toEqual([true, true]);
  });

  it('is_write_blocked_denies_system', () => {
    const data = folder();
    const blocked = [
      '/etc/passwd',
      '/usr/bin/ls',
      '/usr/local/bin/new',
      '/lib/systemd/system/x.service',
      '/proc/x',
      '/dev/sda',
    ];
    for (const target of [...blocked, '/boot/x', '/sys/x', `${data}/data/memory.db`, `${data}/config.toml`]) {
      expect(isWriteBlocked(target, data), target).toBe(true);
    }
  });

  it('exec_bash_empty_command', async () => {
    for (const args of [{}, { command: '' }, { command: ' \n' }]) {
      expect(await executor().execute('bash', args)).toEqual({
        content: "Error: 'command' parameter is required",
        isError: true,
      });
    }
  });

  it('exec_bash_echo', async () => {
    expect(await executor().execute('bash', { command: 'echo hello' })).toEqual({ content: 'hello\n', isError: false });
  });

  it('exec_read_nonexistent', async () => {
    const { content: text, isError } = await executor().execute('read', { file_path: 'none.txt' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Error reading none\.txt: /);
  });

  it('exec_write_and_read', async () => {
    const tools = executor();
    const target = path.join(workspace(), 'sub/a.txt');
    const written = await tools.execute('write', { file_path: 'sub/a.txt', content: 'Grüße\r\n' });
    expect(written).toEqual({ content: `Wrote 9 bytes to ${target}`, isError: false });
    expect(await tools.execute('read', { file_path: target })).toEqual({ content: 'Grüße\r\n', isError: false });
  });

  it('exec_edit', async () => {
    const target = file('a.txt', 'one\ntwo\none\n');
    const edited = await executor().execute('edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' });
    expect(edited).toEqual({
      content: `Edited ${target} (2 occurrence(s) of pattern, replaced first at line 1)`,
      isError: false,
    });
    expect(content(target)).toBe('1\ntwo\none\n');
  });

  it('exec_write_denied_sandbox', async () => {
    const denied = await executor().execute('write', { file_path: '/etc/test', content: 'x' });
    expect(denied.isError).toBe(true);
    expect(denied.content).toMatch(/denied/);
    expect(existsSync('/etc/test')).toBe(false);
  });

  it('tool_executor_mcp_tool_map_routing', () => {
    const { mcpClients, mcpToolMap, workspacePath, dataDir } = executor();
    expect([mcpClients.size, mcpToolMap.size]).toEqual([0, 0]);
    expect([workspacePath, dataDir]).toEqual([workspace(), folder()]);
  });

  it('execute_unknown_tool', async () => {
    expect(await executor().execute('fly', {})).toEqual({ content: 'Unknown tool: fly', isError: true });
  });
});

describe('bash', () => {
  it('runs scripts in the workspace and gives both outputs', async () => {
    file('a.txt', 'b\na\n');
    const done = await executor().execute('bash', { command: 'pwd; sort < a.txt | head -1; echo bad >&2' });
    expect(done).toEqual({ content: `${workspace()}\na\nbad\n`, isError: false });
  });

  it('says the exit code when there is no output', async () => {
    expect(await executor().execute('bash', { command: 'exit 3' })).toEqual({
      content: '(exit code: 3)',
      isError: true,
    });
    expect(await executor().execute('bash', { command: 'true' })).toEqual({
      content: '(exit code: 0)',
      isError: false,
    });
  });

  it('has the limits of the document', () => {
    expect([MAX_BASH_OUTPUT, MAX_READ_OUTPUT, BASH_TIMEOUT_SECS]).toEqual([30_000, 50_000, 120]);
  });

  it('bounds what it gives, with the counts of what it leaves out', async () => {
    const { content: text } = await executor().execute('bash', { command: 'seq 1 100000' });
    expect(text.length).toBeLessThanOrEqual(MAX_BASH_OUTPUT);
    expect(text).toMatch(/^1\n2\n[\s\S]*omitted[\s\S]*\n100000\n?$/);
  });

  it('denies the fifteen names, and takes lists of the host', async () => {
    const target = file('a.txt', 'kept');
    const denied = await executor().execute('bash', { command: 'cat a.txt; rm a.txt' });
    expect(denied).toEqual({ content: "Command 'rm' is blocked by sandbox policy", isError: true });
    expect(content(target)).toBe('kept');
    const strict = executor({ allow: ['cat'] });
    expect((await strict.execute('bash', { command: 'ls' })).content).toContain("'ls' is not allowed");
    expect(await strict.execute('bash', { command: 'cat a.txt' })).toEqual({ content: 'kept', isError: false });
  });

  it('follows the write block list in redirections', async () => {
    const tools = executor();
    expect(await tools.execute('bash', { command: 'echo a > ok.txt; cat ok.txt' })).toMatchObject({ isError: false });
    for (const target of ['/etc/handrail-test', '.git/config', '../config.toml', '../data/x']) {
      const denied = await tools.execute('bash', { command: `echo a > ${target}` });
      expect(denied.isError, target).toBe(true);
      expect(denied.content, target).toContain('blocked by sandbox policy');
    }
    expect(existsSync(path.join(workspace(), '.git'))).toBe(false);
    expect(existsSync(path.join(folder(), 'config.toml'))).toBe(false);
  });

  it('hands on no variable of the host, waits for no background job and masks secrets', async () => {
    const mark = marker();
    const done = await executor().execute('bash', { command: `sleep ${mark} & echo token=hunter2-hunter2; env` });
    expect(done.content).toContain('token=[REDACTED]');
    expect(done.content).not.toContain('HANDRAIL');
    expect(living(mark)).toEqual([]);
  });
});

describe('read', () => {
  it('gives the exact text, masked, .env files too', async () => {
    file('.env', 'API_TOKEN=hunter2-hunter2\nPORT=80');
    expect(await executor().execute('read', { file_path: '.env' })).toEqual({
      content: 'API_TOKEN=[REDACTED]\nPORT=80',
      isError: false,
    });
  });

  it('bounds what it gives', async () => {
    file('long.txt', 'x'.repeat(MAX_READ_OUTPUT + 1));
    const { content: text } = await executor().execute('read', { file_path: 'long.txt' });
    expect(text).toBe(truncateOutput('x'.repeat(MAX_READ_OUTPUT + 1), MAX_READ_OUTPUT));
    expect(text).toContain('... (output truncated: 50001 total chars, showing first 50000)');
  });

  it('reads elsewhere, but no protected place, no FIFO, nothing binary', async () => {
    const tools = executor();
    expect(await tools.execute('read', { file_path: '/etc/hostname' })).toMatchObject({ isError: false });
    execFileSync('mkfifo', [path.join(workspace(), 'fifo')]);
    file('bin', 'a\0b');
    for (const target of ['/proc/self/environ', '/etc/shadow', '../config.toml', 'fifo', 'bin', '/dev/zero']) {
      writeFileSync(path.join(folder(), 'config.toml'), 'x');
      expect(await tools.execute('read', { file_path: target }), target).toMatchObject({ isError: true });
    }
  });
});

describe('write', () => {
  it('changes nothing when an argument is missing', async () => {
    const target = file('a.txt', 'kept');
    expect(await executor().execute('write', { file_path: 'a.txt' })).toEqual({
      content: "Error: 'content' parameter is required",
      isError: true,
    });
    expect(await executor().execute('write', { content: 'x' })).toMatchObject({ isError: true });
    expect(content(target)).toBe('kept');
  });

  it('is denied outside of workspace, data directory and /tmp, and in protected places', async () => {
    const tools = executor();
    mkdirSync(path.join(folder(), 'data'));
    symlinkSync('../data', path.join(workspace(), 'link'));
    symlinkSync('/etc', path.join(workspace(), 'etc'));
    const targets = [
      '/usr/local/handrail-test',
      '../config.toml',
      '../data/memory.db',
      'link/memory.db-journal',
      'etc/cron.d/x',
    ];
    for (const target of [...targets, '/var/handrail-test', '.git/hooks/pre-commit', '.bashrc']) {
      const denied = await tools.execute('write', { file_path: target, content: 'x' });
      expect(denied.content, target).toMatch(/^Write denied: /);
    }
    expect(existsSync(path.join(folder(), 'data/memory.db'))).toBe(false);
    expect(await tools.execute('write', { file_path: '../notes.md', content: 'x' })).toMatchObject({ isError: false });
  });

  it('keeps a secret whose mask is written back, and refuses a mask from elsewhere', async () => {
    const tools = executor();
    const secret = ['hunter2', 'hunter2'].join('-');
    const target = file('settings.ini', `password=${secret}\nport=80\n`);
    const { content: read } = await tools.execute('read', { file_path: 'settings.ini' });
    const changed = read.replace('80', '81');
    expect(await tools.execute('write', { file_path: 'settings.ini', content: changed })).toMatchObject({
      isError: false,
    });
    expect(content(target)).toBe(`password=${secret}\nport=81\n`);
    const elsewhere = await tools.execute('write', { file_path: 'copy.ini', content: changed });
    expect(elsewhere).toMatchObject({ isError: true });
    expect(existsSync(path.join(workspace(), 'copy.ini'))).toBe(false);
  });
});

describe('edit', () => {
  it('says what is nearest when the text is not there, and changes nothing', async () => {
    const target = file('a.js', 'function one() {\n\treturn 1;\n}\n');
    const args = { file_path: 'a.js', old_string: '\treturn 3;', new_string: '\treturn 2;' };
    const { content: text, isError } = await executor().execute('edit', args);
    expect(isError).toBe(true);
    expect(text).toMatch(/^Error: old_string not found in file: /);
    expect(text).toContain('2');
    expect(content(target)).toBe('function one() {\n\treturn 1;\n}\n');
  });

  it.each(['file_path', 'old_string', 'new_string'])('changes nothing without %s', async (missing) => {
    const target = file('a.txt', 'kept');
    const args = Object.fromEntries(
      Object.entries({ file_path: 'a.txt', old_string: 'kept', new_string: 'lost' }).filter(
        ([name]) => name !== missing,
      ),
    );
    expect(await executor().execute('edit', args)).toEqual({
      content: `Error: '${missing}' parameter is required`,
      isError: true,
    });
    expect(content(target)).toBe('kept');
  });

  it('keeps CRLF and the mark at the beginning', async () => {
    const target = file('a.txt', '\ufeffone\r\ntwo\r\n');
    await executor().execute('edit', { file_path: 'a.txt', old_string: 'one\ntwo', new_string: '1\n2\n3' });
    expect(content(target)).toBe('\ufeff1\r\n2\r\n3\r\n');
  });

  it('does not write through a second name of a file elsewhere', async () => {
    const outside = path.join(folder(), 'outside.txt');
    writeFileSync(outside, 'kept');
    linkSync(outside, path.join(workspace(), 'linked'));
    const args = { file_path: 'linked', old_string: 'kept', new_string: 'lost' };
    expect(await executor().execute('edit', args)).toMatchObject({ isError: true });
    expect(content(outside)).toBe('kept');
  });
});

describe('names', () => {
  it('are taken in any case', async () => {
    expect(await executor().execute('BASH', { command: 'echo a' })).toEqual({ content: 'a\n', isError: false });
  });

  it('that are not allowed are neither published nor run', async () => {
    const reader = executor({ allowedTools: ['Read'] });
    expect(reader.allToolDefs().map(({ name }) => name)).toEqual(['read']);
    expect(await reader.execute('bash', { command: 'echo a' })).toEqual({
      content: 'Unknown tool: bash',
      isError: true,
    });
    expect(executor({ allowedTools: [] }).allToolDefs()).toEqual([]);
    expect(executor().allToolDefs()).toHaveLength(4);
  });

  it('toolsEnabled says whether there are any', () => {
    expect(toolsEnabled({})).toBe(true);
    expect(toolsEnabled({ allowedTools: ['read'] })).toBe(true);
    expect(toolsEnabled({ allowedTools: [] })).toBe(false);
  });
});

it('buildResponse keeps what a channel needs to know', () => {
  expect(buildResponse('Hi.', 'openai', 12, 34, 'small')).toEqual({
    text: 'Hi.',
    metadata: { provider_used: 'openai', tokens_used: 12, processing_time_ms: 34, model: 'small' },
  });
  expect(buildResponse('Hi.', 'openai', 0, 34).metadata).toMatchObject({ tokens_used: null, model: null });
});

it('is over after close, which can be called again', async () => {
  const closed = executor();
  await closed.execute('bash', { command: 'true' });
  await closed.close();
  await closed.close();
  await expect(closed.execute('bash', { command: 'true' })).rejects.toMatchObject({ code: 'ERR_CLOSED' });
});

describe('edit, of several occurrences', () => {
  it.each<[object, string, string]>([
    [{}, '1 one one\n', 'replaced first at line 1'],
    [{ occurrence: 2 }, 'one 1 one\n', 'replaced 2 at line 1'],
    [{ replace_all: true }, '1 1 1\n', 'replaced all at line 1'],
  ])('replaces with %j what it is told', async (more, after, said) => {
    const target = file('a.txt', 'one one one\n');
    const args = { file_path: 'a.txt', old_string: 'one', new_string: '1', ...more };
    const { content: text, isError } = await executor().execute('edit', args);
    expect(isError).toBe(false);
    expect(text).toContain(`(3 occurrence(s) of pattern, ${said})`);
    expect(content(target)).toBe(after);
  });

  it.each([
    { occurrence: 0 },
    { occurrence: 4 },
    { occurrence: 1, replace_all: true },
    { replace_all: 'yes' },
    { all: true },
  ])('changes nothing for %j', async (more) => {
    const target = file('a.txt', 'one one one\n');
    const args = { file_path: 'a.txt', old_string: 'one', new_string: '1', ...more };
    expect(await executor().execute('edit', args)).toMatchObject({ isError: true });
    expect(content(target)).toBe('one one one\n');
  });
});

describe('arguments that are odd', () => {
  it('are told, and run nothing of the caller', async () => {
    const tools = executor();
    const trap = {
      get command(): string {
        throw new Error('of the caller');
      },
    };
    expect(await tools.execute('bash', trap)).toEqual({
      content: 'Error: the arguments cannot be read',
      isError: true,
    });
    expect((await tools.execute('bash', { command: 'echo', timeout: 1 })).content).toBe(
      "Error: unknown parameter 'timeout'; there are command",
    );
    expect(toolsEnabled(undefined)).toBe(true);
  });

  it('are told when the name of the tool is odd', async () => {
    const tools = executor();
    const trap = {
      toString(): string {
        throw new Error('of the caller');
      },
    };
    for (const [name, told] of [
      ['constructor', 'constructor'],
      ['__proto__', '__proto__'],
      [{} as string, '(object)'],
      [trap as unknown as string, '(object)'],
      [Object.create(null) as string, '(object)'],
    ] as const) {
      expect(await tools.execute(name, {})).toEqual({ content: `Unknown tool: ${told}`, isError: true });
    }
  });

  it('a read that was cut off is not written back', async () => {
    const tools = executor();
    const target = file('long.txt', 'x'.repeat(MAX_READ_OUTPUT + 1));
    const { content: read } = await tools.execute('read', { file_path: 'long.txt' });
    const refused = await tools.execute('write', { file_path: 'long.txt', content: read });
    expect(refused).toMatchObject({ isError: true, content: expect.stringContaining('truncated read') });
    expect(content(target)).toHaveLength(MAX_READ_OUTPUT + 1);
  });

  it('options are checked when it is made', () => {
    expect(() => new ToolExecutor('.', { deny: 'rm' as never })).toThrow(/`deny` to be an array/);
  });
});
