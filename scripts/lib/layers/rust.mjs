// Checks which crate depends on which, by the output of `cargo metadata`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The only crate that may depend on N-API. */
const BINDING_CRATE = 'handrail-node';

/**
 * Crates without IO, which cannot fail for outside reasons and compile for WASM, each with all foreign crates that it may depend
 * on: a new dependency has to be added here.
 */
const FOREIGN_DEPENDENCIES = {
  'handrail-text': ['aho-corasick', 'memchr', 'unicode-segmentation'],
  'handrail-redact': ['aho-corasick', 'memchr', 'regex-automata', 'regex-syntax', 'toml'],
  'handrail-policy': ['memchr', 'unicode-normalization'],
  'handrail-pty': ['avt', 'memchr', 'regex-automata'],
  'handrail-reports': ['serde', 'serde_json', 'toml'],
};

/** The crates of this workspace, each with the others of the workspace that it may depend on. */
const WORKSPACE_DEPENDENCIES = {
  'handrail-text': [],
  'handrail-redact': [],
  'handrail-policy': [],
  'handrail-pty': ['handrail-redact', 'handrail-text'],
  'handrail-reports': ['handrail-policy', 'handrail-redact', 'handrail-text'],
  'handrail-wasm': ['handrail-redact', 'handrail-reports', 'handrail-text'],
  'handrail-files': ['handrail-policy', 'handrail-redact', 'handrail-text'],
  'handrail-egress': [],
  'handrail-supervisor': [],
  'handrail-process': [
    'handrail-egress',
    'handrail-files',
    'handrail-policy',
    'handrail-pty',
    'handrail-redact',
    'handrail-reports',
    'handrail-supervisor',
    'handrail-text',
  ],
  [BINDING_CRATE]: [
    'handrail-files',
    'handrail-policy',
    'handrail-process',
    'handrail-pty',
    'handrail-redact',
    'handrail-reports',
    'handrail-text',
  ],
  // The baseline of the benchmarks has to be independent of the product.
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

/** Dependencies that are part of the program. Build and test dependencies are not restricted. */
function runtimeDependencies(crate) {
  return crate.dependencies.filter(({ kind }) => kind === null).map(({ name }) => name);
}

function breachesOf(crate) {
  const dependencies = runtimeDependencies(crate);
  const workspaceCrates = dependencies.filter((name) => name.startsWith('handrail-'));
  const foreignCrates = dependencies.filter((name) => !name.startsWith('handrail-'));
  const breaches = [];
  const allowed = WORKSPACE_DEPENDENCIES[crate.name];
  if (!allowed) return [`${crate.name}: not in the layer table of scripts/lib/layers/rust.mjs`];
  for (const name of workspaceCrates.filter((name) => !allowed.includes(name))) {
    breaches.push(`${crate.name} depends on ${name}, which is not a layer below it`);
  }
  for (const name of foreignCrates.filter((name) => /^napi/.test(name) && crate.name !== BINDING_CRATE)) {
    breaches.push(`${crate.name} depends on ${name}: only ${BINDING_CRATE} knows N-API`);
  }
  for (const name of foreignCrates.filter(
    (name) => FOREIGN_DEPENDENCIES[crate.name] && !FOREIGN_DEPENDENCIES[crate.name].includes(name),
  )) {
    breaches.push(`${crate.name} does no IO and depends on ${name}, which is not in its list`);
  }
  return breaches;
}

/** The clippy.toml files that forbid IO have to be equal: clippy reads one per crate. */
function lintBreaches(folder) {
  const [first, ...others] = Object.keys(FOREIGN_DEPENDENCIES).map(
    (name) => `crates/${name.replace('handrail-', '')}/clippy.toml`,
  );
  const firstText = readFileSync(join(folder, first), 'utf8');
  return others
    .filter((path) => readFileSync(join(folder, path), 'utf8') !== firstText)
    .map((path) => `${path} differs from ${first}`);
}

/** @returns {string[]} one sentence per breach */
export function checkRust(folder) {
  const { crates, breaches } = readGraph(folder);
  return [...breaches, ...crates.flatMap(breachesOf), ...lintBreaches(folder)];
}
