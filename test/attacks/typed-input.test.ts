/**
 * Lines that make a shell run something else than what is judged: they change where it reads, eat a part of what is typed
 * next, or set what it runs by itself. Each removes the victim where nobody judges.
 */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToolkit, type Toolkit } from '../../ts/toolkit.js';
import { toolkits } from '../support/toolkits.js';

const { workspace } = toolkits();
const victim = path.join(workspace, 'victim');

/** The lines of an attack; a `job` has no terminal, and a `session` runs the hooks of a prompt. */
interface Attack {
  readonly lines: readonly string[];
  readonly only?: 'job' | 'session';
}

const EATEN = 'echo rm victim';

const ATTACKS: readonly Attack[] = [
  { lines: ['exec <commands'] },
  { lines: ['exec 0<>commands'] },
  { lines: ['exec 3<commands', 'exec 0<&3'] },
  { lines: ['exec 3<commands', 'exec <&3'] },
  { lines: ["exec <<<'rm victim'"] },
  { lines: ["exec <<'E'\nrm victim\nE"] },
  { lines: ['exec < <(echo rm victim)'] },
  { lines: ['{ exec <commands; }'] },
  { lines: ['command exec <commands'] },
  { lines: ["eval 'exec <commands'"] },
  { lines: ['f() { exec <commands; }', 'f'] },
  { lines: ['read -n 5 x', EATEN] },
  { lines: ['read -N 5 x', EATEN] },
  { lines: ['read -d "#" x', 'echo a#rm victim'] },
  { lines: ['read -n 5 x </dev/stdin', EATEN] },
  { lines: ['read -n 5 x <&0', EATEN] },
  { lines: ['f=/dev/stdin; read -n 5 x <$f', EATEN] },
  { lines: ['exec 3<&0', 'read -u 3 -n 5 x', EATEN] },
  { lines: ['read x', "cat <<'E'\nrm victim\nE"] },
  { lines: ['head -c 5', EATEN] },
  { lines: [`head -c 5\n${EATEN}`] },
  { lines: ['dd bs=1 count=5', EATEN] },
  { lines: ['x=$(head -c 5)', EATEN] },
  { lines: ['x=$(head -c 5 <&0)', EATEN] },
  { lines: [String.raw`echo a\ `.trimEnd(), '#; rm victim; ls\necho b'] },
  { lines: ["printf -v PS4 '%s' '$(rm victim)'", 'set -x', 'echo q'] },
  { lines: ["printf -v PROMPT_COMMAND '%s' 'rm victim'", 'echo q'], only: 'session' },
  { lines: ["printf -v PS1 '%s' '$(rm victim)'", 'echo q'], only: 'session' },
];

const attacksOn = (kind: 'job' | 'session') =>
  ATTACKS.filter(({ only = kind }) => only === kind).map(({ lines }) => [lines.join(' ; '), lines] as const);

let toolkit: Toolkit;

beforeAll(async () => {
  writeFileSync(path.join(workspace, 'commands'), 'echo from the file\nrm victim\necho end\n');
  // The judge is what is attacked, so that no plan stands behind it.
  const terminal = {
    allow: ['bash', 'cat', 'dd', 'echo', 'head', 'ls', 'printf'],
    trustInterpreters: [],
    shell: 'bash',
    sandbox: 'off',
  } as const;
  toolkit = await createToolkit({ workspace, terminal, approve: () => ({ approved: true }) });
});
afterAll(() => toolkit.close());

const text = async (name: string, args: object) => (await toolkit.execute(name, args)).content;

describe('without the judge', () => {
  it.each(attacksOn('job'))('a job removes the victim: %s', async (_name, lines) => {
    writeFileSync(victim, 'here');
    await using job = await toolkit.jobs.start('bash');
    for (const line of lines) {
      await job.send(`${line}\n`);
      await job.wait({ until: { quietMs: 30 }, timeoutMs: 1_000 });
    }
    await expect.poll(() => existsSync(victim), { timeout: 10_000 }).toBe(false);
  });

  it.each(attacksOn('session'))('a session removes the victim: %s', async (_name, lines) => {
    writeFileSync(victim, 'here');
    await using session = await toolkit.sessions.open('bash', { args: ['--noediting', '+H'] });
    await session.read();
    for (const line of lines) {
      await session.write(`${line}\n`);
      await session.read({ until: { quietMs: 50 }, timeoutMs: 1_000 });
    }
    await expect.poll(() => existsSync(victim), { timeout: 10_000 }).toBe(false);
  });
});

describe('with the judge', () => {
  let count = 0;

  it.each(attacksOn('job'))('a job does not: %s', async (_name, lines) => {
    writeFileSync(victim, 'here');
    count += 1;
    const job = (await toolkit.execute('terminal_run', { command: 'bash', background: true })).data as { job: string };
    for (const input of lines) await text('job_send', { job: job.job, input });
    // The shell has read everything, and still reads what is sent.
    await text('job_send', { job: job.job, input: `echo settled-${count}` });
    expect(await text('job_wait', { job: job.job, until: { text: `settled-${count}` } })).toContain('[j');
    expect(await text('job_read', { job: job.job, since: 0 })).toContain(`settled-${count}`);
    expect(existsSync(victim)).toBe(true);
    await text('job_end', { job: job.job });
  });

  it.each(attacksOn('session'))('a session does not: %s', async (_name, lines) => {
    writeFileSync(victim, 'here');
    const { data } = await toolkit.execute('session_start', { command: 'bash' });
    const { session } = data as { session: string };
    const refusals: boolean[] = [];
    for (const input of lines) {
      refusals.push((await toolkit.execute('session_send', { session, input, timeout_ms: 5_000 })).isError);
    }
    expect(refusals).toContain(true);
    await text('session_send', { session, key: 'ctrl-c' });
    expect(await text('session_send', { session, input: 'echo settled' })).toContain('settled');
    expect(existsSync(victim)).toBe(true);
    await text('session_close', { session });
  });
});
