import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { terminalPicture, withoutNumbers } from '../../scripts/lib/terminal-picture.mjs';
import { startNode } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';
import { until } from '../support/processes.js';

const MAIN = path.join(REPOSITORY, 'dist/cli/main.js');
const PICTURE = path.join(REPOSITORY, 'docs/demo.svg');
/** Half a second is the time of a command here: a machine that stands still for as long changes what is shown. */
const TRIES = 2;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-demo-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (args: readonly string[] = [], env = {}) =>
  startNode([MAIN, 'demo', ...args], { env: { TMPDIR: folder, ...env } });

/** Processes that work beneath the folder. */
function working(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false;
      }
    });
}

const left = (stdout: string) => stdout.split('\n').map((line) => line.split('│')[0]?.trim());
const right = (stdout: string) => stdout.split('\n').map((line) => line.split('│')[1]?.trim());

describe('handrail demo', { retry: TRIES }, () => {
  it('shows on one screen what happens without and with, and leaves nothing of either', async () => {
    const { code, stdout, stderr } = await start().ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(left(stdout)).toEqual(
      expect.arrayContaining([
        'node:child_process',
        'API_PASSWORD=hunter2-hunter2',
        'the model has 2 of 2 secrets',
        '2 processes go on after its 0.5 s',
        expect.stringMatching(/^no error in 1,0\d\d,\d{3} characters$/),
        'the history is gone',
      ]),
    );
    expect(right(stdout)).toEqual(
      expect.arrayContaining([
        'handrail',
        'API_PASSWORD=[REDACTED]',
        'the model has 0 of 2 secrets',
        expect.stringMatching(/^timed out after \d+ ms$/),
        '0 processes go on after its 0.5 s',
        'cart.c:88: error: unknown type Price',
        expect.stringMatching(/^the error in \d{3} characters$/),
        "denied: Command 'rm' is not allowed",
        'the history is there',
      ]),
    );
    expect(readdirSync(folder)).toEqual([]);
    expect(working()).toEqual([]);
  });

  it('is what docs/demo.svg shows, which fits a terminal of 80x24', async () => {
    const { stdout } = await start([], { FORCE_COLOR: '1' }).ended;
    const title = /<title>(.*)<\/title>/.exec(readFileSync(PICTURE, 'utf8'))?.[1] ?? '';
    const drawn = terminalPicture(stdout, title);
    expect(withoutNumbers(drawn)).toBe(withoutNumbers(readFileSync(PICTURE, 'utf8')));
  });

  it('takes execa itself, where it is installed', async () => {
    const { code, stdout } = await start(['--beside', 'execa']).ended;
    expect(code).toBe(0);
    expect(left(stdout)).toEqual(
      expect.arrayContaining(['execa', 'the model has 2 of 2 secrets', '2 processes go on after its 0.5 s']),
    );
    expect(working()).toEqual([]);
  });

  it('is ended by a signal, with all it started', async () => {
    const { child, ended } = start();
    expect(await until(() => working().length > 0)).toBeDefined();
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 143 });
    expect(working()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('draws nothing that does not fit', () => {
  expect(() => terminalPicture('x\n'.repeat(24), 't')).toThrow('24 lines of up to 1 characters do not fit 80x24');
  expect(() => terminalPicture('x'.repeat(81), 't')).toThrow('do not fit');
  expect(() => terminalPicture('\u001b[2J', 't')).toThrow('more than colours');
});
