/** A shell tells by a number that a signal ended its program, and any program may end with that number. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-limited-')));
afterAll(() => rmSync(root, { recursive: true }));

test('an exit code that looks like a signal is an exit code', async () => {
  await using terminal = new Terminal({ shell: 'bash', allow: ['true'], roots: [root] });
  for (const code of [152, 153]) {
    expect(await terminal.run(`exit ${code}`)).toMatchObject({ status: 'exited', exitCode: code });
  }
});

test('a script whose last program wrote a file that is too large has met the limit', async () => {
  const confine = { limits: { fileBytes: 65_536 } };
  await using terminal = new Terminal({ shell: 'bash', allow: ['head', 'true'], roots: [root], confine });
  const result = await terminal.run('true; head -c 200000 /dev/zero > large');
  expect(result).toMatchObject({ status: 'limited', limit: { name: 'fileBytes', value: 65_536 } });
  // Without the limit the program ends well.
  await using open = new Terminal({ shell: 'bash', allow: ['head', 'true'], roots: [root] });
  expect(await open.run('true; head -c 200000 /dev/zero > large')).toMatchObject({ status: 'exited', exitCode: 0 });
});
