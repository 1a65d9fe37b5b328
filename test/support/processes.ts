import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LIVENESS_MS } from './liveness.js';

const SCAN = fileURLToPath(new URL('scan.mjs', import.meta.url));

export interface Seen {
  readonly pid: number;
  readonly command: string;
}

let count = 0;

/** A `sleep` argument that nothing else on this machine uses, about a day long. */
export function marker(): string {
  count += 1;
  return `8${process.pid % 10_000}.${String(count).padStart(4, '0')}${Date.now() % 100_000}`;
}

/** Living processes with the marker in their command line, as a separate process sees them. */
export function living(mark: string): Seen[] {
  return JSON.parse(execFileSync(process.execPath, [SCAN], { input: mark, encoding: 'utf8' })) as Seen[];
}

/** Ends what a test with its guard off left, by process id. */
export function end(processes: readonly Seen[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Already gone.
    }
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** Waits until `check` holds, at most `limitMs`; returns how long it took, or undefined. */
export async function until(check: () => boolean, limitMs = LIVENESS_MS): Promise<number | undefined> {
  const started = performance.now();
  while (true) {
    if (check()) return performance.now() - started;
    if (performance.now() - started > limitMs) return undefined;
    await sleep(10);
  }
}
