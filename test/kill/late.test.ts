import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

import { living, marker, until } from '../support/processes.js';
import { looseTerminal } from './run-escape.js';

const PROCESSES = 60;
const DESCRIPTORS = 20_000;
/** From the start of the command to its deadline; all of its descriptors are open long before. */
const TIMEOUT_MS = 8_000;
const TEST_MS = 60_000;

test('what the kernel takes long to remove does not cost its run the word of its worker', {
  timeout: TEST_MS,
}, async () => {
  const { terminal, close } = looseTerminal();
  const mark = marker();
  const script = `
    most=$(ulimit -Hn); [ "$most" = unlimited ] || [ "$most" -gt ${DESCRIPTORS} ] && most=${DESCRIPTORS}; ulimit -Sn "$most"
    for ((number = 10; number < most; number++)); do eval "exec $number</dev/null"; done
    for ((count = 0; count < ${PROCESSES}; count++)); do setsid sleep ${mark} & done
    sleep ${mark}`;
  const running = terminal.run(['bash', '-c', script], { timeoutMs: TIMEOUT_MS });
  try {
    expect(await until(() => living(mark).length > PROCESSES, TIMEOUT_MS - 1_000)).toBeDefined();
    // The attack: every entry that was looked at is one more to remove with its process, 2 microseconds each. Before, the
    // worker was at it for longer than the host waits, was killed, and its run failed with `worker_lost`.
    for (const { pid } of living(mark)) readdirSync(`/proc/${pid}/fd`);
    const result = await running;
    expect(result).toMatchObject({ status: 'timed_out' });
    expect(result).not.toHaveProperty('failure');
    expect(await terminal.run(['bash', '-c', 'echo next'])).toMatchObject({ ok: true, stdout: 'next\n' });
    expect(await until(() => living(mark).length === 0, TIMEOUT_MS)).toBeDefined();
  } finally {
    await close();
  }
});
