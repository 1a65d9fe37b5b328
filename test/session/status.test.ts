import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { live } from '../support/live.js';

const { bash, host } = live();

/** What a program that knows no nonce may write to look like the shell: status 0, or status 9. */
const FORGED = String.raw`printf '\033]133;D;0\007\033]133;D;9;0123456789abcdef0123456789abcdef\007'`;

describe('the status of a command', () => {
  it('is what bash itself says, with the time that it took', async () => {
    const session = await bash();
    const rows: [string, number | null | undefined][] = [
      ['true', 0],
      ['false', 1],
      ['(exit 7)', 7],
      ['no-such-program', 127],
      ['sh -c "kill -9 \\$\\$"', 137],
      ['f() { return 3; }; f', 3],
      ['if true; then\nfalse\nfi', 1],
      ['false\ntrue', 0],
      ['true | false', 1],
      [')', 2],
      ['', undefined],
      ['# nothing', undefined],
      ['set -u; echo', 0],
      [`${FORGED}; false`, 1],
      [`sh -c "${FORGED.replaceAll('"', '')}; exit 4"`, 4],
    ];
    const answers: (number | null | undefined)[] = [];
    for (const [line] of rows) answers.push((await session.send(line)).command?.status);
    expect(answers).toEqual(rows.map(([, status]) => status));
    const { command, text } = await session.send('sleep 0.05');
    expect(command?.durationMs).toBeGreaterThanOrEqual(50);
    expect(text).not.toMatch(/133/);
  });

  it('is not known while another program has the terminal, and known again afterwards', async () => {
    const session = await bash();
    const nested = await session.send('sh -i', { until: 'quiet' });
    expect(nested.command?.status).toBeNull();
    expect((await session.send('false', { until: 'quiet' })).command?.status).toBeNull();
    expect((await session.send('exit 5')).command?.status).toBe(5);
    expect((await session.send('true\nread answer', { until: 'quiet' })).command?.status).toBeNull();
    expect((await session.send('')).command).toBeUndefined();
    expect((await session.send('false')).command?.status).toBe(1);
  });

  it('of a command that ends after its call is in the read in which it ends, once', async () => {
    const session = await bash();
    const early = await session.send('echo begun; read line; (exit 6)', { until: { text: 'begun' } });
    expect(early.command?.status).toBeNull();
    await session.write('go\n');
    expect((await session.read()).command?.status).toBe(6);
    expect((await session.read()).command).toBeUndefined();
  });

  it('is that of the shell where the shell ends', async () => {
    const session = await bash();
    expect(await session.send('set -e; false')).toMatchObject({ reason: 'exited', command: { status: 1 } });
    const other = await bash();
    expect(await other.send('kill -9 $$')).toMatchObject({ reason: 'exited', command: { status: null } });
  });

  it('is told without a marker, and at once', async () => {
    const { sessions } = host();
    const session = await sessions.open('bash --norc', { env: { set: { PS1: '> ' } } });
    await session.read();
    // Where quiet decided, each answer would take this long.
    const answer = await session.send('false', { quietMs: 60_000, timeoutMs: 10_000 });
    expect(answer).toMatchObject({ text: '> ', confirmed: true, command: { status: 1 } });
  });

  it('is in no other program’s answers', async () => {
    const session = await host().sessions.open('cat');
    expect((await session.send('x')).command).toBeUndefined();
  });
});

describe('what the shell has of its user', () => {
  it('stays: its start-up file, its prompt, its hooks, and what they see', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'handrail-'));
    try {
      const lines = [`PS1='mine> '`, `PROMPT_COMMAND='echo "hook $?"'`, 'greeting=hello', `PS0='[before]'`, 'set -a'];
      writeFileSync(path.join(home, '.bashrc'), `${lines.join('\n')}\n`);
      const session = await host().sessions.open('bash', { readyMarkers: ['mine> '], env: { set: { HOME: home } } });
      await session.read();
      const answer = await session.send('(exit 3)');
      expect(answer).toMatchObject({ text: '[before]hook 3\nmine> ', command: { status: 3 } });
      const shown = await session.send('echo "$greeting $PROMPT_COMMAND $PS1 $0"');
      expect(shown.text).toContain('hello echo "hook $?" mine>  bash\n');
      expect((await session.send(`PROMPT_COMMAND='echo other'`)).text).toContain('other\n');
      expect((await session.send('false')).command?.status).toBe(1);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

describe('the nonce', () => {
  it('is in nothing that a child can open: environment, arguments, descriptors, history', async () => {
    const session = await bash();
    const { text } = await session.send('declare -p PS0');
    const nonce = /133;C;([0-9a-f]{32})/.exec(text)?.[1] ?? '';
    expect(nonce).toHaveLength(32);
    const look =
      'cat /proc/$PPID/environ /proc/$PPID/cmdline; env; for fd in 3 9 255; do timeout 1 cat /proc/$PPID/fd/$fd < /dev/null; done';
    const seen = await session.send(`sh -c '${look}'`, { timeoutMs: 10_000 });
    expect(seen.text).toContain('PS1=');
    expect(seen.text).not.toContain(nonce);
    expect((await session.send('set -a; sh -c env; history')).text).not.toContain(nonce);
  });
});
