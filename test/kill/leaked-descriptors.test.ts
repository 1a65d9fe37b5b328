import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const HOST = fileURLToPath(new URL('leaking-host.mjs', import.meta.url));
/** Node marks the first few inherited ones as closed on exec, up to the first gap. These it leaks. */
const LEAKED = 40;
const LEAKED_FIFO = 41;
const CONTENTS = 'what the host had open';
/** The standard streams, and the folder that is being listed. */
const USUAL = ['0', '1', '2', '3'];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-leak-'));
  writeFileSync(path.join(folder, 'file'), CONTENTS);
  execFileSync('mkfifo', [path.join(folder, 'fifo')]);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Seen {
  readonly open: string[];
  readonly read: string;
}

function seen(output: string): Seen {
  const [list = '', ...read] = output.split('\n');
  return { open: list.split(' ').map((entry) => path.basename(entry)), read: read.join('\n') };
}

interface Report {
  readonly plain: string;
  readonly first: string;
  readonly second: string;
  readonly heldByPlain: boolean;
  readonly heldByHandrail: boolean;
}

describe.each(['on', 'off'])('confinement %s', (guard) => {
  test('nobody of Handrail gets a descriptor that its host leaked, a plain child process does', () => {
    const start = `exec ${LEAKED}<"$1" ${LEAKED_FIFO}<>"$2"; exec "$3" "$4" ${LEAKED} ${LEAKED_FIFO} "$2" ${guard}`;
    const paths = [path.join(folder, 'file'), path.join(folder, 'fifo'), process.execPath, HOST];
    const output = execFileSync('bash', ['-c', start, 'bash', ...paths], { encoding: 'utf8' });
    const report = JSON.parse(output) as Report;
    expect(seen(report.plain).read).toBe(CONTENTS);
    expect(seen(report.plain).open).toEqual(expect.arrayContaining([String(LEAKED), String(LEAKED_FIFO)]));
    for (const command of [report.first, report.second]) expect(seen(command)).toEqual({ open: USUAL, read: '' });
    expect(report).toMatchObject({ heldByPlain: true, heldByHandrail: false });
  });
});
