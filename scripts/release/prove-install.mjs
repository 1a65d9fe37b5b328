// node scripts/release/prove-install.mjs DIR|vX.Y.Z: installs the tarballs of DIR, or a published version, into an empty
// folder and uses it. This script imports only modules of Node, as it runs in containers without this repository's
// packages.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const { platform, arch } = process;
const isMusl = platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
const LIBC = platform === 'linux' ? `-${isMusl ? 'musl' : 'gnu'}` : '';
const TRIPLE = `${platform}-${arch}${LIBC}`;

const TAG = /^v\d/;
const REGISTRY_ATTEMPTS = 10;
const REGISTRY_PAUSE_MS = 30_000;

/** A program that uses the installed package: it imports every entry and prints results. Peers of an entry may be missing. */
const TEST_PROGRAM = `
  import { readFile } from 'node:fs/promises';
  import { HandrailError, Redactor, Terminal } from 'handrail';
  import * as wasm from 'handrail/wasm';
  import manifest from 'handrail/package.json' with { type: 'json' };
  for (const name of Object.keys(manifest.exports)) {
    const entry = name.replace('.', 'handrail');
    if (entry.endsWith('.wasm')) await WebAssembly.compile(await readFile(new URL(import.meta.resolve(entry))));
    else if (!entry.endsWith('.json')) await import(entry).catch((error) => {
      const isPeer = Object.keys(manifest.peerDependencies).some((peer) => error.message.includes("'" + peer + "'"));
      if (error.code !== 'ERR_MODULE_NOT_FOUND' || !isPeer) throw error;
    });
  }
  await wasm.ready();
  const redactors = [new Redactor(), new wasm.Redactor()];
  const seen = { redacted: redactors.map((redactor) => redactor.redact('password=hunter2')).join() };
  const terminal = new Terminal({ allow: ['echo'], cwd: process.cwd() });
  try {
    seen.judged = terminal.explain('rm -rf .git').decision;
    const { exitCode, stdout } = await terminal.run(['echo', 'token=hunter2']);
    Object.assign(seen, { exitCode, stdout });
  } catch (error) {
    if (!(error instanceof HandrailError)) throw error;
    seen.code = error.code;
  } finally {
    await terminal.close();
  }
  process.stdout.write(JSON.stringify(seen));`;

const EXPECTED_RESULTS = {
  linux: {
    redacted: 'password=[REDACTED],password=[REDACTED]',
    judged: 'deny',
    exitCode: 0,
    stdout: 'token=[REDACTED]\n',
  },
  // On macOS commands are judged and texts are redacted, but no command runs yet.
  darwin: { redacted: 'password=[REDACTED],password=[REDACTED]', judged: 'deny', code: 'ERR_NOT_SUPPORTED' },
};

class InstallationFailed extends Error {}

function stop(message) {
  throw new InstallationFailed(message);
}

function attempt(program, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  const failure = `${program} ${args.join(' ')} ended with ${error?.code ?? status}\n${stdout ?? ''}${stderr ?? ''}`;
  return { ok: status === 0, stdout, failure };
}

function run(program, args, cwd) {
  const { ok, stdout, failure } = attempt(program, args, cwd);
  return ok ? stdout : stop(failure);
}

/** Retries, as a registry takes a while to show a new version everywhere. */
async function installPublished(args, folder) {
  for (let attemptsLeft = REGISTRY_ATTEMPTS; ; attemptsLeft -= 1) {
    const { ok, failure } = attempt('npm', args, folder);
    if (ok) return;
    if (attemptsLeft <= 1) stop(failure);
    await setTimeout(REGISTRY_PAUSE_MS);
  }
}

/** The tarballs of a folder for this machine: `handrail` and its native package. */
function tarballsIn(folder) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) stop(`${folder} is neither a folder nor a tag`);
  const names = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const root = names.filter((name) => /^handrail-\d/.test(name));
  const own = names.filter((name) => name.startsWith(`handrail-native-${TRIPLE}-`));
  if (root.length !== 1 || own.length !== 1) {
    stop(`${folder} has not one root and one package for ${TRIPLE}: ${names.join(', ')}`);
  }
  return [...root, ...own].map((name) => resolve(folder, name));
}

async function testInstallation(source) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-install-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
    if (TAG.test(source)) await installPublished([...install, `handrail@${source.slice(1)}`], folder);
    else run('npm', [...install, ...tarballsIn(source)], folder);
    const installed = readdirSync(join(folder, 'node_modules', '@handrail'));
    if (installed.join() !== `native-${TRIPLE}`) stop(`these native packages were installed: ${installed.join(', ')}`);
    const seen = run(process.execPath, ['--input-type=module', '--eval', TEST_PROGRAM], folder);
    const expected = JSON.stringify(EXPECTED_RESULTS[platform]);
    if (seen !== expected) stop(`seen was ${seen}, not ${expected}`);
    const help = run(join(folder, 'node_modules', '.bin', 'handrail'), ['--help'], folder);
    if (!help.includes('handrail run')) stop(`handrail --help said ${help}`);
    process.stdout.write(`${TRIPLE}, Node ${process.versions.node}: installed and used\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [source, ...otherArguments] = process.argv.slice(2);
try {
  if (source === undefined || otherArguments.length > 0) stop('node scripts/release/prove-install.mjs DIR|vX.Y.Z');
  if (EXPECTED_RESULTS[platform] === undefined) stop('this platform has no native package');
  await testInstallation(source);
} catch (error) {
  if (!(error instanceof InstallationFailed)) throw error;
  process.stderr.write(`${TRIPLE}: ${error.message}\n`);
  process.exitCode = 1;
}
