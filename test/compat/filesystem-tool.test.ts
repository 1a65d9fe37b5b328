/** The file tool for sandboxes: its surface, and the faults of the one it stands for. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  FilesystemTool,
  type FilesystemToolOptions,
  HandrailError,
  isHandrailError,
  ToolError,
} from '../../ts/index.js';
import { folderPerTest } from '../support/folder.js';

const folder = folderPerTest();
const open: FilesystemTool[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((tool) => tool.close()));
});

function tool(options: FilesystemToolOptions = { allowedDirectories: [workspace()] }): FilesystemTool {
  const made = new FilesystemTool(options);
  open.push(made);
  return made;
}

function workspace(): string {
  const directory = path.join(folder(), 'workspace');
  mkdirSync(directory, { recursive: true });
  return directory;
}

/** Writes a file of the workspace and gives its path. */
function file(name: string, content: string): string {
  const target = path.join(workspace(), name);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
  return target;
}

/** The message of the `ToolError` that a call rejects with. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => expect.unreachable('it was not refused'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolError);
  expect(error).toBeInstanceOf(HandrailError);
  expect(isHandrailError(error) && error.code).toBe('ERR_TOOL');
  return (error as Error).message;
}

describe('what it is', () => {
  it('has the name, the description and the schema of the document', () => {
    expect(tool()).toMatchObject({
      name: 'filesystem',
      description: 'Read, write, or list files within the sandbox workspace.',
      parameters: {
        type: 'object',
        properties: {
          action: { type: 'string', enum: ['read', 'write', 'list'], description: 'Filesystem action to perform.' },
          path: { type: 'string', description: 'Absolute or relative file/directory path.' },
          content: { type: 'string', description: "Content to write (required for 'write' action)." },
        },
        required: ['action', 'path'],
      },
    });
  });

  it('gives a schema for chat completion services', () => {
    const { name, description, parameters } = tool();
    expect(tool().toSchema()).toEqual({ type: 'function', function: { name, description, parameters } });
  });
});

describe('paths', () => {
  it('takes an absolute path in an allowed directory', async () => {
    expect(await tool().execute({ action: 'read', path: file('a.txt', 'hello') })).toBe('hello');
  });

  it('takes a relative path from the first directory', async () => {
    file('sub/a.txt', 'hello');
    expect(await tool().execute({ action: 'read', path: 'sub/a.txt' })).toBe('hello');
    expect(await tool().execute({ action: 'list', path: '.' })).toMatchObject({ directory: workspace() });
  });

  it('refuses a path outside of all of them', async () => {
    const call = tool().execute({ action: 'read', path: '/etc/passwd' });
    expect(await refusal(call)).toBe("Path '/etc/passwd' is outside allowed directories");
  });

  it('refuses a path that climbs out, and a directory with the same beginning', async () => {
    mkdirSync(`${workspace()}-evil`);
    writeFileSync(`${workspace()}-evil/a.txt`, 'no');
    mkdirSync(path.join(workspace(), 'sub'));
    for (const outside of ['../a.txt', 'sub/../../a.txt', `${workspace()}-evil/a.txt`]) {
      expect(await refusal(tool().execute({ action: 'read', path: outside }))).toContain(
        'is outside allowed directories',
      );
    }
  });

  it('allows several directories, and nothing when there is none', async () => {
    const other = path.join(folder(), 'other');
    mkdirSync(other);
    writeFileSync(path.join(other, 'b.txt'), 'b');
    const both = tool({ allowedDirectories: [workspace(), other] });
    expect(await both.execute({ action: 'read', path: path.join(other, 'b.txt') })).toBe('b');
    for (const none of [tool({}), tool({ allowedDirectories: [] })]) {
      expect(await refusal(none.execute({ action: 'read', path: file('a.txt', 'a') }))).toContain('is outside');
    }
    const all = tool({ allowAll: true });
    expect(await all.execute({ action: 'read', path: path.join(other, 'b.txt') })).toBe('b');
  });
});

describe('read', () => {
  it('gives the whole text, exactly', async () => {
    const text = 'Grüße 🌍\r\nno end of line';
    file('a.txt', text);
    expect(await tool().execute({ action: 'read', path: 'a.txt' })).toBe(text);
    const long = `${'line\n'.repeat(5_000)}`;
    file('long.txt', long);
    expect(await tool().execute({ action: 'read', path: 'long.txt' })).toBe(long);
  });

  it('says that a file is not there', async () => {
    expect(await refusal(tool().execute({ action: 'read', path: 'none.txt' }))).toBe('File not found: none.txt');
  });

  it('masks secrets, in .env files too', async () => {
    file('.env', 'DB_PASSWORD=hunter2-hunter2\nPORT=80\n');
    expect(await tool().execute({ action: 'read', path: '.env' })).toBe('DB_PASSWORD=[REDACTED]\nPORT=80\n');
  });

  it('refuses what is no text', async () => {
    file('logo.bin', 'a\0b');
    expect(await refusal(tool().execute({ action: 'read', path: 'logo.bin' }))).toMatch(/^Read failed: /);
    expect(await refusal(tool().execute({ action: 'read', path: '.' }))).toMatch(/^Read failed: /);
  });

  it('answers at once for a FIFO, a device and a file without end', async () => {
    execFileSync('mkfifo', [path.join(workspace(), 'fifo')]);
    expect(await refusal(tool().execute({ action: 'read', path: 'fifo' }))).toMatch(/^Read failed: /);
    const all = tool({ allowAll: true, readBlocklist: 'none' });
    for (const endless of ['/dev/zero', '/dev/full', '/proc/kmsg']) {
      expect(await refusal(all.execute({ action: 'read', path: endless })), endless).toMatch(/^Read failed: /);
    }
  });

  it('keeps links that lead out from being followed, and protected places from being read', async () => {
    writeFileSync(path.join(folder(), 'secret.txt'), 'no');
    symlinkSync('../secret.txt', path.join(workspace(), 'link'));
    expect(await refusal(tool().execute({ action: 'read', path: 'link' }))).toContain('is outside allowed directories');
    const all = tool({ allowAll: true });
    expect(await refusal(all.execute({ action: 'read', path: '/etc/shadow' }))).toMatch(/^Read failed: .*protected/);
  });
});

describe('write', () => {
  it('says how many characters went where', async () => {
    const text = 'Grüße 🌍';
    const target = path.join(workspace(), 'a.txt');
    expect(await tool().execute({ action: 'write', path: 'a.txt', content: text })).toBe(`Wrote 7 chars to ${target}`);
    expect(readFileSync(target, 'utf8')).toBe(text);
  });

  it('makes the folders above', async () => {
    await tool().execute({ action: 'write', path: 'deep/er/a.txt', content: '' });
    expect(readFileSync(path.join(workspace(), 'deep/er/a.txt'), 'utf8')).toBe('');
  });

  it('needs content', async () => {
    const target = file('a.txt', 'kept');
    const call = tool().execute({ action: 'write', path: 'a.txt' });
    expect(await refusal(call)).toBe("'content' is required for write action");
    expect(readFileSync(target, 'utf8')).toBe('kept');
  });

  it('replaces a file as a whole and keeps its mode', async () => {
    const target = file('run.sh', 'old');
    execFileSync('chmod', ['750', target]);
    await tool().execute({ action: 'write', path: 'run.sh', content: 'new' });
    expect(statSync(target).mode & 0o777).toBe(0o750);
    expect(readFileSync(target, 'utf8')).toBe('new');
  });

  it('refuses protected places, hard links and places outside', async () => {
    const outside = path.join(folder(), 'outside.txt');
    writeFileSync(outside, 'kept');
    linkSync(outside, path.join(workspace(), 'linked'));
    for (const target of ['.git/hooks/pre-commit', '.bashrc', 'linked']) {
      expect(await refusal(tool().execute({ action: 'write', path: target, content: 'x' })), target).toMatch(
        /^Write failed: /,
      );
    }
    const call = tool().execute({ action: 'write', path: outside, content: 'x' });
    expect(await refusal(call)).toBe(`Path '${outside}' is outside allowed directories`);
    expect(readFileSync(outside, 'utf8')).toBe('kept');
    expect(existsSync(path.join(workspace(), '.git'))).toBe(false);
  });
});

describe('list', () => {
  it('gives name and type of each entry, sorted by name', async () => {
    file('b.txt', '');
    file('a/x', '');
    file('B.txt', '');
    expect(await tool().execute({ action: 'list', path: workspace() })).toEqual({
      directory: realpathSync(workspace()),
      entries: [
        { name: 'B.txt', type: 'file' },
        { name: 'a', type: 'dir' },
        { name: 'b.txt', type: 'file' },
      ],
    });
  });

  it('says what is neither', async () => {
    execFileSync('mkfifo', [path.join(workspace(), 'fifo')]);
    symlinkSync('nowhere', path.join(workspace(), 'link'));
    const { entries } = await tool().execute({ action: 'list', path: '.' });
    expect(entries).toEqual([
      { name: 'fifo', type: 'fifo' },
      { name: 'link', type: 'symlink' },
    ]);
  });

  it('says that a directory is not there, or is none', async () => {
    file('a.txt', '');
    expect(await refusal(tool().execute({ action: 'list', path: 'none' }))).toBe('Directory not found: none');
    expect(await refusal(tool().execute({ action: 'list', path: 'a.txt' }))).toBe('Not a directory: a.txt');
  });
});

describe('calls that are none', () => {
  it('looks at the action before the path', async () => {
    const call = tool().execute({ action: 'delete' as 'read', path: '/etc/passwd' });
    expect(await refusal(call)).toBe("Unknown filesystem action: 'delete'");
  });

  it('refuses a path that is none', async () => {
    for (const wrong of [undefined, 7, '', 'a\0b']) {
      expect(await refusal(tool().execute({ action: 'read', path: wrong as string }))).toMatch(/^Read failed: /);
    }
  });

  it('lists nothing without a path', async () => {
    expect(await refusal(tool().execute({ action: 'list' } as { action: 'list'; path: string }))).toMatch(
      /^List failed: /,
    );
  });

  it('repeats no secret', async () => {
    const secret = ['sk', 'a1B2c3D4e5F6g7H8i9J0'].join('-');
    expect(await refusal(tool().execute({ action: 'read', path: `/${secret}` }))).not.toContain(secret);
    expect(await refusal(tool().execute({ action: secret as 'read', path: '' }))).not.toContain(secret);
  });

  it('is over after close', async () => {
    const closed = tool();
    await closed.close();
    await closed.close();
    await expect(closed.execute({ action: 'read', path: 'a' })).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });

  it('takes no unknown option', () => {
    expect(() => new FilesystemTool({ allowed_directories: [] } as FilesystemToolOptions)).toThrow(/Unknown key/);
  });
});
