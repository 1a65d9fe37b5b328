/**
 * Commands that today's analysis lets pass, against the kernel plan alone. Each works without the plan, or says nothing;
 * with it, only code inside a listed program may still run, and not in more than a quarter of all rows.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, type TestContext, test } from 'vitest';

import { type CommandResult, Terminal } from '../../ts/index.js';
import { Engine } from '../../ts/terminal/engine.js';
import { soakSample } from '../support/soak.js';
import type { Attack } from './attack.js';
import { CASES } from './cases.js';
import { buildPrograms, missing, PROGRAM_FOLDERS, SEARCH_PATH, Workspace } from './workspace.js';

const TIMEOUT_MS = 120_000;
/** Of an attack without a plan. */
const TRIES = 5;
const TEST_TIMEOUT_MS = 2 * TIMEOUT_MS;
/** Of all rows that can be tried here. */
const MOST_THAT_REMAIN = 1 / 4;

const isRoot = process.getuid?.() === 0;
const programs = mkdtempSync(path.join(tmpdir(), 'handrail-attack-programs-'));
const isBuilt = buildPrograms(programs);
const engines = {
  off: new Engine({ confine: false, judging: false }),
  on: new Engine({ judging: false }),
};
const tried: string[] = [];
const remained: string[] = [];

afterAll(async () => {
  await Promise.all([engines.off.close(), engines.on.close()]);
  rmSync(programs, { recursive: true, force: true });
});

/** Runs the row unjudged: whether it had its effect, and what is to be said when it should have. */
async function attempt(row: Attack, guard: 'on' | 'off'): Promise<{ happened: boolean; result: CommandResult }> {
  const place = new Workspace(row, programs);
  const terminal = new Terminal(
    {
      allow: [...row.allow],
      roots: [place.root],
      shell: row.shell,
      path: PROGRAM_FOLDERS,
      env: { set: { PATH: SEARCH_PATH.join(':') } },
      timeoutMs: TIMEOUT_MS,
      ...(guard === 'off' ? { sandbox: 'off' } : { confine: { writes: 'roots', exec: 'listed' } }),
    },
    { engine: engines[guard] },
  );
  try {
    const result = await terminal.run(place.command);
    return { happened: place.happened(row.effect), result };
  } finally {
    await terminal.close();
    place.remove();
  }
}

function skipUnlessPossible(row: Attack, context: TestContext): void {
  const lacks = missing(row.needs);
  context.skip(!isBuilt, 'gcc is missing');
  context.skip(lacks.length > 0, `missing: ${lacks.join(', ')}`);
  context.skip(row.root && !isRoot, 'needs root');
}

test('a compiler is here, without which nothing is tried', () => {
  expect(isBuilt || process.env['CI'] === undefined).toBe(true);
});

describe.concurrent('what the analysis lets pass', () => {
  test.for(soakSample(CASES).map((row) => [row.id, row] as const))(
    '%s',
    { timeout: TEST_TIMEOUT_MS },
    async ([, row], context) => {
      skipUnlessPossible(row, context);
      let without = await attempt(row, 'off');
      // Some work only while a file is as old as the index of git: that it can work is what is shown.
      for (let tries = 1; tries < TRIES && !without.happened; tries += 1) without = await attempt(row, 'off');
      // These are closed by what is started under which name, with a plan or without.
      const isClosedOtherwise = row.class === 'F1';
      context.skip(row.waitsFor !== undefined && !without.happened, `${row.waitsFor} is open`);
      if (!isClosedOtherwise) {
        expect({ happened: without.happened, output: without.result.output }).toMatchObject({ happened: true });
      }
      const { happened } = await attempt(row, 'on');
      tried.push(row.id);
      if (happened) remained.push(row.id);
      expect({ why: row.why, remains: happened && !row.inside }).toEqual({ why: row.why, remains: false });
    },
  );
});

test('at most a quarter of them remains', () => {
  expect(tried.length).toBeGreaterThan(0);
  expect({ remained, share: remained.length <= Math.ceil(tried.length * MOST_THAT_REMAIN) }).toMatchObject({
    share: true,
  });
});
