// Which crate may depend on which, read from the resolved dependency graph and from the manifests.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The only crate that knows N-API. */
const BINDING = 'handrail-node';

/**
 * Crates without IO: they cannot fail for outside reasons and compile for wasm. Each lists all that it may depend on, so
 * a new dependency is a decision made here.
 */
const PURE = {
  'handrail-text': ['aho-corasick', 'memchr', 'unicode-segmentation'],
  'handrail-redact': ['aho-corasick', 'memchr', 'regex-automata', 'regex-syntax', 'toml'],
  'handrail-policy': ['memchr', 'unicode-normalization'],
  'handrail-pty': [],
  'handrail-reports': ['serde', 'serde_json', 'toml'],
};

/** Our crates that a crate of ours may depend on. What is not listed may not depend on any of them. */
const ALLOWED = {
  'handrail-text': [],
  'handrail-redact': [],
  'handrail-policy': [],
  'handrail-pty': ['handrail-redact', 'handrail-text'],
  'handrail-reports': ['handrail-policy', 'handrail-redact', 'handrail-text'],
  'handrail-wasm': ['handrail-redact', 'handrail-reports', 'handrail-text'],
  'handrail-files': ['handrail-policy', 'handrail-redact'],
  'handrail-supervisor': [],
  'handrail-process': [
    'handrail-files',
    'handrail-policy',
    'handrail-pty',
    'handrail-redact',
    'handrail-reports',
    'handrail-supervisor',
    'handrail-text',
  ],
  [BINDING]: [
    'handrail-files',
    'handrail-policy',
    'handrail-process',
    'handrail-pty',
    'handrail-redact',
    'handrail-reports',
    'handrail-text',
  ],
  // What the product is measured against knows nothing of it.
  'handrail-bench-floor': [],
  'handrail-fuzz': ['handrail-redact', 'handrail-text'],
  'handrail-bench-redact-speed': ['handrail-redact'],
  'handrail-bench-text-speed': ['handrail-text'],
};

function readGraph(folder) {
  const args = ['metadata', '--format-version', '1', '--offline'];
  const result = spawnSync('cargo', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * (1 << 20) });
  // Cargo refuses a circle of crates by itself.
  if (result.status !== 0) return { crates: [], breaches: [`cargo metadata: ${result.stderr.trim()}`] };
  const { packages, workspace_members: members } = JSON.parse(result.stdout);
  return { crates: packages.filter(({ id }) => members.includes(id)), breaches: [] };
}

/** Build and test dependencies are free to be what they like: they are not part of the program. */
function runtimeDependencies(crate) {
  return crate.dependencies.filter(({ kind }) => kind === null).map(({ name }) => name);
}

function breachesOf(crate) {
  const dependencies = runtimeDependencies(crate);
  const ours = dependencies.filter((name) => name.startsWith('handrail-'));
  const others = dependencies.filter((name) => !name.startsWith('handrail-'));
  const breaches = [];
  const allowed = ALLOWED[crate.name];
  if (!allowed) return [`${crate.name}: not in the layer table of scripts/lib/layers/rust.mjs`];
  for (const name of ours.filter((name) => !allowed.includes(name))) {
    breaches.push(`${crate.name} depends on ${name}, which is not a layer below it`);
  }
  for (const name of others.filter((name) => /^napi/.test(name) && crate.name !== BINDING)) {
    breaches.push(`${crate.name} depends on ${name}: only ${BINDING} knows N-API`);
  }
  for (const name of others.filter((name) => PURE[crate.name] && !PURE[crate.name].includes(name))) {
    breaches.push(`${crate.name} does no IO and depends on ${name}, which is not in its list`);
  }
  return breaches;
}

/** The lints that keep IO out of the pure crates are one list, written once per crate because clippy reads them there. */
function lintBreaches(folder) {
  const [first, ...others] = Object.keys(PURE).map((name) => `crates/${name.replace('handrail-', '')}/clippy.toml`);
  const wanted = readFileSync(join(folder, first), 'utf8');
  return others
    .filter((path) => readFileSync(join(folder, path), 'utf8') !== wanted)
    .map((path) => `${path} differs from ${first}`);
}

/** @returns {string[]} one sentence per breach */
export function checkRust(folder) {
  const { crates, breaches } = readGraph(folder);
  return [...breaches, ...crates.flatMap(breachesOf), ...lintBreaches(folder)];
}
