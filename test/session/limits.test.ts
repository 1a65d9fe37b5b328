/** What lives has limits as runs do; each program is counted by itself. */
import { describe, expect, it } from 'vitest';
import { AGTerm } from '../../ts/index.js';
import { live } from '../support/live.js';
import { toolkits } from '../support/toolkits.js';

const { make } = toolkits();
const { service } = live();

const SPIN = ['-c', 'echo begun; while :; do :; done'];
const LIMITS = { cpuMs: 200 };
const LIMITED = {
  status: 'limited',
  exitCode: null,
  signal: null,
  limit: { name: 'cpuMs', value: 200 },
  survivors: [],
};

describe('a limit ends', () => {
  it('a session, by its own limits or by those of the terminal, and its output is kept', async () => {
    const { sessions } = await make({ terminal: { allow: ['bash'], confine: { limits: LIMITS } } });
    const other = await sessions.open('cat');
    const owned = await sessions.open('bash', { args: SPIN });
    const given = await sessions.open('bash', { args: SPIN, confine: { limits: { cpuMs: 100 } } });
    const lifted = await sessions.open('bash', { args: ['-c', 'sleep 1'], confine: { limits: { cpuMs: 'none' } } });
    expect(await owned.ended).toMatchObject(LIMITED);
    expect(await given.ended).toMatchObject({ ...LIMITED, limit: { name: 'cpuMs', value: 100 } });
    expect(await owned.read()).toMatchObject({ text: 'begun\n', reason: 'exited' });
    expect(await lifted.ended).toMatchObject({ status: 'exited', exitCode: 0 });
    // Those beside it go on.
    expect(await other.send('still here\n', { until: { text: 'still here' } })).toMatchObject({ reason: 'matched' });
  });

  it('a service', async () => {
    const { service: spinning } = await service('bash', SPIN, { confine: { limits: LIMITS } });
    expect(await spinning.ended).toMatchObject(LIMITED);
  });

  it('no AGTerm, unless its host says so', async () => {
    await using limited = new AGTerm('bash', { args: SPIN, confine: { limits: LIMITS } });
    await expect
      .poll(async () => (await limited.readUntilReady({ timeoutMs: 100 })) + limited.lastRead?.reason)
      .toMatch(/exited/);
    await using free = new AGTerm('bash', { args: ['-c', 'ulimit -f'], interactive: false });
    expect((await free.readUntilReady()).trim()).toBe('unlimited');
  });
});
