// The text files of this machine that stand for what real programs write and real people read.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../../../scripts/lib/paths.mjs';

const PROBE_BYTES = 8 << 10;
/** Caches hold this benchmark's own texts, and packages of others whose versions nobody locked. */
const SKIPPED = new Set(['.cache', '.package-lock.json']);
const SOURCE = /\.(?:[cm]?[jt]sx?|json|md|rs|toml|ya?ml|css|html|[ch]|txt|sh|py)$|^[A-Z]+$/;
const BUILD_LOG = /^(?:output|stderr)$|\.log$/;

/** Paths below `folder`, in a fixed order. */
function* below(folder, wanted) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (SKIPPED.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* below(path, wanted);
    else if (entry.isFile() && wanted.test(basename(path))) yield path;
  }
}

const REGISTRY = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry', 'src');

/** Where texts come from, by name: folders and the names of files in them. */
export const ORIGINS = {
  node_modules: { folders: [join(root, 'node_modules')], wanted: SOURCE },
  'cargo-registry': { folders: [REGISTRY], wanted: SOURCE },
  documentation: { folders: ['/usr/share/doc'], wanted: /./ },
  'build-logs': { folders: [join(root, 'target'), join(homedir(), '.npm', '_logs')], wanted: BUILD_LOG },
};

/** Files of an origin; none when this machine does not have it. */
export function filesOf(origin) {
  const { folders, wanted } = ORIGINS[origin];
  return folders.filter((folder) => existsSync(folder)).flatMap((folder) => [...below(folder, wanted)]);
}

/** A file's bytes, unpacked; undefined when it is no text or longer than `maxBytes`. */
export function readText(path, maxBytes) {
  let bytes = readFileSync(path);
  if (path.endsWith('.gz')) bytes = gunzipSync(bytes);
  const isText = bytes.length > 0 && bytes.length <= maxBytes && !bytes.subarray(0, PROBE_BYTES).includes(0);
  return isText ? bytes : undefined;
}

/** A path for people, without where this machine keeps it. */
export function shortPath(origin, path) {
  const folder = ORIGINS[origin].folders.find((candidate) => path.startsWith(candidate));
  const place = relative(folder, path);
  // The first folder of cargo's is named after a registry's host.
  return `${origin}:${folder === REGISTRY ? place.replace(/^[^/]+\//, '') : place}`;
}
