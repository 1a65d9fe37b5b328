/**
 * Random scripts of commands and calls of file tools on random trees, in transactions: one that is dropped leaves the tree as it was,
 * one that is brought over makes it what the same script makes of it without a transaction, and `undo` takes that back.
 */
import { describe, expect, test } from 'vitest';

import { hostProgram, USERS } from '../../attacks/hosts.js';
import { soakCount } from '../../support/soak.js';
import type { ScriptsAnswer, ScriptsRequest } from './host.js';

const FULL_COUNT = 400;
/** Scripts that one host tries. */
const BATCH = 25;
/** Hosts that run at a time. */
const AT_ONCE = 2;
/** Full count on a busy machine. */
const TIMEOUT_MS = 7_200_000;

const host = await hostProgram<ScriptsRequest, ScriptsAnswer>('../tools/transactions/host.ts');
/** The first seed: another one tries other scripts. */
const first = Number(process.env['HANDRAIL_SEED'] ?? 1);

describe.each(USERS)('as user %i', (uid) => {
  test('a transaction is dropped, brought over and taken back whole', { timeout: TIMEOUT_MS }, async () => {
    const count = soakCount(FULL_COUNT);
    const batches: ScriptsRequest[] = [];
    for (let done = 0; done < count; done += BATCH) {
      batches.push({ firstSeed: first + done, count: Math.min(BATCH, count - done) });
    }
    const answers: ScriptsAnswer[] = [];
    const work = async (): Promise<void> => {
      for (let batch = batches.shift(); batch !== undefined; batch = batches.shift())
        answers.push(await host(uid, batch));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(answers.flatMap(({ failures }) => failures).join('\n')).toBe('');
    const sum = (key: 'commands' | 'done'): number => answers.reduce((all, answer) => all + answer[key], 0);
    expect(sum('done')).toBeGreaterThan(0);
    process.stdout.write(`\nsoak: ${count} scripts of user ${uid}, ${sum('done')} of ${sum('commands')} calls done\n`);
  });
});
