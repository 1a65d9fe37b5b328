// npm run fuzz -- [CHECK...] --minutes N: coverage-guided fuzzing of properties that hold for any input, on stable Rust.
// The checks share the time equally. Failing inputs are written to fuzz/found; they belong into fuzz/seeds, together with the fix.
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
/** The compiler flags of cargo-fuzz, without the sanitizers, which need a nightly Rust. */
const COVERAGE_FLAGS = [
  '-Cpasses=sancov-module',
  ...['level=4', 'inline-8bit-counters', 'pc-table', 'trace-compares'].map(
    (option) => `-Cllvm-args=-sanitizer-coverage-${option}`,
  ),
  '-Ccodegen-units=1',
].join(' ');
/** Long enough to cross the internal windows of the checked code. Longer inputs are slow. */
const MAX_INPUT_BYTES = 4096;
/** A check that takes longer than this for one input has failed. */
const MAX_INPUT_SECONDS = 10;
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

/** Builds the driver. It is outside of the workspace, but has to use the dependencies that the workspace locks. */
async function build(triple) {
  copyFileSync(join(root, 'Cargo.lock'), join(root, 'fuzz', 'driver', 'Cargo.lock'));
  const args = ['build', '--release', '--manifest-path', DRIVER, '--target', triple];
  await must('cargo', args, { env: { RUSTFLAGS: COVERAGE_FLAGS, CARGO_TARGET_DIR: TARGET_FOLDER } });
}

/** @returns {Promise<{ok: boolean, output: string, remark: string}>} */
async function fuzz(name, seconds, triple) {
  const corpus = join(stampFolder, 'fuzz', name);
  const failingInputs = join(root, 'fuzz', 'found');
  for (const folder of [corpus, failingInputs]) mkdirSync(folder, { recursive: true });
  const { code, output } = await run(
    join(TARGET_FOLDER, triple, 'release', 'fuzz'),
    [
      ...[corpus, join(SEEDS, name)],
      ...[`-max_total_time=${Math.ceil(seconds)}`, `-max_len=${MAX_INPUT_BYTES}`, `-timeout=${MAX_INPUT_SECONDS}`],
      ...[
        `-rss_limit_mb=${MAX_MEMORY_MIB}`,
        `-artifact_prefix=${join(failingInputs, `${name}-`)}`,
        '-print_final_stats=1',
      ],
    ],
    { env: { HANDRAIL_FUZZ: name } },
  );
  const runs = /number_of_executed_units:\s*(\d+)/.exec(output)?.[1] ?? '?';
  const coveredEdges = [...output.matchAll(/cov: (\d+)/g)].at(-1)?.[1] ?? '?';
  return {
    ok: code === 0,
    output,
    remark: `${Number(runs).toLocaleString('en')} inputs, ${coveredEdges} edges covered`,
  };
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
    return ok ? `${remark}, no failure` : `${remark}, FAILED`;
  });
}
for (const { name, output } of failures) {
  heading(`${name} failed`);
  say(output.slice(-4000));
}
process.exit(failures.length > 0 ? 1 : 0);
