// The checks behind `npm test` and `npm run lint`: each runs one program and says what came of it.
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

async function plain(program, args, env = {}) {
  const { code, output } = await run(program, args, { env });
  return { ok: code === 0, output };
}

const locked = process.env.CI ? ['--locked'] : [];

/**
 * Optimised as what is published, but linked without optimising across crates: with some twenty test programs that would
 * take most of the time, and change nothing a test sees.
 */
const TEST_PROFILE = { CARGO_PROFILE_RELEASE_LTO: 'off' };

export const rustFormat = () => plain('cargo', ['fmt', '--all', '--check']);

export async function clippy() {
  const target = ['--target', await hostTriple(), '--release'];
  const args = ['clippy', '--workspace', '--all-targets', ...target, ...locked, '--', '-D', 'warnings'];
  return plain('cargo', args, TEST_PROFILE);
}

/** @param {string[]} args which tests, as cargo takes it; all crates when not given */
export async function cargoTest(args = ['--workspace'], env = {}) {
  const target = ['--target', await hostTriple(), '--release'];
  const all = ['test', '--no-fail-fast', ...target, ...locked, ...args];
  const { code, output, stdout } = await run('cargo', all, { env: { ...TEST_PROFILE, ...env } });
  return { ok: code === 0, output, counts: parseCargoTest(stdout) };
}

export const biome = () => plain(localProgram('biome'), ['check', '--error-on-warnings', '.']);

/** Each is for another host: the second one is a page, with a DOM. */
const PROJECTS = ['.', 'examples/playground'];

export async function types() {
  const outcomes = await Promise.all(PROJECTS.map((folder) => plain(localProgram('tsc'), ['--noEmit', '-p', folder])));
  return { ok: outcomes.every(({ ok }) => ok), output: outcomes.map(({ output }) => output).join('') };
}

export const layers = () => plain(process.execPath, ['scripts/check-layers.mjs']);

/** The reference in docs/api is what the doc comments give, and every public thing has one. */
export const apiReference = () => plain(process.execPath, ['scripts/docs.mjs', '--check']);

/** Colours make a record of a run unreadable, dot by dot. */
const PLAIN = { NO_COLOR: '1' };

/** @param {string[]} files vitest filters; none for all files */
export async function vitest(files = [], env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-report-'));
  try {
    const report = join(folder, 'vitest.json');
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
    const { code, output } = await run(localProgram('vitest'), ['run', ...reporters, ...files], {
      env: { ...PLAIN, ...env },
    });
    return { ok: code === 0, output, counts: parseVitestReport(readReport(report)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tests that load the machine, and would disturb those that measure time beside them: by themselves. */
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
