// What the code of a package imports: whether it is there, and which files nothing asks for.
import { spawnSync } from 'node:child_process';
import { isBuiltin } from 'node:module';
import { join as joinNative } from 'node:path';
import { dirname, join } from 'node:path/posix';

const PARSER = joinNative(import.meta.dirname, 'parse-modules.mjs');
const MAX_ANSWER_BYTES = 64 * (1 << 20);
const DYNAMIC_IMPORT = /\bimport\s*\(\s*["'`]([^"'`$]+)["'`]/g;
const TYPE_IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']/g;
/** Examples in doc comments import, too. */
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** By text: a process is slow to start, and the gate sees the same modules often in a test. */
const parsed = new Map();

/** For Deno, and unknown to older releases of Node: an import that gives the module of WASM, not what is in it. */
const SOURCE_PHASE = /^import source (?=\w+ from)/gm;

/** @returns {({specifiers: string[]} | {problem: string})[]} */
function parseModules(texts) {
  const unknown = [...new Set(texts)].filter((text) => !parsed.has(text));
  if (unknown.length > 0) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--experimental-vm-modules', '--no-warnings', PARSER],
      { input: JSON.stringify(unknown), encoding: 'utf8', maxBuffer: MAX_ANSWER_BYTES },
    );
    if (status !== 0) throw new Error(`the modules cannot be parsed: ${stderr}`);
    for (const [index, answer] of JSON.parse(stdout).entries()) parsed.set(unknown[index], answer);
  }
  return texts.map((text) => parsed.get(text));
}

const matches = (text, pattern) => [...text.matchAll(pattern)].map(([, specifier]) => specifier);

/** Imports by the path of the file; code that is none is a problem. */
function readImports(files) {
  const types = files.filter(({ path }) => path.endsWith('.d.ts'));
  const code = files.filter(({ path }) => path.endsWith('.js'));
  const texts = code.map(({ bytes }) => bytes.toString().replaceAll(SOURCE_PHASE, 'import '));
  const imports = new Map();
  const problems = [];
  for (const { path, bytes } of types) {
    imports.set(path, matches(bytes.toString().replaceAll(COMMENT, ''), TYPE_IMPORT));
  }
  for (const [index, { specifiers = [], problem }] of parseModules(texts).entries()) {
    const { path } = code[index];
    if (problem !== undefined) problems.push(`${path} is no module: ${problem}`);
    imports.set(path, [...specifiers, ...matches(texts[index], DYNAMIC_IMPORT)]);
  }
  return { imports, problems };
}

/** The file that a relative specifier names. Type files name the `.js` that they describe. */
function resolveFile(from, specifier) {
  const file = join(dirname(from), specifier);
  return from.endsWith('.d.ts') ? file.replace(/\.js$/, '.d.ts') : file;
}

/** Whether those who install the package have `specifier` as well. */
function isInstalled(specifier, { name, exports, dependencies, peerDependencies }) {
  if (isBuiltin(specifier)) return true;
  const length = specifier.startsWith('@') ? 2 : 1;
  const parts = specifier.split('/');
  const wanted = parts.slice(0, length).join('/');
  if (wanted === name) return ['.', ...parts.slice(length)].join('/') in exports;
  return wanted in { ...dependencies, ...peerDependencies };
}

/**
 * Follows imports from the files that a manifest promises.
 *
 * @param {import('./tarball.mjs').PackedFile[]} files
 * @param {Record<string, any>} manifest
 * @param {string[]} entries paths
 * @returns {{needed: string[], problems: string[]}} files that the entries need, themselves included
 */
export function followImports(files, manifest, entries) {
  const { imports, problems } = readImports(files);
  const paths = new Set(files.map(({ path }) => path));
  const needed = new Set();
  const visit = (path) => {
    if (needed.has(path)) return;
    needed.add(path);
    for (const specifier of imports.get(path) ?? []) {
      const isRelative = /^\.{0,2}\//.test(specifier);
      const file = resolveFile(path, specifier);
      if (isRelative && !paths.has(file)) problems.push(`${path} imports ${file}, which is missing`);
      else if (isRelative) visit(file);
      else if (!isInstalled(specifier, manifest)) problems.push(`${path} imports ${specifier}, which nobody installs`);
    }
  };
  for (const entry of entries) visit(entry);
  return { needed: [...needed], problems };
}
