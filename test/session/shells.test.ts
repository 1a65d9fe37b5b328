/** Exit statuses of random commands, in each shell that tells them. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../ts/session/session.js';
import { live } from '../support/live.js';
import { isRequired } from '../support/programs.js';
import { soak } from '../support/soak.js';

const { host } = live();

const FULL_COMMANDS = 200;
const TIMEOUT_MS = 120_000;
/** What a program that does not know the nonce may write in place of a mark. */
const FORGED = String.raw`printf '\033]133;D;0;0123456789abcdef0123456789abcdef\007\033]133;D;0\007'`;

/** A number below `limit` that depends on the seed alone. */
function pick(seed: number, limit: number): number {
  return (Math.imul(seed + 1, 0x9e3779b1) >>> 8) % limit;
}

/** A command that ends with this status in any of the shells. */
function commandOf(seed: number, status: number): string {
  const exit = `sh -c 'exit ${status}'`;
  const forms = [
    exit,
    `echo out; ${exit}`,
    `${FORGED}; ${exit}`,
    `sleep 0.01; ${exit}`,
    `sh -c 'cat /proc/$PPID/environ /proc/$PPID/cmdline; exit ${status}'`,
    `true | ${exit}`,
    `sh -c 'seq 200; exit ${status}'`,
  ];
  return forms[pick(seed * 7, forms.length)] ?? exit;
}

async function open(shell: string): Promise<Session> {
  const session = await host().sessions.open(shell);
  await session.read({ timeoutMs: TIMEOUT_MS });
  return session;
}

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  const isThere = spawnSync(shell, ['--version']).status === 0;
  if (isRequired(shell)) {
    it(`is there, as HANDRAIL_REQUIRE_${shell.toUpperCase()} says`, () => expect(isThere).toBe(true));
  }

  it.skipIf(!isThere)(
    isThere ? 'says the status of each of many commands' : `skipped: no ${shell}`,
    async () => {
      const session = await open(shell);
      const done = await soak(FULL_COMMANDS, async (index) => {
        const status = pick(index, 256);
        const line = commandOf(index, status);
        const { command } = await session.send(line, { timeoutMs: TIMEOUT_MS });
        expect([line, command?.status]).toEqual([line, status]);
      });
      process.stdout.write(`${shell}: the right status of ${done} commands\n`);
    },
    TIMEOUT_MS,
  );

  it.skipIf(!isThere)(
    isThere
      ? 'ends a read at a fault, an open line and a line without an end, and goes on after it'
      : `skipped: no ${shell}`,
    async () => {
      const session = await open(shell);
      const fault = await session.send('echo )', { timeoutMs: TIMEOUT_MS });
      expect(fault.command?.status).toBeGreaterThan(0);
      const begun = await session.send('echo "one', { timeoutMs: TIMEOUT_MS });
      expect({ reason: begun.reason, sent: begun.sent }).toEqual({ reason: 'quiet', sent: true });
      expect(begun.text).not.toContain('one');
      expect((await session.send('two"', { timeoutMs: TIMEOUT_MS })).text).toMatch(/^one\ntwo\n/);
      const { text } = await session.send('printf three', { timeoutMs: TIMEOUT_MS });
      expect(text).toMatch(shell === 'bash' ? /^three/ : /^three\n[^\n]+$/);
      expect((await session.send('echo four', { timeoutMs: TIMEOUT_MS })).text).toMatch(/^four\n/);
    },
    TIMEOUT_MS,
  );

  it.skipIf(!isThere)(
    isThere ? 'has no echo in its answers, and no nonce in what a child reads' : `skipped: no ${shell}`,
    async () => {
      const session = await open(shell);
      const { text } = await session.send('echo one; echo two', { timeoutMs: TIMEOUT_MS });
      expect(text.split('\n').slice(0, 2)).toEqual(['one', 'two']);
      const shown = await session.send(shell === 'bash' ? 'declare -p PS0' : 'functions __handrail_ends');
      const nonce = /133;[CD][^\n]*?;([0-9a-f]{32})/.exec(shown.text)?.[1] ?? '';
      expect(nonce).toHaveLength(32);
      const look = 'cat /proc/$PPID/environ /proc/$PPID/cmdline /proc/$PPID/fd/9 ~/.zshenv; env; true';
      const seen = await session.send(`sh -c '${look}'`, { timeoutMs: TIMEOUT_MS });
      expect(seen.text).toContain('TERM=');
      expect(seen.text).not.toContain(nonce);
    },
    TIMEOUT_MS,
  );
});
