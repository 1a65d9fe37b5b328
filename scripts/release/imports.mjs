// Follows the imports of a package's code: reports missing ones, and finds the files that the package needs.
import { spawnSync } from 'node:child_process';
import { isBuiltin } from 'node:module';
import { join as joinNative } from 'node:path';
import { dirname, join } from 'node:path/posix';

const PARSER = joinNative(import.meta.dirname, 'parse-modules.mjs');
const MAX_PARSER_OUTPUT_BYTES = 64 * (1 << 20);
const DYNAMIC_IMPORT = /\bimport\s*\(\s*["'`]([^"'`$]+)["'`]/g;
const TYPE_IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']/g;
/** Removed first, as examples in doc comments contain imports. */
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Results by source text: tests of the gate parse the same modules often, and each parser process takes time to start. */
const parsedModules = new Map();

/** A source-phase import of a WASM module, which Deno supports and older releases of Node cannot parse. */
const SOURCE_PHASE = /^import source (?=\w+ from)/gm;

/** @returns {({specifiers: string[]} | {problem: string})[]} */
function parseModules(texts) {
  const unknown = [...new Set(texts)].filter((text) => !parsedModules.has(text));
  if (unknown.length > 0) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--experimental-vm-modules', '--no-warnings', PARSER],
      { input: JSON.stringify(unknown), encoding: 'utf8', maxBuffer: MAX_PARSER_OUTPUT_BYTES },
    );
    if (status !== 0) throw new Error(`the modules cannot be parsed: ${stderr}`);
    for (const [index, answer] of JSON.parse(stdout).entries()) parsedModules.set(unknown[index], answer);
  }
  return texts.map((text) => parsedModules.get(text));
}

const matches = (text, pattern) => [...text.matchAll(pattern)].map(([, specifier]) => specifier);

/** The imports of each file by its path. Code that cannot be parsed is a problem. */
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

/** The file that a relative specifier refers to. Declarations refer to a `.js` file and mean its `.d.ts`. */
function resolveFile(from, specifier) {
  const file = join(dirname(from), specifier);
  return from.endsWith('.d.ts') ? file.replace(/\.js$/, '.d.ts') : file;
}

/** Whether an installation of the package includes the module `specifier`. */
function isInstalled(specifier, { name, exports, dependencies, peerDependencies }) {
  if (isBuiltin(specifier)) return true;
  const length = specifier.startsWith('@') ? 2 : 1;
  const parts = specifier.split('/');
  const packageName = parts.slice(0, length).join('/');
  if (packageName === name) return ['.', ...parts.slice(length)].join('/') in exports;
  return packageName in { ...dependencies, ...peerDependencies };
}

/**
 * Follows imports from the entries of a manifest.
 *
 * @param {import('./tarball.mjs').PackedFile[]} files
 * @param {Record<string, any>} manifest
 * @param {string[]} entries paths
 * @returns {{needed: string[], problems: string[]}} `needed` are the entries and all files that they import
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
      else if (!isInstalled(specifier, manifest)) problems.push(`${path} imports ${specifier}, which is no dependency`);
    }
  };
  for (const entry of entries) visit(entry);
  return { needed: [...needed], problems };
}
