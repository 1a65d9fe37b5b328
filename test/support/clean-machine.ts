/**
 * Runs around all test files: afterwards nothing of Handrail may be left on the machine, no temporary file and no process
 * without its host. Vitest calls what the function returns at the end.
 */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LIVENESS_MS } from './liveness.js';

const PAUSE_MS = 50;
/** In the folder of the run: what several test files use, made by the first one that needs it. */
export const SHARED_FOLDER = 'shared-by-test-files';
const SUPERVISOR = /\/handrail-supervisor( \(deleted\))?$/;

/** Set while somebody watches: vitest calls the function once for each project. */
const IS_WATCHED = 'HANDRAIL_TESTS_ARE_WATCHED';

// biome-ignore lint/style/noDefaultExport: vitest calls the default export.
export default function setUp(): (() => Promise<void>) | undefined {
  if (process.env[IS_WATCHED] === '1') return undefined;
  process.env[IS_WATCHED] = '1';
  return watchMachine(LIVENESS_MS);
}

/** @param limitMs How long what is left has to go away. */
export function watchMachine(limitMs: number): () => Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-tests-'));
  // Test files run in processes of their own, which inherit this.
  process.env['TMPDIR'] = folder;
  // npm keeps compiled code there, for every release of Node that can.
  process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
  return async () => {
    rmSync(path.join(folder, SHARED_FOLDER), { recursive: true, force: true });
    const left = await leftovers(folder, limitMs);
    rmSync(folder, { recursive: true, force: true });
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

/** Supervisors whose host has ended: their parent is the first process. Those of other programs have a parent. */
function orphanedSupervisors(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const program = readlinkSync(`/proc/${pid}/exe`);
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        return SUPERVISOR.test(program) && parent === '1' ? [`process ${pid}: ${program}`] : [];
      } catch {
        // It ended while it was looked at.
        return [];
      }
    });
}
