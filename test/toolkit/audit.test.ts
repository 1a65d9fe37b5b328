import { describe, expect, it, vi } from 'vitest';
import { type AuditRecord, MAX_AUDIT_CHARS } from '../../ts/audit/record.js';
import type { CommandResult } from '../../ts/report/result.js';
import { toolkits } from '../support/toolkits.js';

const { make, audited } = toolkits();

/** Looks like a key and is none. */
const FAKE_KEY = ['sk', 'a1B2c3D4e5F6g7H8i9J0'].join('-');

/** The command of a record that has one. */
function commandOf(record: AuditRecord | undefined): string | undefined {
  return record?.detail.kind === 'command' ? record.detail.command : undefined;
}

/** The messages of process warnings of ours from now on; none is printed. */
function warningsOf(): string[] {
  const warnings: string[] = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((message, options) => {
    expect(options).toEqual({ type: 'HandrailWarning', code: 'HANDRAIL_AUDIT' });
    warnings.push(String(message));
  });
  return warnings;
}

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
      isError: false,
      contentChars: result.content.length,
      redactions: 0,
      detail: {
        kind: 'command',
        status: 'exited',
        command: 'echo hi',
        program: 'echo',
        exitCode: 0,
        signal: null,
        bytes: { stdout: 3, stderr: 0 },
        survivors: 0,
        sandbox: sandbox.enforced,
      },
    });
    expect(records[0]?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(Date.parse(records[0]?.startedAt ?? '')).toBeGreaterThan(Date.now() - 600_000);
    expect(records[0]?.durationMs).toBeGreaterThan(0);
  });

  it('records denials, wrong arguments and unknown tools with their reasons', async () => {
    const { toolkit, records } = await audited();
    await toolkit.execute('terminal_run', { command: '/bin/rm -rf .', cwd: 'a' });
    await toolkit.execute('terminal_run', { cmd: 'rm' });
    await toolkit.execute('terminal_fly', {});
    expect(records).toMatchObject([
      { decision: 'deny', rules: expect.any(Array), detail: { status: 'denied', program: 'rm', cwd: 'a' } },
      { decision: 'deny', rules: ['invalid_arguments'], detail: { kind: 'refused', status: 'refused' } },
      { decision: 'deny', rules: ['unknown_tool'], detail: { status: 'refused' }, tool: 'terminal_fly' },
    ]);
    expect(records[0]?.rules.length).toBeGreaterThan(0);
    expect(records[1]?.detail).not.toHaveProperty('command');
  });

  it('holds no secret, no output and no long command', async () => {
    const { toolkit, records } = await audited();
    await toolkit.execute('terminal_run', { command: `echo ${'word '.repeat(100)} ${FAKE_KEY}`, cwd: FAKE_KEY });
    await toolkit.execute('terminal_run', { command: `echo ${FAKE_KEY}`, [FAKE_KEY]: FAKE_KEY });
    await toolkit.execute(FAKE_KEY, {});
    const text = JSON.stringify(records);
    expect(records).toHaveLength(3);
    expect(text).not.toContain(FAKE_KEY.slice(0, 12));
    expect(commandOf(records[0])).toHaveLength(MAX_AUDIT_CHARS);
  });

  it('never clips a secret in half so that its rest stays', async () => {
    const { toolkit, records } = await audited();
    const padding = 'x'.repeat(MAX_AUDIT_CHARS - 'echo  '.length - 6);
    await toolkit.execute('terminal_run', { command: `echo ${padding} ${FAKE_KEY}` });
    expect(commandOf(records[0])).not.toContain('sk-a');
  });

  it('masks and clips the id of a framework', async () => {
    const { toolkit, records } = await audited();
    await toolkit.execute('terminal_run', { command: 'echo' }, { callId: `call ${FAKE_KEY}` });
    await toolkit.execute('terminal_run', { command: 'echo' }, { callId: 'x'.repeat(MAX_AUDIT_CHARS + 1) });
    await toolkit.execute('terminal_run', { command: 'echo' }, { callId: 'x'.repeat(MAX_AUDIT_CHARS) });
    expect(records.map(({ callId }) => callId)).toEqual([
      'call [REDACTED]',
      'x'.repeat(MAX_AUDIT_CHARS),
      'x'.repeat(MAX_AUDIT_CHARS),
    ]);
  });

  it('tells every listener, and warns of what one of them threw instead of losing the result', async () => {
    const told: string[] = [];
    const warnings = warningsOf();
    const toolkit = await make({ audit: () => told.push('option') });
    const broken = (): void => {
      told.push('broken');
      throw new Error(`the disk is full: ${FAKE_KEY}`);
    };
    toolkit.on('call', broken).on('call', () => told.push('last'));
    expect(await toolkit.execute('terminal_run', { command: 'echo' })).toMatchObject({ isError: false });
    expect(told).toEqual(['option', 'broken', 'last']);
    expect(warnings).toEqual(['A listener failed: the disk is full: [REDACTED]']);
    toolkit.off('call', broken);
    await toolkit.execute('terminal_run', { command: 'echo' });
    expect(told).toEqual(['option', 'broken', 'last', 'option', 'last']);
  });

  it('warns of a listener whose promise rejects, and waits for none', async () => {
    const warnings = warningsOf();
    const toolkit = await make({ audit: async () => Promise.reject(new Error('the database is gone')) });
    toolkit.on('call', () => new Promise(() => undefined));
    expect(await toolkit.execute('terminal_run', { command: 'echo' })).toMatchObject({ isError: false });
    await expect.poll(() => warnings).toEqual(['A listener failed: the database is gone']);
  });

  it('refuses events it does not have', async () => {
    const toolkit = await make();
    expect(() => toolkit.on('end' as 'call', () => undefined)).toThrow("Expected `event` to be 'call'");
  });
});
