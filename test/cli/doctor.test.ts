import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { handrail, runCommandLine } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';

const VERSION = (JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as { version: string })
  .version;

const FEATURES = [
  'kill',
  'signals',
  'environ',
  'host',
  'writes',
  'exec',
  'network',
  'remove',
  'reads',
  'sockets',
  'limits',
];

const temporary = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('handrail-doctor-'));

describe('handrail doctor', () => {
  it('says for each feature what this machine does about it, within 80 columns', async () => {
    const { code, stdout, stderr } = await handrail('doctor');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Node ${process.versions.node} on linux`);
    for (const feature of FEATURES) {
      expect(stdout).toMatch(new RegExp(`^${feature} +(enforced|best-effort|unavailable) `, 'm'));
    }
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).not.toContain('\u001b');
  });

  it('gives the same as JSON', async () => {
    const { stdout } = await handrail('doctor', '--json');
    const report = JSON.parse(stdout) as { features: { feature: string; level: string; detail: string }[] };
    expect(report).toMatchObject({ handrail: VERSION, node: process.versions.node, kernel: release() });
    expect(report.features.map(({ feature }) => feature)).toEqual(FEATURES);
    for (const { level, detail } of report.features) {
      expect(['enforced', 'best-effort', 'unavailable']).toContain(level);
      expect(detail).not.toBe('');
    }
  });
});

it('names the variables that commands do not see, without their values and without controls', async () => {
  const env = { PLANTED_NAME: 'planted-value', ['BAD\u001b[2J']: '1' };
  const { stdout } = await runCommandLine(['doctor'], { env });
  expect(stdout).toMatch(/Commands do not see these of your variables:\n(.*\n)*.*\bPLANTED_NAME\b/);
  expect(stdout).toContain('BAD?[2J');
  expect(stdout).not.toContain('\u001b');
  expect(stdout).not.toContain('planted-value');
  const report = JSON.parse((await runCommandLine(['doctor', '--json'], { env })).stdout) as { withheld: string[] };
  expect(report.withheld).toContain('PLANTED_NAME');
});

it('asks for everything, so that nothing is missing because nobody asked', async () => {
  const before = temporary();
  const { stdout } = await handrail('doctor', '--json');
  expect(stdout).not.toContain('not asked for');
  // What is missing here has another reason than its options.
  expect(stdout).not.toContain('confine:');
  expect(temporary()).toEqual(before);
});

it('says whether there are transactions, and leaves none', async () => {
  const state = mkdtempSync(path.join(tmpdir(), 'handrail-state-'));
  try {
    const { stdout } = await runCommandLine(['doctor'], { env: { XDG_STATE_HOME: state } });
    expect(stdout).toContain('\nTransactions work here.\n');
    expect(readdirSync(path.join(state, 'handrail/layers'))).toEqual([]);
    const without = await runCommandLine(['doctor', '--json'], { env: { XDG_STATE_HOME: '/proc' } });
    const report = JSON.parse(without.stdout) as { transactions: { problem: string } };
    expect(report.transactions.problem).toMatch(/^No folder for a transaction can be made/);
  } finally {
    rmSync(state, { recursive: true });
  }
});

describe('handrail', () => {
  it.each(['--version', '-v', '-V'])('%s prints the release of the package', async (option) => {
    expect(await handrail(option)).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });
});
