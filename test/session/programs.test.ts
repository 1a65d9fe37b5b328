/** Programs as people drive them: no answer before it is whole, none at a time-out. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Toolkit } from '../../ts/index.js';
import { createToolkit } from '../../ts/toolkit.js';
import { isInstalled, isRequired } from '../support/programs.js';
import { soakSample, soakSize } from '../support/soak.js';
import { drive } from './programs/drive.js';
import type { Program } from './programs/program.js';
import { QUESTIONS } from './programs/questions.js';
import { REPLS } from './programs/repls.js';
import { SCREENS } from './programs/screens.js';
import { SHELLS } from './programs/shells.js';

/** How many programs have to be there in CI. */
const REQUIRED_PROGRAMS = 50;

const PROGRAMS: readonly Program[] = [...SHELLS, ...REPLS, ...QUESTIONS, ...SCREENS];

let workspace: string;
let toolkit: Toolkit;

beforeAll(async () => {
  workspace = mkdtempSync(path.join(tmpdir(), 'handrail-programs-'));
  toolkit = await createToolkit({ workspace, limits: { sessions: 64 } });
});

afterAll(async () => {
  await toolkit.close();
  rmSync(workspace, { recursive: true, force: true });
});

const neededBy = ({ needs, command }: Program) => needs ?? command.split(' ', 1)[0] ?? command;
const isThere = (program: Program) => isInstalled(neededBy(program));
const titleOf = (program: Program) =>
  isThere(program) ? program.name : `skipped, no ${neededBy(program)}: ${program.name}`;

if (isRequired('programs')) {
  it('are there, as HANDRAIL_REQUIRE_PROGRAMS says', () => {
    expect(PROGRAMS.filter(isThere).length).toBeGreaterThanOrEqual(REQUIRED_PROGRAMS);
  });
}

describe('each answer is whole, and comes when the program waits', () => {
  const sample = soakSample(PROGRAMS.map((program, at) => ({ program, at })));
  const pauseMs = soakSize(1_500, 300);
  for (const { program, at } of sample) {
    it.skipIf(!isThere(program)).concurrent(titleOf(program), async () => {
      const folder = path.join(workspace, `program-${at}`);
      mkdirSync(folder);
      expect(await drive(program, toolkit, folder, pauseMs)).toEqual([]);
    });
  }
});
