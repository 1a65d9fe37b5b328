/** What somebody was asked about is what runs: the files that a command names, and where it runs. */
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';
import { MAX_DIGEST_BYTES, NamedFilesRecorder } from '../../ts/terminal/named.js';

let folder = '';
const at = (name: string): string => path.join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-named-'));
  writeFileSync(at('s.py'), 'print("shown")\n');
  writeFileSync(at('m.py'), 'print("shown")\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a command while whose approval something is done. */
async function runWhile(command: string | string[], act: () => void, options: { cwd?: string } = {}) {
  await using terminal = new Terminal({
    allow: ['python3'],
    roots: [folder],
    ...(typeof command === 'string' ? { shell: 'bash' as const } : {}),
    approve: () => {
      act();
      return { approved: true };
    },
  });
  const { status, output, decision } = await terminal.run(command, options);
  return { status, output, rule: decision.reasons[0]?.rule, message: decision.reasons[0]?.message };
}

const replace = (name: string) => () => {
  writeFileSync(at('new'), 'print("other")\n');
  renameSync(at('new'), at(name));
};

describe.each([
  ['an argv', ['python3', 's.py']],
  ['a path', ['python3', './s.py']],
  ['a script', 'python3 s.py; true'],
])('%s', (_, command) => {
  test('runs as it was shown', async () => {
    expect(await runWhile(command, () => undefined)).toMatchObject({ status: 'exited', output: 'shown\n' });
  });

  test.each([
    ['is replaced', replace('s.py')],
    ['is written', () => writeFileSync(at('s.py'), 'print("other")\n')],
    ['is removed', () => rmSync(at('s.py'))],
  ])('does not run where its file %s meanwhile', async (_name, act) => {
    const refused = await runWhile(command, act);
    expect(refused).toMatchObject({ status: 'denied', output: '', rule: 'changed_on_disk' });
    expect(refused.message).toContain('s.py` was changed while somebody was asked about this command');
    expect(refused.message).toContain('send the command again');
  });
});

test('a file that comes to be meanwhile was not shown', async () => {
  const made = await runWhile(['python3', 'later.py'], () => writeFileSync(at('later.py'), 'print("other")\n'));
  expect(made).toMatchObject({ status: 'denied', rule: 'changed_on_disk' });
});

test('a working directory that is exchanged is another', async () => {
  mkdirSync(at('a/in'), { recursive: true });
  mkdirSync(at('b'));
  writeFileSync(at('a/s.py'), 'print("shown")\n');
  writeFileSync(at('b/s.py'), 'print("shown")\n');
  const exchange = (): void => {
    renameSync(at('a'), at('c'));
    renameSync(at('b'), at('a'));
  };
  const refused = await runWhile(['python3', '-m', 's'], exchange, { cwd: 'a' });
  expect(refused).toMatchObject({ status: 'denied', rule: 'changed_on_disk' });
  expect(refused.message).toContain('The working directory was changed');
});

test('a file that was only looked at or touched is the same', async () => {
  const touched = await runWhile(['python3', 's.py'], () => utimesSync(at('s.py'), 1, 1));
  expect(touched).toMatchObject({ status: 'exited', output: 'shown\n' });
});

test.each([
  ['in double quotes', 'python3 "my s.py"', 'my s.py'],
  ['in single quotes', "python3 'my s.py'", 'my s.py'],
  ['in parts', "python3 s''.py", 's.py'],
  ['behind a backslash', 'python3 s\\.py', 's.py'],
  ['with a blank behind a backslash', 'python3 my\\ s.py', 'my s.py'],
  ['by a pattern', 'python3 s*.py', 's.py'],
  ['by a variable', 'python3 "$PWD/s.py"', 's.py'],
  ['by a pattern in a folder', 'python3 sub/s*.py', 'sub/s.py'],
  ['by a variable before a folder', 'python3 $PWD/sub/s.py', 'sub/s.py'],
  ['in another script', `bash -c 'python3 "my s.py"'`, 'my s.py'],
  ['behind a comment', '# it\'s\npython3 "my s.py" # isn\'t', 'my s.py'],
  ['after many words', `${Array.from({ length: 300 }, (_, n) => `A${n}=1`).join(' ')} python3 s.py`, 's.py'],
])('a file that is named %s is held as well', (_name, command, file) => {
  mkdirSync(at('sub'));
  writeFileSync(at('sub/s.py'), '');
  writeFileSync(at('my s.py'), '');
  const named = new NamedFilesRecorder(folder).record({ command, cwd: '' });
  expect(named.describeChange()).toBeUndefined();
  replace(file)();
  expect(named.describeChange()).toContain('was changed while somebody was asked');
});

test('a file with a blank in its name does not run where it was replaced', async () => {
  writeFileSync(at('my s.py'), 'print("shown")\n');
  expect(await runWhile('python3 "my s.py"', replace('my s.py'))).toMatchObject({ rule: 'changed_on_disk' });
  expect(await runWhile('python3 "my s.py"', replace('other'))).toMatchObject({ status: 'exited' });
});

test('the attack works with what no word names', async () => {
  const changed = await runWhile(['python3', '-m', 'm'], replace('m.py'));
  expect(changed).toMatchObject({ status: 'exited', output: 'other\n' });
});

test('content is read up to a bound; beyond it the times tell', () => {
  const naming = new NamedFilesRecorder(folder);
  const call = { command: ['cat', 'large'], cwd: '' };
  for (const bytes of [MAX_DIGEST_BYTES, MAX_DIGEST_BYTES + 1]) {
    writeFileSync(at('large'), '');
    truncateSync(at('large'), bytes);
    const named = naming.record(call);
    expect(named.describeChange()).toBeUndefined();
    utimesSync(at('large'), 1, 1);
    expect(named.describeChange() === undefined).toBe(bytes === MAX_DIGEST_BYTES);
  }
});

test('a fingerprint is the same for the same, and says nothing to another terminal', () => {
  const call = { command: ['cat', 's.py'], cwd: '' };
  const naming = new NamedFilesRecorder(folder);
  const first = naming.record(call).fingerprint;
  expect(naming.record(call).fingerprint).toBe(first);
  expect(new NamedFilesRecorder(folder).record(call).fingerprint).not.toBe(first);
  writeFileSync(at('s.py'), 'print("other")\n');
  expect(naming.record(call).fingerprint).not.toBe(first);
});

test('a link that leads nowhere is no hindrance beside a file that a pattern may name', async () => {
  mkdirSync(at('links'));
  for (const target of ['../s.py/below', 'round', 'nothing']) symlinkSync(target, at(`links/${path.basename(target)}`));
  symlinkSync('round', at('links/turn'));
  symlinkSync('turn', at('links/round-2'));
  const ran = await runWhile('python3 s.py links/*', () => undefined);
  expect(ran).toMatchObject({ status: 'exited', output: 'shown\n' });
});
