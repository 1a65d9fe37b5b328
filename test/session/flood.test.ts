/** A program that writes without an end, and nobody who reads. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { live, PROMPT } from '../support/live.js';
import { sleep } from '../support/processes.js';
import { soakCount } from '../support/soak.js';

const { bash } = live();

/** Hundredths of a second at full count, so that one hundredth of it is still long enough. */
const LEAST_MS = 1_000;
const FULL_MS = 10_000;
const MOST_GROWTH_MIB = 16;
const PATIENCE_MS = 240_000;

function residentMiB(): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1_024;
}

it(
  'D6: a flood that nobody reads costs no more memory than the history, and the next answer is right',
  async () => {
    const session = await bash();
    // Fills the history first: what it holds is no growth.
    await session.send('yes | head -c 6000000', { maxOutputBytes: 100 });
    await session.send('true');
    const before = residentMiB();
    await session.write('yes\n');
    await sleep(Math.max(LEAST_MS, soakCount(FULL_MS)));
    const end = session.history(Number.MAX_SAFE_INTEGER).end;
    const grown = residentMiB() - before;
    expect(end).toBeGreaterThan(6_000_000);
    expect(grown).toBeLessThanOrEqual(MOST_GROWTH_MIB);
    await session.interrupt();
    const { text, skippedBytes } = await session.send('echo right');
    expect(text).toBe(`right\n${PROMPT}`);
    expect(skippedBytes).toBeGreaterThan(0);
    process.stdout.write(`a flood of ${Math.round(end / 1e6)} MB unread: ${grown.toFixed(1)} MiB grown\n`);
  },
  PATIENCE_MS,
);
