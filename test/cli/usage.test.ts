import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOCTOR_USAGE, RUN_USAGE, USAGE } from '../../ts/cli/usage.js';
import { MAX_STDIN_BYTES } from '../../ts/terminal/limits.js';
import { handrail } from '../support/cli.js';
import { shell } from './shell.js';

describe('help', () => {
  it.each<[readonly string[], string]>([
    [['--help'], USAGE],
    [['-h'], USAGE],
    [['help'], USAGE],
    [['help', 'run'], RUN_USAGE],
    [['fly', '--help'], USAGE],
    [['run', '--help'], RUN_USAGE],
    [['run', '-h'], RUN_USAGE],
    [['run', '--allow', 'ls', '--help'], RUN_USAGE],
    [['run', '--nonsense', 'ls', '--help', '--', 'ls'], RUN_USAGE],
    [['--help', 'run'], USAGE],
    [['doctor', '--json', '--help'], DOCTOR_USAGE],
  ])('%j prints the page', async (args, page) => {
    expect(await handrail(...args)).toEqual({ code: 0, signal: null, stdout: page, stderr: '' });
  });

  it('behind the dashes is asked of the program', async () => {
    const { stdout } = await handrail('run', '--allow', 'echo', '--', 'echo', '--help');
    expect(stdout).toMatch(/^Usage: \S*echo /);
  });

  it('says what can be read at most as it is', () => {
    expect(RUN_USAGE).toContain(`at most ${MAX_STDIN_BYTES / 2 ** 20} MiB`);
  });
});

describe.each([
  ['handrail', USAGE],
  ['handrail run', RUN_USAGE],
  ['handrail doctor', DOCTOR_USAGE],
])('the page of %s', (_name, page) => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'handrail-usage-'));
    writeFileSync(path.join(folder, 'notes.txt'), 'one\ntwo\n');
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('fits 80 columns and 40 lines', () => {
    const lines = page.split('\n');
    expect(lines.length).toBeLessThanOrEqual(41);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('has examples that work', async () => {
    const examples = page
      .slice(page.indexOf('Examples:'))
      .split('\n')
      .filter((line) => line.startsWith('  handrail '));
    expect(examples.length).toBeGreaterThanOrEqual(2);
    for (const example of examples) {
      const { stdout, stderr } = await shell(example, folder);
      expect(stdout, example).not.toBe('');
      expect(stderr, example).toMatch(/^(handrail: exit 0 in \d+ ms\n)?$/);
    }
  });
});
