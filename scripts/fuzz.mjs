// npm run fuzz -- [CHECK...] --minutes N: coverage-guided fuzzing of what must hold for any bytes, on stable Rust. Each check
// gets its share of the time. What is found stays in fuzz/found, and belongs into fuzz/seeds with its fix.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { must, run } from './lib/command.mjs';
import { root, stampFolder } from './lib/paths.mjs';
import { fail, heading, say, step } from './lib/steps.mjs';
import { hostTriple } from './lib/toolchain.mjs';

const SEEDS = join(root, 'fuzz', 'seeds');
const CHECKS = readdirSync(SEEDS).sort();
const DRIVER = join(root, 'fuzz', 'driver', 'Cargo.toml');
const TARGET_FOLDER = join(root, 'target', 'fuzz');
/** What cargo-fuzz passes, without the sanitizers that only a nightly Rust has. */
const COVERAGE = [
  '-Cpasses=sancov-module',
  ...['level=4', 'inline-8bit-counters', 'pc-table', 'trace-compares'].map(
    (option) => `-Cllvm-args=-sanitizer-coverage-${option}`,
  ),
  '-Ccodegen-units=1',
].join(' ');
/** Longer inputs find the borders of windows, and are slow. */
const MAX_INPUT_BYTES = 4096;
/** One input; a check that needs longer is a finding. */
const SLOW_SECONDS = 10;
const MAX_MEMORY_MIB = 1024;

function readOptions() {
  try {
    const options = { minutes: { type: 'string', default: '1' } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const minutes = Number(values.minutes);
    if (!(minutes > 0)) fail(`--minutes takes a number above 0, got ${values.minutes}`);
    const unknown = positionals.find((name) => !CHECKS.includes(name));
    if (unknown !== undefined) fail(`there is no check ${unknown}; there are ${CHECKS.join(', ')}`);
    return { minutes, checks: positionals.length > 0 ? positionals : CHECKS };
  } catch (error) {
    return fail(error.message);
  }
}

/** The driver is not of the workspace, but what it tests is to be what the workspace has locked. */
async function build(triple) {
  copyFileSync(join(root, 'Cargo.lock'), join(root, 'fuzz', 'driver', 'Cargo.lock'));
  const args = ['build', '--release', '--manifest-path', DRIVER, '--target', triple];
  await must('cargo', args, { env: { RUSTFLAGS: COVERAGE, CARGO_TARGET_DIR: TARGET_FOLDER } });
}

/** @returns {Promise<{ok: boolean, output: string, remark: string}>} */
async function fuzz(name, seconds, triple) {
  const corpus = join(stampFolder, 'fuzz', name);
  const found = join(root, 'fuzz', 'found');
  for (const folder of [corpus, found]) mkdirSync(folder, { recursive: true });
  const { code, output } = await run(
    join(TARGET_FOLDER, triple, 'release', 'fuzz'),
    [
      ...[corpus, join(SEEDS, name)],
      ...[`-max_total_time=${Math.ceil(seconds)}`, `-max_len=${MAX_INPUT_BYTES}`, `-timeout=${SLOW_SECONDS}`],
      ...[`-rss_limit_mb=${MAX_MEMORY_MIB}`, `-artifact_prefix=${join(found, `${name}-`)}`, '-print_final_stats=1'],
    ],
    { env: { HANDRAIL_FUZZ: name } },
  );
  const runs = /number_of_executed_units:\s*(\d+)/.exec(output)?.[1] ?? '?';
  const covered = [...output.matchAll(/cov: (\d+)/g)].at(-1)?.[1] ?? '?';
  return { ok: code === 0, output, remark: `${Number(runs).toLocaleString('en')} inputs, ${covered} places covered` };
}

const { minutes, checks } = readOptions();
const triple = await hostTriple();
heading(`fuzz, ${minutes} min`);
const failures = [];
await step('build with coverage', () => build(triple));
for (const name of checks) {
  await step(name, async () => {
    const { ok, output, remark } = await fuzz(name, (minutes * 60) / checks.length, triple);
    if (!ok) failures.push({ name, output });
    return ok ? `${remark}, nothing found` : `${remark}, FOUND something`;
  });
}
for (const { name, output } of failures) {
  heading(`${name} found something`);
  say(output.slice(-4000));
}
process.exit(failures.length > 0 ? 1 : 0);
