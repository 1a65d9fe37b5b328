/** A program behind the filter asks for something and waits: its prompt is shown, and no part of a secret. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { until } from '../support/processes.js';
import { MAIN } from './shell.js';

function start(): { child: ChildProcessWithoutNullStreams; shown: () => string } {
  const child = spawn(process.execPath, [MAIN, 'redact'], { stdio: 'pipe' });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return { child, shown: () => text };
}

/** What was shown once it is as long as `expected`, or after all the time there is. */
async function settled(shown: () => string, expected: string): Promise<string> {
  await until(() => shown().length >= expected.length);
  return shown();
}

describe('handrail redact, while nothing comes', () => {
  it('shows a prompt, and masks the answer', async () => {
    const { child, shown } = start();
    child.stdin.write('ready\n');
    await settled(shown, 'ready\n');
    child.stdin.write('Password: ');
    expect(await settled(shown, 'ready\nPassword: ')).toBe('ready\nPassword: ');
    child.stdin.end('hunter2\ndone\n');
    await once(child, 'close');
    expect(shown()).toBe('ready\nPassword: [REDACTED]\ndone\n');
  });

  it('shows no part of a secret that pauses in its middle', async () => {
    const { child, shown } = start();
    const token = `ghp_${'a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg7Kq2Z'}`;
    child.stdin.write('ready\n');
    await settled(shown, 'ready\n');
    child.stdin.write(`cloning with ${token.slice(0, 20)}`);
    await settled(shown, 'ready\ncloning with ');
    await pause(600);
    expect(shown()).toBe('ready\ncloning with ');
    child.stdin.end(`${token.slice(20)} now\n`);
    await once(child, 'close');
    expect(shown()).toBe('ready\ncloning with [REDACTED] now\n');
  });

  it('shows no part of a quoted value', async () => {
    const { child, shown } = start();
    child.stdin.write('ready\n');
    await settled(shown, 'ready\n');
    child.stdin.write('{"password": "two w0rds ');
    await pause(600);
    expect(shown()).toBe('ready\n');
    child.stdin.end('more"}\n');
    await once(child, 'close');
    expect(shown()).toBe('ready\n{"password": "[REDACTED]"}\n');
  });
});
