/** What a host names with `readable` and `unreadable`, and what `'roots'` finds by itself. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

import { Terminal, type TerminalOptions } from '../../ts/index.js';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-read-lists-')));
const work = path.join(base, 'work');
mkdirSync(path.join(work, 'many'), { recursive: true });
afterAll(() => rmSync(base, { recursive: true }));

/** More names than one list covers. */
const TOO_MANY = 501;

async function output(options: TerminalOptions, argv: string[]) {
  const terminal = new Terminal(options);
  try {
    return await terminal.run(argv);
  } finally {
    await terminal.close();
  }
}

test.each([work, '/tmp', '/usr', '/etc'])('%s cannot be made unreadable', (place) => {
  const make = () => new Terminal({ allow: ['cat'], roots: [work], confine: { unreadable: [place] } });
  expect(make).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  expect(make).toThrow(`'${place}' cannot be made unreadable`);
});

test('a list that names more than can be covered is refused, and not held in part', async () => {
  for (let number = 0; number < TOO_MANY; number += 1) writeFileSync(path.join(work, 'many', `${number}.secret`), 'x');
  const options = { allow: ['cat'], roots: [work] };
  const unreadable = ['*.secret'];
  const result = await output({ ...options, confine: { unreadable } }, ['cat', 'many/500.secret']);
  expect(result).toMatchObject({ status: 'spawn_failed', output: '' });
  expect(result.failure?.message).toContain('more than 500 files');
  const whole = await output({ ...options, confine: { unreadable: ['many'] } }, ['cat', 'many/500.secret']);
  expect(whole).toMatchObject({ status: 'exited', exitCode: 1 });
  expect((await output(options, ['cat', 'many/500.secret'])).output).toBe('x');
});

test("a linked worktree works where only roots are read, and its repository's neighbours are not read", async () => {
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args]);
  const [main, tree] = [path.join(base, 'main'), path.join(base, 'tree')];
  git('init', '-q', main);
  git('-C', main, 'commit', '-q', '--allow-empty', '-m', 'first');
  git('-C', main, 'worktree', 'add', '-q', tree);
  writeFileSync(path.join(main, 'file'), 'of the neighbour');
  const options: TerminalOptions = { allow: ['git', 'cat'], roots: [tree], confine: { reads: 'roots' } };
  expect(await output(options, ['git', 'log', '--format=%s'])).toMatchObject({ exitCode: 0, output: 'first\n' });
  expect((await output(options, ['cat', path.join(main, 'file')])).output).not.toContain('neighbour');
  // A file of the worktree that names another repository opens nothing.
  const other = path.join(base, 'other');
  git('init', '-q', other);
  writeFileSync(path.join(tree, '.git'), `gitdir: ${path.join(other, '.git')}\n`);
  const tried = await output(options, ['git', 'log', '--format=%s']);
  expect(tried.exitCode).not.toBe(0);
  expect(tried.blocked).toMatchObject([{ guarantee: 'reads' }]);
});
