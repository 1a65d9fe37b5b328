// Builds the TypeScript part: bundles ts/ into few files of dist/, which include zod, and writes the declarations of the entries.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { bundle } from './bundle.mjs';
import { bundleWasm } from './bundle-wasm.mjs';
import { must } from './command.mjs';
import { filesBelow, fingerprint, isStamped, writeStamp } from './fingerprint.mjs';
import { distFolder, localProgram, nativeFolder, root, stampFolder } from './paths.mjs';
import { wasmFile } from './wasm.mjs';

const SOURCES = [
  ...['ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
  ...['scripts/lib/typescript.mjs', 'scripts/lib/bundle.mjs', 'scripts/lib/bundle-wasm.mjs'],
];
const STAMP = join(stampFolder, 'typescript');

/** The modules that users import or run. All other files of dist/ are there because one of these needs them. */
const ENTRIES = ['index', 'adapters/openai-agents', 'openai-sandbox/index', 'adapters/ai', 'cli/main'];
/** The modules that users import. The command line needs no declarations. */
const TYPED_ENTRIES = ['index', 'adapters/openai-agents', 'openai-sandbox/index', 'adapters/ai', 'wasm/index'];

const RELATIVE_IMPORT = /(?:\bfrom|\bimport\s*\()\s*'(\.[^']+)\.js'/g;

/** The declarations that `entries` import, directly or not, as paths below `folder` without `.d.ts`. */
function neededDeclarations(folder, entries) {
  const needed = new Set();
  const visit = (name) => {
    if (needed.has(name)) return;
    needed.add(name);
    const text = readFileSync(join(folder, `${name}.d.ts`), 'utf8');
    for (const [, specifier] of text.matchAll(RELATIVE_IMPORT)) visit(join(dirname(name), specifier));
  };
  for (const entry of entries) visit(entry);
  return [...needed];
}

async function writeDeclarations() {
  const scratch = join(stampFolder, `declarations-${process.pid}`);
  try {
    await must(localProgram('tsc'), ['-p', 'tsconfig.build.json', '--noEmitOnError', '--outDir', scratch]);
    for (const name of neededDeclarations(scratch, TYPED_ENTRIES)) {
      const target = join(distFolder, `${name}.d.ts`);
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(join(scratch, `${name}.d.ts`), target);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Removes all earlier output, so that no module that was deleted from ts/ is published. */
function removeOutput() {
  for (const file of filesBelow(distFolder)) {
    if (relative(nativeFolder, file).startsWith('..') && file !== wasmFile) rmSync(file);
  }
  // Declarations of ts/native are beside the native files.
  for (const file of filesBelow(nativeFolder)) {
    if (/\.(js|d\.ts)$/.test(file)) rmSync(file);
  }
}

/** @returns {Promise<string>} `built` or `up to date` */
export async function buildTypeScript() {
  const currentFingerprint = fingerprint(SOURCES);
  if (isStamped(STAMP, currentFingerprint) && existsSync(join(distFolder, 'index.js'))) return 'up to date';
  removeOutput();
  await writeDeclarations();
  await bundle({ root, entries: ENTRIES, output: distFolder });
  await bundleWasm({ root, output: join(distFolder, 'wasm') });
  writeStamp(STAMP, currentFingerprint);
  return 'built';
}
