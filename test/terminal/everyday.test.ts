/** Everyday work under the default plan, as root and as an ordinary user. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { hintForHost, type OptionAdvice } from '../../ts/report/advice.js';
import { hostProgram, USERS } from '../attacks/hosts.js';
import type { EverydayAnswer, EverydayRequest } from './everyday-host.js';
import { ROWS, type Row, type Step } from './everyday-rows.js';

const ROW_TIMEOUT_MS = 600_000;

const host = await hostProgram<EverydayRequest, EverydayAnswer>('../terminal/everyday-host.ts');

/** Where commands find programs by default, then where this machine has what need not lie there. */
const PATH = [
  ...['/usr/local/bin', '/usr/bin', '/bin'],
  ...['cargo', 'node'].flatMap((name) => {
    const folders = (process.env['PATH'] ?? '').split(':');
    return folders.filter((folder) => path.isAbsolute(folder) && existsSync(path.join(folder, name))).slice(0, 1);
  }),
];
const RUSTUP_HOME = process.env['RUSTUP_HOME'] ?? path.join(homedir(), '.rustup');

/** Programs that nobody can start here: a failure in CI. */
const missing = new Set(
  ROWS.flatMap(({ needs }) => needs).filter((name) => !PATH.some((folder) => existsSync(path.join(folder, name)))),
);

test('everything that is needed is here', () => {
  expect(process.env['CI'] === undefined ? [] : [...missing]).toEqual([]);
});

const ask = (uid: number, row: Row): Promise<EverydayAnswer> =>
  host(uid, { row, path: PATH, variables: { RUSTUP_HOME } });

describe.each(USERS)('as uid %i', (uid) => {
  test.for(ROWS.map((row) => [row.name, row] as const))('%s', { timeout: ROW_TIMEOUT_MS }, async ([, row], context) => {
    const { lacks, results } = await ask(uid, row);
    context.skip(lacks.length > 0, `cannot be started: ${lacks.join(', ')}`);
    for (const [index, step] of row.steps.entries()) {
      const { status, ok, stdout, stderr, blocked } = results[index] as (typeof results)[number];
      const lifts = blocked?.map((one) => hintForHost(one)).join('\n');
      expect({ ...step, status, ok, stdout, stderr, lifts }).toMatchObject(expected(step));
    }
  });

  test('what has to be lifted is read from the refusal', { timeout: ROW_TIMEOUT_MS }, async (context) => {
    const row = ROWS.find(({ name }) => name === 'gcc and make') as Row;
    const steps: Step[] = [{ command: 'make -s run' }];
    const first = await ask(uid, { ...row, steps });
    context.skip(first.lacks.length > 0, `cannot be started: ${first.lacks.join(', ')}`);
    expect(first.results[0]?.ok).toBe(false);
    const advice = first.results[0]?.blocked?.[0]?.advice ?? [];
    const exec = advice.find((one) => one.kind === 'option' && one.name === 'confine.exec') as OptionAdvice | undefined;
    const options = { ...row.options, confine: { exec: exec?.value as 'any' } };
    const lifted = await ask(uid, { ...row, options, steps });
    expect(lifted.results).toMatchObject([{ ok: true, stdout: 'ran\n' }]);
  });
});

function expected({ lifts, says }: Step): object {
  if (lifts !== undefined) return { status: 'exited', ok: false, lifts: expect.stringContaining(lifts) };
  return { status: 'exited', ok: true, ...(says === undefined ? {} : { stdout: says }) };
}
