import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIN_PROGRESS_BYTES, PROGRESS_INTERVAL_MS, Progress } from '../../ts/cli/progress.js';
import { temporaryFolder } from '../compat/terminal-environment.js';
import { startAtTerminal } from './pseudo-terminal.js';
import { MAIN, shell } from './shell.js';

const folder = temporaryFolder();
const ERASE = '\r\u001b[K';

describe('progress', () => {
  it('says bytes, percent and speed, at most ten times a second, and is erased', () => {
    let now = 1_000;
    const written: string[] = [];
    const progress = new Progress(
      200_000_000,
      (text) => written.push(text),
      () => now,
    );
    progress.update(1);
    now += PROGRESS_INTERVAL_MS - 1;
    progress.update(2);
    expect(written).toEqual([]);
    now += 1;
    progress.update(50_000_000);
    progress.update(60_000_000);
    now += PROGRESS_INTERVAL_MS;
    progress.update(300_000_000);
    progress.end();
    progress.end();
    expect(written).toEqual([`${ERASE}50 of 200 MB, 25%, 500 MB/s`, `${ERASE}300 of 200 MB, 100%, 1500 MB/s`, ERASE]);
  });

  it('writes nothing when nothing was shown', () => {
    const written: string[] = [];
    new Progress(1, (text) => written.push(text)).end();
    expect(written).toEqual([]);
  });
});

describe('handrail redact of a large file', () => {
  /** A file of zeros, which takes no room. */
  function sparse(bytes: number): string {
    const file = path.join(folder(), 'large.log');
    writeFileSync(file, '');
    truncateSync(file, bytes);
    return file;
  }

  /** What the terminal shows when only standard error goes to it. */
  async function atTerminal(file: string): Promise<string> {
    const terminal = startAtTerminal(
      `"${process.execPath}" "${MAIN}" redact --report "${file}" > /dev/null; echo ready`,
    );
    let shown = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      if (shown.includes('ready')) terminal.stdin.end();
    });
    await new Promise((resolve) => terminal.once('close', resolve));
    return shown;
  }

  it('shows how far it is at a terminal, and nothing of that is left', async () => {
    const shown = await atTerminal(sparse(60 * MIN_PROGRESS_BYTES));
    expect(shown).toMatch(/\d+ of 1007 MB, \d+%, \d+ MB\/s/);
    const last = shown.slice(shown.lastIndexOf(ERASE) + ERASE.length);
    expect(last).toContain('no secrets found');
    expect(last).not.toContain('MB/s');
  });

  it('shows nothing of a small one, nor where standard error is no terminal', async () => {
    expect(await atTerminal(sparse(MIN_PROGRESS_BYTES - 1))).not.toContain('MB/s');
    const { stderr } = await shell(`handrail redact "${sparse(20 * MIN_PROGRESS_BYTES)}" > /dev/null`, folder());
    expect(stderr).toBe('');
  });
});
