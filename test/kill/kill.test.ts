import { expect, test } from 'vitest';

import { living, marker, sleep, until } from '../support/processes.js';
import { ESCAPES } from './corpus.js';
import { describeEscapes } from './describe-escapes.js';
import { looseTerminal } from './run-escape.js';

/** Waits in a script until its last child is what it is going to be. */
const UNTIL_SLEEP = 'until read -r name < /proc/$!/comm && [ "$name" = sleep ]; do :; done';

describeEscapes(ESCAPES);

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
