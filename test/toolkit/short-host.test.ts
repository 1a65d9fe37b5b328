import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const HOST = fileURLToPath(new URL('short-host.mjs', import.meta.url));
/** Enough for Node and an engine, and soon used up. */
const DESCRIPTORS = 100;

interface Outcome {
  readonly isError?: boolean;
  readonly status?: string;
  readonly code?: string;
  readonly message?: string;
}

test('a host that is short of descriptors gets results, and the next call works', () => {
  const script = `ulimit -n ${DESCRIPTORS} && exec "$0" "$1"`;
  const printed = execFileSync('bash', ['-c', script, process.execPath, HOST], { encoding: 'utf8' });
  const outcomes = JSON.parse(printed) as Outcome[];
  const works: Outcome = { isError: false, status: 'exited' };
  expect(outcomes[0]).toEqual(works);
  expect(outcomes.at(-1)).toEqual(works);
  // A run's pipes were made ahead: with none left to open, its program cannot be.
  const short = outcomes.slice(1, -1).filter(({ isError }) => isError !== false);
  expect(short.length).toBeGreaterThan(0);
  for (const { status, code, message } of short) {
    expect(status).toBe('spawn_failed');
    expect(['system', 'unreadable', 'spawn']).toContain(code);
    expect(message).toContain('Too many open files');
  }
});
