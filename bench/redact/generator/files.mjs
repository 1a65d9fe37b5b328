// Text files of this machine, as samples of text that real programs write and real people read.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../../../scripts/lib/paths.mjs';

const PROBE_BYTES = 8 << 10;
/** Caches hold the generated texts of this benchmark, and packages at versions that no lock file fixes. */
const SKIPPED = new Set(['.cache', '.package-lock.json']);
const SOURCE = /\.(?:[cm]?[jt]sx?|json|md|rs|toml|ya?ml|css|html|[ch]|txt|sh|py)$|^[A-Z]+$/;
const BUILD_LOG = /^(?:output|stderr)$|\.log$/;

/** Paths below `folder`, in a fixed order. */
function* filesBelow(folder, namePattern) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (SKIPPED.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path, namePattern);
    else if (entry.isFile() && namePattern.test(basename(path))) yield path;
  }
}

const REGISTRY = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry', 'src');

/** Sources of text by name: folders, and a pattern for the names of the files that count. */
export const ORIGINS = {
  node_modules: { folders: [join(root, 'node_modules')], namePattern: SOURCE },
  'cargo-registry': { folders: [REGISTRY], namePattern: SOURCE },
  documentation: { folders: ['/usr/share/doc'], namePattern: /./ },
  'build-logs': { folders: [join(root, 'target'), join(homedir(), '.npm', '_logs')], namePattern: BUILD_LOG },
};

/** Paths of all files of an origin; none when this machine has none of its folders. */
export function filesOf(origin) {
  const { folders, namePattern } = ORIGINS[origin];
  return folders.filter((folder) => existsSync(folder)).flatMap((folder) => [...filesBelow(folder, namePattern)]);
}

/** A file's bytes, unpacked; undefined when it is no text or longer than `maxBytes`. */
export function readText(path, maxBytes) {
  let bytes = readFileSync(path);
  if (path.endsWith('.gz')) bytes = gunzipSync(bytes);
  const isText = bytes.length > 0 && bytes.length <= maxBytes && !bytes.subarray(0, PROBE_BYTES).includes(0);
  return isText ? bytes : undefined;
}

/** A path for reports, relative to the folder of its origin. */
export function shortPath(origin, path) {
  const folder = ORIGINS[origin].folders.find((candidate) => path.startsWith(candidate));
  const relativePath = relative(folder, path);
  // The first folder below cargo's has the name of a registry, which differs between machines.
  return `${origin}:${folder === REGISTRY ? relativePath.replace(/^[^/]+\//, '') : relativePath}`;
}
