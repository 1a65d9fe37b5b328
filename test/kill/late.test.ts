import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';
import { living, marker, until } from '../support/processes.js';
import { looseTerminal } from './run-escape.js';

const PROCESSES = 60;
const DESCRIPTORS = 20_000;

test('what the kernel takes long to remove does not cost its run the word of its worker', async () => {
  const { terminal, close } = looseTerminal();
  const mark = marker();
  const script = `
    most=$(ulimit -Hn); [ "$most" = unlimited ] || [ "$most" -gt ${DESCRIPTORS} ] && most=${DESCRIPTORS}; ulimit -Sn "$most"
    for ((number = 10; number < most; number++)); do eval "exec $number</dev/null"; done
    for ((count = 0; count < ${PROCESSES}; count++)); do setsid sleep ${mark} & done
    sleep ${mark}`;
  const end = new AbortController();
  const running = terminal.run(['bash', '-c', script], { signal: end.signal, timeoutMs: 2 * LIVENESS_MS });
  try {
    expect(await until(() => living(mark).length > PROCESSES)).toBeDefined();
    // The attack: every entry that was looked at is one more to remove with its process, 2 microseconds each. Before, the
    // worker was at it for longer than the host waits, was killed, and its run failed with `worker_lost`.
    for (const { pid } of living(mark)) readdirSync(`/proc/${pid}/fd`);
    end.abort();
    const result = await running;
    expect(result).toMatchObject({ status: 'cancelled' });
    expect(result).not.toHaveProperty('failure');
    expect(await terminal.run(['bash', '-c', 'echo next'])).toMatchObject({ ok: true, stdout: 'next\n' });
    expect(await until(() => living(mark).length === 0)).toBeDefined();
  } finally {
    await close();
  }
});
