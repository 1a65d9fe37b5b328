import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { EngineOptions } from '../../ts/terminal/engine.js';
import type { Terminal } from '../../ts/terminal/terminal.js';
import { end, living, until } from '../support/processes.js';
import type { Escape } from './corpus.js';
import { looseTerminal, runEscape } from './run-escape.js';

/**
 * A run that outlives its deadline for good hangs its test until then; how late runs end, the soak row `deadlines`
 * and the bench say. A storm competes with the shell that starts it: 3 to 6 s by itself, many times that on a busy
 * machine.
 */
const LIVENESS_MS = 600_000;

const MEANS: readonly { name: string; options: EngineOptions }[] = [
  { name: 'confined, one signal for the whole domain', options: {} },
  { name: 'unconfined, sweeps over the children', options: { confine: false } },
];

/** Each of these leaves nothing behind, and leaves something where the killing is switched off. */
export function describeEscapes(escapes: readonly Escape[]): void {
  describe.each(MEANS)('nothing survives its run: $name', ({ options }) => {
    const loose = terminalOf(options);
    test.each(escapes)(
      '$name',
      async (attack) => {
        // Without confinement a command can kill or stop its own worker, and it does.
        const losesWorker = options.confine === false && attack.script.includes('PPID');
        const { mark, result } = await runEscape(loose(), attack);
        expect(living(mark)).toEqual([]);
        if (losesWorker) {
          expect(result.failure?.code).toBe('worker_lost');
        } else {
          expect(result.status).toBe(attack.status);
          expect(result.stdout).toBe(attack.output);
          expect(result.survivors).toEqual([]);
        }
      },
      LIVENESS_MS,
    );
  });

  describe('the attacks work: with our killing switched off', () => {
    const loose = terminalOf({ killing: false });
    test.each(escapes.filter(({ survivesGroupKill }) => survivesGroupKill))(
      '$name leaves survivors',
      async (attack) => {
        const { mark } = await runEscape(loose(), attack);
        let survivors = living(mark);
        // The links of a chain are short-lived; one scan may fall between them.
        await until(() => {
          if (survivors.length === 0) survivors = living(mark);
          return survivors.length > 0;
        });
        // A storm multiplies while it is being ended.
        await until(() => {
          end(living(mark));
          return living(mark).length === 0;
        });
        expect(survivors.length).toBeGreaterThan(0);
      },
      LIVENESS_MS,
    );
  });
}

/** A terminal for all tests of a `describe`. */
function terminalOf(options: EngineOptions): () => Terminal {
  let loose: { terminal: Terminal; close(): Promise<void> };
  beforeAll(() => {
    loose = looseTerminal(options);
  });
  afterAll(() => loose.close());
  return () => loose.terminal;
}
