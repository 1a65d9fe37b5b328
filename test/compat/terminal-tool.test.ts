/** The terminal tool for sandboxes: its surface, and the faults of the one it stands for. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_BLACKLIST, TerminalTool, type TerminalToolOptions, ToolError } from '../../ts/index.js';
import { pastDeadline } from '../support/deadlines.js';
import { folderPerTest } from '../support/folder.js';
import { living, marker } from '../support/processes.js';

const folder = folderPerTest();
const open: TerminalTool[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((tool) => tool.close()));
});

function tool(options: TerminalToolOptions = {}): TerminalTool {
  const made = new TerminalTool({ cwd: folder(), ...options });
  open.push(made);
  return made;
}

async function refusal(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => expect.unreachable('it was not refused'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolError);
  return (error as Error).message;
}

describe('what it is', () => {
  it('has the name, the description, the schema and the platform of the document', () => {
    const made = tool();
    expect(made).toMatchObject({
      name: 'terminal',
      description: 'Execute a shell command in the sandbox.',
      platform: process.platform,
      parameters: {
        type: 'object',
        properties: { command: { type: 'string', description: 'Shell command to execute.' } },
        required: ['command'],
      },
    });
    const { name, description, parameters } = made;
    expect(made.toSchema()).toEqual({ type: 'function', function: { name, description, parameters } });
  });

  it('denies the fifteen names of the document', () => {
    expect([...DEFAULT_BLACKLIST].join(' ')).toBe(
      'rm rmdir mkfs dd shutdown reboot halt poweroff kill killall pkill format del erase rd',
    );
  });
});

describe('execute', () => {
  it('gives exit code, both outputs and the platform, and nothing else', async () => {
    const result = await tool().execute({ command: "echo 'Hello, world!'; echo oops >&2; exit 3" });
    expect(result).toEqual({ exit_code: 3, stdout: 'Hello, world!\n', stderr: 'oops\n', platform: process.platform });
  });

  it('runs bash as it is', async () => {
    writeFileSync(path.join(folder(), 'a.txt'), 'one two\nthree\n');
    const script = 'for w in $(cat a.txt); do echo "got $w"; done | sort > words; wc -l < words';
    expect(await tool().execute({ command: script })).toMatchObject({ exit_code: 0, stdout: '3\n' });
  });

  it('gives the signal that ended a command as a negative code', async () => {
    const result = await tool({ blacklist: [] }).execute({ command: 'kill -9 $$' });
    expect(result.exit_code).toBe(-9);
  });

  it('ends late commands with all they started, in seconds', async () => {
    const late = tool({ timeout: 0.3 });
    const mark = marker();
    const call = late.execute({ command: `setsid sleep ${mark} & sleep ${mark}` });
    expect(await refusal(call)).toBe('Command timed out after 0.3s');
    expect(living(mark)).toEqual([]);
    const partial = await pastDeadline(
      (timeoutMs) =>
        tool({ timeout: timeoutMs / 1_000 })
          .execute({ command: 'echo so far; sleep 600' })
          .catch((error: ToolError) => error),
      (error) => error instanceof ToolError && error.data?.['stdout'] !== '',
    );
    expect(partial).toMatchObject({ data: { reason: 'timed_out', stdout: 'so far\n', stderr: '' } });
  });

  it('returns when the shell ends, whatever it left behind', async () => {
    const mark = marker();
    expect(await tool().execute({ command: `sleep ${mark} & echo hi` })).toMatchObject({ stdout: 'hi\n' });
    expect(living(mark)).toEqual([]);
  });

  it('refuses an empty command', async () => {
    for (const command of ['', '  ', '\n', undefined as unknown as string]) {
      expect(await refusal(tool().execute({ command }))).toBe('Empty command');
    }
  });

  it('says when a command cannot be executed', async () => {
    const missing = tool({ cwd: path.join(folder(), 'gone') });
    expect(await refusal(missing.execute({ command: 'echo' }))).toMatch(/^Command execution failed: /);
  });

  it('hands on no variable of the host and nothing on standard input, and masks secrets', async () => {
    process.env['HANDRAIL_TEST_PLANTED'] = 'planted';
    try {
      const { stdout } = await tool().execute({ command: 'env; cat; echo password=hunter2' });
      expect(stdout).not.toContain('planted');
      expect(stdout).toContain('password=[REDACTED]');
    } finally {
      delete process.env['HANDRAIL_TEST_PLANTED'];
    }
  });
});

describe('the blacklist', () => {
  it.each([
    ['a plain name', 'rm -rf /'],
    ['a path', '/bin/rm x'],
    ['upper case', 'RM x'],
    ['a shutdown', 'shutdown now'],
    ['another command of a list', 'echo a; rm x'],
  ])('denies %s', async (_name, command) => {
    const name = /shutdown/.exec(command)?.[0] ?? (/RM/.exec(command)?.[0] || 'rm');
    expect(await refusal(tool().execute({ command }))).toBe(`Command '${name}' is blocked by sandbox policy`);
  });

  it('lets other programs run', async () => {
    expect(await tool().execute({ command: 'ls; echo rm; echo "kill"' })).toMatchObject({ exit_code: 0 });
  });

  it('is replaced by what is given, as an array or a set', async () => {
    const strict = tool({ blacklist: new Set(['curl', 'wget']) });
    expect(await refusal(strict.execute({ command: 'curl example.com' }))).toBe(
      "Command 'curl' is blocked by sandbox policy",
    );
    mkdirSync(path.join(folder(), 'empty'));
    await strict.execute({ command: 'rmdir empty' });
    expect(existsSync(path.join(folder(), 'empty'))).toBe(false);
    expect(await tool({ blacklist: [] }).execute({ command: 'echo a' })).toMatchObject({ stdout: 'a\n' });
  });

  it('says why a command that nobody can judge is blocked, and what to do', async () => {
    expect(await refusal(tool().execute({ command: '$(echo rm) x' }))).toMatch(
      /^Command (is blocked by sandbox policy: .+|'rm' is blocked by sandbox policy)/,
    );
  });

  it('asks an approver when there is one', async () => {
    const asked: string[] = [];
    const approve = ({ rendering }: { rendering: string }) => {
      asked.push(rendering);
      return { approved: true };
    };
    const result = await tool({ approve }).execute({ command: 'c=echo; "$(echo $c)" a' });
    expect(asked).toEqual(['c=echo; "$(echo $c)" a']);
    expect(result.stdout).toBe('a\n');
  });
});

describe('options', () => {
  it.each([
    [{ timeout: -1 }],
    [{ timeout: 'a' }],
    [{ timeout: Number.NaN }],
    [{ blacklist: [7] }],
    [{ blacklist: 'rm' }],
    [{ blacklist: 5 }],
    [{ timeout: 0 }],
    [{ allow: [] }],
  ])('refuses %j', (options) => {
    expect(() => new TerminalTool(options as unknown as TerminalToolOptions)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }),
    );
  });

  it('is over after close', async () => {
    const closed = tool();
    await closed.close();
    await closed.close();
    await expect(closed.execute({ command: 'echo' })).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });
});
