// The checks of `npm test` and `npm run lint`: each runs one program and gives its outcome.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './command.mjs';
import { parseCargoTest, parseVitestReport } from './counts.mjs';
import { localProgram } from './paths.mjs';
import { hostTriple } from './toolchain.mjs';

/**
 * @typedef {{passed: number, failed: number, skipped: number}} Counts
 * @typedef {{ok: boolean, output: string, counts?: Counts, note?: string}} Outcome
 */

async function checkExitCode(program, args, env = {}) {
  const { code, output } = await run(program, args, { env });
  return { ok: code === 0, output };
}

const locked = process.env.CI ? ['--locked'] : [];

/**
 * Tests are optimised like the published files, but without link-time optimisation: for the twenty test programs it would take most
 * of the time.
 */
const TEST_PROFILE = { CARGO_PROFILE_RELEASE_LTO: 'off' };

export const rustFormat = () => checkExitCode('cargo', ['fmt', '--all', '--check']);

export async function clippy() {
  const target = ['--target', await hostTriple(), '--release'];
  const args = ['clippy', '--workspace', '--all-targets', ...target, ...locked, '--', '-D', 'warnings'];
  return checkExitCode('cargo', args, TEST_PROFILE);
}

/** @param {string[]} args arguments of `cargo test` that select tests; all crates by default */
export async function cargoTest(args = ['--workspace'], env = {}) {
  const target = ['--target', await hostTriple(), '--release'];
  const all = ['test', '--no-fail-fast', ...target, ...locked, ...args];
  const { code, output, stdout } = await run('cargo', all, { env: { ...TEST_PROFILE, ...env } });
  return { ok: code === 0, output, counts: parseCargoTest(stdout) };
}

export const biome = () => checkExitCode(localProgram('biome'), ['check', '--error-on-warnings', '.']);

/** TypeScript projects: the package for Node, and the playground, whose types include the DOM. */
const PROJECTS = ['.', 'examples/playground'];

export async function types() {
  const outcomes = await Promise.all(
    PROJECTS.map((folder) => checkExitCode(localProgram('tsc'), ['--noEmit', '-p', folder])),
  );
  return { ok: outcomes.every(({ ok }) => ok), output: outcomes.map(({ output }) => output).join('') };
}

export const layers = () => checkExitCode(process.execPath, ['scripts/check-layers.mjs']);

/** Checks that docs/api agrees with the doc comments, and that every public name has one. */
export const apiReference = () => checkExitCode(process.execPath, ['scripts/docs.mjs', '--check']);

/** In a log, vitest would surround each dot with colour codes. */
const WITHOUT_COLOURS = { NO_COLOR: '1' };

/** @param {string[]} files vitest filters; none for all files */
export async function vitest(files = [], env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-report-'));
  try {
    const report = join(folder, 'vitest.json');
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
    const { code, output } = await run(localProgram('vitest'), ['run', ...reporters, ...files], {
      env: { ...WITHOUT_COLOURS, ...env },
    });
    return { ok: code === 0, output, counts: parseVitestReport(readReport(report)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tests that put a high load on the machine, and would disturb other tests beside them. */
export function vitestAlone(files = ['test/alone'], env = {}) {
  return vitest(files, { ...env, HANDRAIL_ALONE: '1' });
}

function readReport(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
