/** What one run leaves and keeps is out of reach of another, by plan. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

import { createToolkit, Terminal, type Toolkit } from '../../ts/index.js';

const work = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-isolation-')));
afterAll(() => rmSync(work, { recursive: true }));

function toolkit(guard: 'on' | 'off'): Promise<Toolkit> {
  return createToolkit({
    workspace: work,
    terminal: {
      allow: ['bash'],
      trustInterpreters: ['bash'],
      output: { headBytes: 100, tailBytes: 100 },
      ...(guard === 'off' ? { sandbox: 'off' } : {}),
    },
  });
}

/** Runs `script` beside a run that waits, with the folder of that other run as $1. */
async function beside(tools: Toolkit, script: string): Promise<string> {
  const other = new AbortController();
  let found: (home: string) => void = () => undefined;
  const home = new Promise<string>((resolve) => {
    found = resolve;
  });
  const waiting = tools.terminal.run(['bash', '-c', 'echo secret > $HOME/note; echo $HOME; sleep 60'], {
    signal: other.signal,
    onOutput: ({ text }) => found(text.trim()),
  });
  try {
    const result = await tools.terminal.run(['bash', '-c', script, 'bash', await home]);
    return result.stdout;
  } finally {
    other.abort();
    await waiting;
  }
}

const READ = 'cat "$1/note" 2>/dev/null; (echo x > "$1/note") 2>/dev/null && echo written; ls "$1/.." 2>/dev/null';

test('a run neither reads nor writes the private folders of another', async () => {
  await using tools = await toolkit('on');
  expect(await beside(tools, READ)).toBe('');
});

test('which the plan sees to: without it, it does', async () => {
  await using tools = await toolkit('off');
  expect(await beside(tools, READ)).toBe('secret\nwritten\nbuild\nhome\ntmp\n');
});

/** What one run after another sees of memory that is shared by name, and whether the host does. */
async function sharedMemory(guard: 'on' | 'off'): Promise<{ own: string; later: string[]; host: boolean }> {
  const file = `/dev/shm/handrail-${process.pid}`;
  await using terminal = new Terminal({
    allow: ['bash', 'chmod', 'mkdir', 'stat'],
    trustInterpreters: ['bash'],
    roots: [work],
    confine: { exec: 'listed' },
    ...(guard === 'off' ? { sandbox: 'off' } : {}),
  });
  const run = async (script: string) => (await terminal.run(['bash', '-c', script, 'bash', file])).stdout;
  try {
    const own = await run('echo secret > "$1"; mkdir "$1.d"; echo "$1"*');
    // The host's own place is not for a test to change.
    if (guard === 'on') await run('chmod 755 /dev/shm');
    const later: string[] = [];
    while (later.length < 3) later.push(await run('echo "$1"*; stat -c %a /dev/shm'));
    return { own, later, host: existsSync(file) };
  } finally {
    rmSync(file, { force: true });
    rmSync(`${file}.d`, { recursive: true, force: true });
  }
}

test('what a run shares by name in memory is seen by no other, and not by the host', async () => {
  const { own, later, host } = await sharedMemory('on');
  const file = `/dev/shm/handrail-${process.pid}`;
  expect(own).toBe(`${file} ${file}.d\n`);
  expect(new Set(later)).toEqual(new Set([`${file}*\n700\n`]));
  expect(host).toBe(false);
});

test('which the plan sees to: without it, they all see it', async () => {
  const { own, later, host } = await sharedMemory('off');
  expect(later[2]?.startsWith(own)).toBe(true);
  expect(host).toBe(true);
});

test('spilled output is read by later runs and by file tools, and written by neither', async () => {
  await using tools = await toolkit('on');
  const { spill } = await tools.terminal.run(['bash', '-c', 'for i in {1..2000}; do echo line $i; done']);
  const file = spill?.path ?? '';
  expect(existsSync(file)).toBe(true);
  const script =
    'tail -n 1 "$1"; for f in "$1" "$1.x"; do (echo x >> "$f") 2>/dev/null && echo written; done; rm -f "$1"';
  const later = await tools.terminal.run(['bash', '-c', script, 'bash', file]);
  expect(later.stdout).toBe('line 2000\n');
  const read = await tools.execute('file_read', { path: file, offset: 1999 });
  expect(read.content).toContain('line 2000');
  const write = await tools.execute('file_write', { path: file, content: 'x' });
  expect(write.isError).toBe(true);
  expect((await tools.execute('file_read', { path: `${path.dirname(path.dirname(file))}/x` })).isError).toBe(true);
  expect(readFileSync(file, 'utf8')).toMatch(/^line 1\n[\s\S]*line 2000\n$/);
});

test('which the plan sees to: without it, a run writes there', async () => {
  await using tools = await toolkit('off');
  const { spill } = await tools.terminal.run(['bash', '-c', 'for i in {1..2000}; do echo line $i; done']);
  const later = await tools.terminal.run(['bash', '-c', 'echo x >> "$1" && echo written', 'bash', spill?.path ?? '']);
  expect(later.stdout).toBe('written\n');
});
