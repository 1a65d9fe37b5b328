import { describe, expect, it } from 'vitest';
import { MAX_AUDIT_CHARS } from '../../ts/audit/record.js';
import type { CommandResult } from '../../ts/terminal/result.js';
import { toolkits } from '../support/toolkits.js';

const { make, audited } = toolkits();

/** Looks like a key and is none. */
const FAKE_KEY = ['sk', 'a1B2c3D4e5F6g7H8i9J0'].join('-');

describe('audit', () => {
  it('records each call once, with what was decided and what it cost', async () => {
    const { toolkit, records } = await audited();
    const result = await toolkit.execute('terminal_run', { command: 'echo hi' }, { callId: 'call-7' });
    expect(records).toHaveLength(1);
    const { sandbox } = result.data as CommandResult;
    expect(records[0]).toMatchObject({
      callId: 'call-7',
      tool: 'terminal_run',
      decision: 'allow',
      status: 'exited',
      command: 'echo hi',
      program: 'echo',
      exitCode: 0,
      signal: null,
      isError: false,
      bytes: { stdout: 3, stderr: 0 },
      contentChars: result.content.length,
      redactions: 0,
      survivors: 0,
      sandbox: sandbox.enforced,
    });
    expect(records[0]?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(Date.parse(records[0]?.startedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect(records[0]?.durationMs).toBeGreaterThan(0);
  });

  it('records denials, wrong arguments and unknown tools with their reasons', async () => {
    const { toolkit, records } = await audited();
    await toolkit.execute('terminal_run', { command: '/bin/rm -rf .', cwd: 'a' });
    await toolkit.execute('terminal_run', { cmd: 'rm' });
    await toolkit.execute('terminal_fly', {});
    expect(records).toMatchObject([
      { decision: 'deny', status: 'denied', program: 'rm', cwd: 'a', reasons: expect.any(Array) },
      { decision: 'deny', status: 'refused', reasons: ['invalid_arguments'] },
      { decision: 'deny', status: 'refused', reasons: ['unknown_tool'], tool: 'terminal_fly' },
    ]);
    expect(records[0]?.reasons.length).toBeGreaterThan(0);
    expect(records[1]).not.toHaveProperty('command');
  });

  it('holds no secret, no output and no long command', async () => {
    const { toolkit, records } = await audited();
    await toolkit.execute('terminal_run', { command: `echo ${'word '.repeat(100)} ${FAKE_KEY}`, cwd: FAKE_KEY });
    await toolkit.execute('terminal_run', { command: `echo ${FAKE_KEY}`, [FAKE_KEY]: FAKE_KEY });
    await toolkit.execute(FAKE_KEY, {});
    const text = JSON.stringify(records);
    expect(records).toHaveLength(3);
    expect(text).not.toContain(FAKE_KEY.slice(0, 12));
    expect(records[0]?.command).toHaveLength(MAX_AUDIT_CHARS);
  });

  it('never clips a secret in half so that its rest stays', async () => {
    const { toolkit, records } = await audited();
    const padding = 'x'.repeat(MAX_AUDIT_CHARS - 'echo  '.length - 6);
    await toolkit.execute('terminal_run', { command: `echo ${padding} ${FAKE_KEY}` });
    expect(records[0]?.command).not.toContain('sk-a');
  });

  it('tells every listener, and throws what one of them threw', async () => {
    const told: string[] = [];
    const toolkit = await make({ audit: () => told.push('option') });
    const broken = (): void => {
      told.push('broken');
      throw new Error('the disk is full');
    };
    toolkit.on('call', broken).on('call', () => told.push('last'));
    await expect(toolkit.execute('terminal_run', { command: 'echo' })).rejects.toThrow('the disk is full');
    expect(told).toEqual(['option', 'broken', 'last']);
    toolkit.off('call', broken);
    await toolkit.execute('terminal_run', { command: 'echo' });
    expect(told).toEqual(['option', 'broken', 'last', 'option', 'last']);
  });

  it('refuses events it does not have', async () => {
    const toolkit = await make();
    expect(() => toolkit.on('end' as 'call', () => undefined)).toThrow("Expected `event` to be 'call'");
  });
});
