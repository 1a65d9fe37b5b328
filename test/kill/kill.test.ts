import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { EngineOptions } from '../../ts/terminal/engine.js';
import type { Terminal } from '../../ts/terminal/terminal.js';
import { end, living, marker, sleep, until } from '../support/processes.js';
import { ESCAPES } from './corpus.js';
import { looseTerminal, runEscape } from './run-escape.js';

/**
 * A run that outlives its deadline for good hangs its test until then; how late runs end, the soak row `deadlines`
 * and the bench say. A storm competes with the shell that starts it: 3 to 6 s by itself, many times that on a busy
 * machine.
 */
const LIVENESS_MS = 600_000;

/** Waits in a script until its last child is what it is going to be. */
const UNTIL_SLEEP = 'until read -r name < /proc/$!/comm && [ "$name" = sleep ]; do :; done';

const MEANS: readonly { name: string; options: EngineOptions }[] = [
  { name: 'confined, one signal for the whole domain', options: {} },
  { name: 'unconfined, sweeps over the children', options: { confine: false } },
];

for (const { name, options } of MEANS) {
  describe(`nothing survives its run: ${name}`, () => {
    let loose: { terminal: Terminal; close(): Promise<void> };
    beforeAll(() => {
      loose = looseTerminal(options);
    });
    afterAll(() => loose.close());

    test.each(ESCAPES)(
      '$name',
      async (attack) => {
        // Without confinement a command can kill or stop its own worker, and it does.
        const losesWorker = options.confine === false && attack.script.includes('PPID');
        const { mark, result } = await runEscape(loose.terminal, attack);
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
}

describe('the attacks work: with our killing switched off', () => {
  let loose: { terminal: Terminal; close(): Promise<void> };
  beforeAll(() => {
    loose = looseTerminal({ killing: false });
  });
  afterAll(() => loose.close());

  test.each(ESCAPES.filter((attack) => attack.survivesGroupKill))('$name leaves survivors', async (attack) => {
    const { mark } = await runEscape(loose.terminal, attack);
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
  });
});

test('a run that ends takes nobody of a parallel run with it', async () => {
  const { terminal, close } = looseTerminal();
  try {
    const [ending, staying] = [marker(), marker()];
    const cancel = new AbortController();
    const long = terminal.run(['bash', '-c', `env -i setsid sleep ${staying} & echo up; wait`], {
      signal: cancel.signal,
    });
    await until(() => living(staying).length >= 1);
    const short = await terminal.run(['bash', '-c', `env -i setsid sleep ${ending} & sleep 0.1; echo down`]);
    expect(short.stdout).toBe('down\n');
    expect(living(ending)).toEqual([]);
    expect(living(staying).length).toBeGreaterThan(0);
    cancel.abort();
    const result = await long;
    expect(result.status).toBe('cancelled');
    expect(result.stdout).toBe('up\n');
    expect(living(staying)).toEqual([]);
  } finally {
    await close();
  }
});

test('what was still running is reported by name', async () => {
  const { terminal, close } = looseTerminal();
  try {
    const mark = marker();
    const result = await terminal.run(['bash', '-c', `sleep ${mark} & ${UNTIL_SLEEP}; echo hi`]);
    expect(result.pipesHeldBy).toEqual([{ pid: expect.any(Number) as number, program: 'sleep' }]);
    expect(result.ok).toBe(true);
  } finally {
    await close();
  }
});

test('abort is honoured and keeps the output so far', async () => {
  const { terminal, close } = looseTerminal();
  try {
    const mark = marker();
    const cancel = new AbortController();
    const running = terminal.run(['bash', '-c', `echo kept; sleep ${mark}`], { signal: cancel.signal });
    await until(() => living(mark).length > 0);
    await sleep(50);
    cancel.abort();
    const result = await running;
    expect(result).toMatchObject({ status: 'cancelled', ok: false, exitCode: null, stdout: 'kept\n' });
    expect(living(mark)).toEqual([]);
  } finally {
    await close();
  }
});
