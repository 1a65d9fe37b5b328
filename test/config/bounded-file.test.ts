/** Files of settings that a command may have put there are read without waiting and without an end. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { boundedText } from '../../ts/config/bounded-file.js';
import { withoutShims } from '../../ts/terminal/shims.js';

let folder: string;
const at = (...names: string[]): string => path.join(folder, ...names);
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-bounded-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('gives the text of a file, and 64 KiB of a longer one', () => {
  writeFileSync(at('file'), 'a = 1\n');
  expect(boundedText(at('file'))).toBe('a = 1\n');
  for (const [bytes, read] of [
    [65_536, 65_536],
    [65_537, 65_536],
    [8_000_000_000, 65_536],
  ] as const) {
    truncateSync(at('file'), bytes);
    expect(boundedText(at('file'))).toHaveLength(read);
  }
});

it('waits for no pipe, terminal or file of the kernel', () => {
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('/proc/kmsg', at('link'));
  for (const place of ['pipe', '/dev/zero', '/dev/tty', '.', 'none']) {
    expect(boundedText(path.resolve(folder, place)), place).toBeUndefined();
  }
  expect(boundedText(at('link')) ?? '').toBe('');
});

it('is how the versions of a project are read, which a command may write', () => {
  mkdirSync(at('project'));
  execFileSync('mkfifo', [at('project', '.python-version')]);
  mkdirSync(at('pyenv'));
  writeFileSync(at('pyenv', 'version'), '3.12.1\n');
  const found = withoutShims([at('pyenv', 'shims')], { PYENV_ROOT: at('pyenv') }, at('project'));
  expect(found).toEqual([at('pyenv', 'versions/3.12.1/bin')]);
});
