import { readdirSync, readFileSync } from 'node:fs';
import { LIVENESS_MS } from './liveness.js';

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

/**
 * Living processes with the marker in their command line. It reads /proc, independently of the code under test, and starts no
 * process, as a test may have used up the process limit.
 */
export function living(mark: string): Seen[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const state = stat[stat.lastIndexOf(')') + 2];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return state !== 'Z' && state !== 'X' && command.includes(mark) ? [{ pid: Number(pid), command }] : [];
    } catch {
      // The process ended meanwhile.
      return [];
    }
  });
}

/** Kills the processes that a test without the guard left behind. */
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
