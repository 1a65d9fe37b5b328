// Checks the imports between folders of ts/, access to the environment and to native code, and exports.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { sourceFiles } from './files.mjs';

/** A table of the folders of ts/ from the lowest layer up, each with the lower folders that its files may import. */
export const LAYER_TABLE = 'scripts/lib/layers/folders.json';

/** The entries of the table that files directly in ts/ belong to. */
const ROOT_FILES = {
  'ts/errors.ts': 'base',
  'ts/version.ts': 'base',
  'ts/toolkit.ts': 'toolkit',
  'ts/index.ts': 'index',
};

const IMPORT =
  /(\b(?:import|export)\s+type\b[^;]*?)?(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"])([^'"]+)\2/g;
const NATIVE_FILE = /(^|\/)generated(\.d)?(\.js|\.ts)?$|\.node$/;
const LOADS_NATIVE_CODE = /\bdlopen\b|\bcreateRequire\b/;
const BINDING_TYPES = 'ts/native/binding.ts';
const READS_ENVIRONMENT =
  /\bprocess\s*(\.|\?\.)\s*env\b|\bprocess\s*\[|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*'(node:)?process'/;

/** The entry of the table that a file belongs to. */
function folderOf(path) {
  return ROOT_FILES[path] ?? path.split('/')[1];
}

/** Checks that the table lets each folder import only folders before it, so that folders form no circle. */
function orderBreaches(table) {
  const folders = Object.keys(table);
  return Object.entries(table).flatMap(([folder, below], position) =>
    below
      .filter((other) => !folders.slice(0, position).includes(other))
      .map((other) => `${LAYER_TABLE} lets ts/${folder} import ts/${other}, which is not below it`),
  );
}

/** The code of a file. Comments may mention forbidden names. */
function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** The path of the file of ts/ that is imported. */
function resolveImport(path, specifier) {
  return normalize(join(dirname(path), specifier)).replace(/\.js$/, '.ts');
}

function importBreach(table, path, specifier, isType) {
  const from = folderOf(path);
  if (NATIVE_FILE.test(specifier) && from !== 'native') return 'only ts/native loads the binding';
  if (!specifier.startsWith('.')) return '';
  const target = resolveImport(path, specifier);
  if (!target.startsWith('ts/')) return 'it is outside of ts/';
  const to = folderOf(target);
  if (to !== from && !table[from].includes(to)) return `ts/${from} may not know ts/${to}`;
  if (target === BINDING_TYPES && from !== 'native' && !isType)
    return 'outside of ts/native only its types may be used';
  return '';
}

function breachesOf(base, table, path) {
  const code = withoutComments(readFileSync(join(base, path), 'utf8'));
  const from = folderOf(path);
  if (!table[from]) return [`${path}: ts/${from} is not in ${LAYER_TABLE}`];
  const breaches = [];
  for (const [, type, , specifier] of code.matchAll(IMPORT)) {
    const why = importBreach(table, path, specifier, type !== undefined);
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

/** The files of ts/ that a file imports. Imports of types count: files that name each other's types are one concept. */
function importedFiles(base, path) {
  const code = withoutComments(readFileSync(join(base, path), 'utf8'));
  return [...code.matchAll(IMPORT)]
    .filter(([, , , specifier]) => specifier.startsWith('.'))
    .map(([, , , specifier]) => resolveImport(path, specifier));
}

/** Checks for import circles: in a circle, the order in which modules run is accidental. */
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
    for (const next of importedFiles(base, path).filter((file) => paths.includes(file))) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of paths) visit(path, []);
  return breaches;
}

/** @returns {string[]} one sentence per breach */
export function checkTypeScript(base) {
  const table = JSON.parse(readFileSync(join(base, LAYER_TABLE), 'utf8'));
  const paths = sourceFiles(base, 'ts').filter((path) => path.endsWith('.ts'));
  return [
    ...orderBreaches(table),
    ...paths.flatMap((path) => breachesOf(base, table, path)),
    ...cycleBreaches(base, paths),
  ];
}
