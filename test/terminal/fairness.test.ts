/** One command with a lot to say is not to make others late. */
import { expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';

const FLOODS = 4;
/** Words that look as if a secret followed, again and again: the most work for the redactor. */
const LINE = 'key=auth='.repeat(1_000);
const DEADLINE_MS = 200;
/** A liveness limit for a busy machine; floods that end at the same time were seen to take 4,000. */
const LATE_MS = 1_500;

test('deadlines are kept beside commands that flood the redactor, and theirs are too', async () => {
  await using terminal = new Terminal({ allow: ['yes', 'sleep'], graceMs: 0 });
  await terminal.run(['sleep', '0']);
  const late = async (argv: readonly string[]): Promise<number> => {
    const started = performance.now();
    const { status } = await terminal.run(argv, { timeoutMs: DEADLINE_MS });
    expect(status).toBe('timed_out');
    return performance.now() - started - DEADLINE_MS;
  };
  const floods = Array.from({ length: FLOODS }, () => late(['yes', LINE]));
  const others = Array.from({ length: FLOODS }, () => late(['sleep', '20']));
  for (const ms of await Promise.all([...floods, ...others])) expect(ms).toBeLessThan(LATE_MS);
});
