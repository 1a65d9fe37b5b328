// Which folder of ts/ may import which, who may read the environment, and what the public index may not do.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { sourceFiles } from './files.mjs';

/** What a file of a folder may import, folder by folder from the bottom up. `root` are the files directly in ts/. */
const ALLOWED = {
  config: ['root', 'config'],
  native: ['root', 'native'],
  wasm: ['root', 'config', 'native', 'redaction', 'report', 'terminal', 'wasm'],
  redaction: ['root', 'config', 'native', 'redaction'],
  report: ['root', 'native', 'redaction', 'report'],
  terminal: ['root', 'config', 'native', 'redaction', 'report', 'terminal'],
  live: ['root', 'config', 'live', 'native', 'redaction', 'report', 'terminal'],
  session: ['root', 'config', 'live', 'native', 'redaction', 'report', 'session', 'terminal'],
  service: ['root', 'config', 'live', 'native', 'redaction', 'report', 'service', 'terminal'],
  mcp: ['root', 'config', 'mcp', 'redaction', 'report', 'service', 'terminal'],
  files: ['root', 'config', 'files', 'native', 'redaction', 'terminal'],
  bus: ['root', 'bus', 'config', 'redaction'],
  audit: ['root', 'audit', 'bus', 'files', 'mcp', 'redaction', 'report', 'terminal'],
  tools: [
    ...['root', 'audit', 'bus', 'config', 'files', 'live', 'mcp', 'redaction', 'report', 'service', 'session'],
    ...['terminal', 'tools'],
  ],
  compat: [
    ...['root', 'bus', 'compat', 'config', 'files', 'live', 'mcp', 'native', 'redaction', 'report', 'service'],
    ...['session', 'terminal', 'tools'],
  ],
  'mcp-server': ['root', 'config', 'mcp', 'mcp-server', 'tools'],
  root: [
    ...['root', 'audit', 'bus', 'compat', 'config', 'files', 'live', 'mcp', 'mcp-server', 'native', 'redaction'],
    ...['report', 'service', 'session', 'terminal', 'tools'],
  ],
  adapters: ['root', 'adapters', 'audit', 'bus', 'compat', 'config', 'redaction', 'report', 'terminal', 'tools'],
  cli: ['root', 'cli', 'audit', 'bus', 'config', 'mcp-server', 'redaction', 'report', 'terminal', 'tools'],
};

/** Files directly in ts/ that every layer may import. The toolkit is for those above it; the index is for nobody inside. */
const SHARED_ROOT_FILES = ['ts/errors.ts', 'ts/version.ts'];
const TOOLKIT = 'ts/toolkit.ts';
const MAY_IMPORT_TOOLKIT = ['adapters', 'cli', 'root'];

const IMPORT =
  /(\b(?:import|export)\s+type\b[^;]*?)?(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"])([^'"]+)\2/g;
const NATIVE_FILE = /(^|\/)generated(\.d)?(\.js|\.ts)?$|\.node$/;
const LOADS_NATIVE_CODE = /\bdlopen\b|\bcreateRequire\b/;
const BINDING_TYPES = 'ts/native/binding.ts';
const READS_ENVIRONMENT =
  /\bprocess\s*(\.|\?\.)\s*env\b|\bprocess\s*\[|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*'(node:)?process'/;

function folderOf(path) {
  const parts = path.split('/');
  return parts.length === 2 ? 'root' : parts[1];
}

/** Comments may name what code may not do. */
function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** The file of ts/ that an import means. */
function resolveImport(path, specifier) {
  return normalize(join(dirname(path), specifier)).replace(/\.js$/, '.ts');
}

function importBreach(path, specifier, isType) {
  const from = folderOf(path);
  if (NATIVE_FILE.test(specifier) && from !== 'native') return 'only ts/native loads the binding';
  if (!specifier.startsWith('.')) return '';
  const target = resolveImport(path, specifier);
  if (!target.startsWith('ts/')) return 'it is outside of ts/';
  const to = folderOf(target);
  if (!ALLOWED[from].includes(to)) return `ts/${from} may not know ts/${to}`;
  if (target === BINDING_TYPES && from !== 'native' && !isType)
    return 'outside of ts/native only its types may be used';
  if (to !== 'root' || SHARED_ROOT_FILES.includes(target)) return '';
  if (target === TOOLKIT && MAY_IMPORT_TOOLKIT.includes(from)) return '';
  return 'it is a layer above';
}

function breachesOf(base, path) {
  const code = withoutComments(readFileSync(join(base, path), 'utf8'));
  const from = folderOf(path);
  if (!ALLOWED[from]) return [`${path}: ts/${from} is not in the layer table of scripts/lib/layers/typescript.mjs`];
  const breaches = [];
  for (const [, type, , specifier] of code.matchAll(IMPORT)) {
    const why = importBreach(path, specifier, type !== undefined);
    if (why) breaches.push(`${path} imports ${specifier}: ${why}`);
  }
  if (from !== 'native' && LOADS_NATIVE_CODE.test(code)) {
    breaches.push(`${path} loads native code or modules by hand: only ts/native may`);
  }
  if (from !== 'config' && READS_ENVIRONMENT.test(code)) {
    breaches.push(`${path} reads the environment: only ts/config may`);
  }
  if (/\bexport\s*\*/.test(code)) breaches.push(`${path} exports with *: every export is named`);
  return breaches;
}

/** Files that a file needs when it runs; imports of types are gone by then. */
function neededFiles(base, path) {
  const code = withoutComments(readFileSync(join(base, path), 'utf8'));
  return [...code.matchAll(IMPORT)]
    .filter(([, type, , specifier]) => type === undefined && specifier.startsWith('.'))
    .map(([, , , specifier]) => resolveImport(path, specifier));
}

/** Folders may know each other where the table says so; files in a circle start in an order nobody chose. */
function cycleBreaches(base, paths) {
  const state = new Map();
  const breaches = [];
  const visit = (path, trail) => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      breaches.push(`imports in a circle: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`);
      return;
    }
    state.set(path, 'open');
    for (const next of neededFiles(base, path).filter((file) => paths.includes(file))) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of paths) visit(path, []);
  return breaches;
}

/** @returns {string[]} one sentence per breach */
export function checkTypeScript(base) {
  const paths = sourceFiles(base, 'ts').filter((path) => path.endsWith('.ts'));
  return [...paths.flatMap((path) => breachesOf(base, path)), ...cycleBreaches(base, paths)];
}
