/** One command with a lot to say is not to make others late. */
import { expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';

const FLOODS = 4;
/** Words that look as if a secret followed, again and again: the most work for the redactor. */
const LINE = 'key=auth='.repeat(1_000);
const DEADLINE_MS = 200;

/** A deadline that floods keep from coming ends the test by its own; how late the others are, nothing measures yet. */
test('deadlines are kept beside commands that flood the redactor, and theirs are too', async () => {
  await using terminal = new Terminal({ allow: ['yes', 'sleep'], graceMs: 0 });
  await terminal.run(['sleep', '0']);
  const late = async (argv: readonly string[]): Promise<string> =>
    (await terminal.run(argv, { timeoutMs: DEADLINE_MS })).status;
  const floods = Array.from({ length: FLOODS }, () => late(['yes', LINE]));
  const others = Array.from({ length: FLOODS }, () => late(['sleep', '300']));
  for (const status of await Promise.all([...floods, ...others])) expect(status).toBe('timed_out');
});
