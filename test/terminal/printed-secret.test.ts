import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToolkit, Terminal, type Toolkit } from '../../ts/index.js';

const MASK = '[REDACTED]';

let folder: string;
let toolkit: Toolkit;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-printed-')));
  writeFileSync(path.join(folder, 'db_password'), 'tiger');
  writeFileSync(path.join(folder, 'notes'), 'tiger');
  toolkit = await createToolkit({ workspace: folder, terminal: { allow: ['cat', 'printenv', 'echo'] } });
});

afterAll(async () => {
  await toolkit.close();
  rmSync(folder, { recursive: true });
});

test('what a command prints alone is masked where its line names a secret', async () => {
  const terminal = new Terminal({
    allow: ['cat', 'printenv', 'echo'],
    env: { set: { DB_PASSWORD: 'tiger', COLOUR: 'tiger' } },
  });
  try {
    for (const [command, shown] of [
      ['printenv DB_PASSWORD', `${MASK}\n`],
      ['printenv COLOUR', 'tiger\n'],
      [`cat ${folder}/db_password`, MASK],
      [`cat ${folder}/notes`, 'tiger'],
    ] as const) {
      expect(await terminal.run(command)).toMatchObject({ status: 'exited', stdout: shown });
    }
    expect((await terminal.run(`cat ${folder}/no_password`)).stderr).toContain('No such file');
  } finally {
    await terminal.close();
  }
});

test('the tool and a job mask it too', async () => {
  const result = await toolkit.execute('terminal_run', { command: 'cat db_password' });
  expect(JSON.stringify(result)).toContain(MASK);
  expect(JSON.stringify(result)).not.toContain('tiger');
  const job = await toolkit.jobs.start('cat db_password');
  await job.ended;
  expect(job.read(0).text).toBe(MASK);
});
