import { expect, test } from 'vitest';

import { living } from '../support/processes.js';
import { soak } from '../support/soak.js';
import { ESCAPES } from './corpus.js';
import { looseTerminal, runEscape } from './run-escape.js';

const ROUNDS = 200;
const TEST_TIMEOUT_MS = 30 * 60_000;

test(
  'the corpus, all at once, round after round, leaves nothing',
  async () => {
    const { terminal, close } = looseTerminal();
    try {
      await soak(ROUNDS, async () => {
        // Side by side, so that runs end while others are being started and killed.
        const ended = await Promise.all(ESCAPES.map((attack) => runEscape(terminal, attack)));
        for (const [index, { mark, result }] of ended.entries()) {
          const attack = ESCAPES[index];
          const seen = { name: attack?.name, status: result.status, output: result.stdout, living: living(mark) };
          expect(seen).toEqual({ name: attack?.name, status: attack?.status, output: attack?.output, living: [] });
        }
      });
    } finally {
      await close();
    }
  },
  TEST_TIMEOUT_MS,
);
