/**
 * Runs before and after all test files. Afterwards no temporary files and no orphaned processes of Handrail may be left on the
 * machine. Vitest calls the returned function at the end.
 */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LIVENESS_MS } from './liveness.js';

const PAUSE_MS = 50;
/** A folder below the temporary folder of the run for files that several test files use; the first user creates them. */
export const SHARED_FOLDER = 'shared-by-test-files';
const SUPERVISOR = /\/handrail-supervisor( \(deleted\))?$/;

/** Set while the machine is watched: vitest calls `setUp` once per project, and one watcher suffices. */
const IS_WATCHED = 'HANDRAIL_TESTS_ARE_WATCHED';

// biome-ignore lint/style/noDefaultExport: vitest calls the default export.
export default function setUp(): (() => Promise<void>) | undefined {
  if (process.env[IS_WATCHED] === '1') return undefined;
  process.env[IS_WATCHED] = '1';
  return watchMachine(LIVENESS_MS);
}

/** @param limitMs How long leftover files and processes have to disappear. */
export function watchMachine(limitMs: number): () => Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-tests-'));
  // What file tools replace is kept there, not in the folder of whoever runs the tests.
  const state = mkdtempSync(path.join(tmpdir(), 'handrail-state-'));
  // Test files run in processes of their own, which inherit this.
  process.env['TMPDIR'] = folder;
  process.env['XDG_STATE_HOME'] = state;
  // Otherwise npm would keep its compile cache in that folder.
  process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
  return async () => {
    rmSync(path.join(folder, SHARED_FOLDER), { recursive: true, force: true });
    const left = await leftovers(folder, limitMs);
    for (const own of [folder, state]) rmSync(own, { recursive: true, force: true });
    if (left.length === 0) return;
    // Vitest reports what is thrown here and still ends with 0.
    process.exitCode = 1;
    throw new Error(`left behind by the tests:\n${left.join('\n')}`);
  };
}

async function leftovers(folder: string, limitMs: number): Promise<string[]> {
  const started = performance.now();
  while (true) {
    const left = [...orphanedSupervisors(), ...readdirSync(folder).map((name) => path.join(folder, name))];
    if (left.length === 0 || performance.now() - started > limitMs) return left;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Supervisors whose host has ended, and whose parent therefore is process 1. */
function orphanedSupervisors(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const program = readlinkSync(`/proc/${pid}/exe`);
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        return SUPERVISOR.test(program) && parent === '1' ? [`process ${pid}: ${program}`] : [];
      } catch {
        // The process ended meanwhile.
        return [];
      }
    });
}
