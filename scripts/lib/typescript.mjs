// The TypeScript half: ts/ becomes dist/, as few files as importing should read, with zod in them, and the declarations
// that its entries need.
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

/** What a program or a person names: everything else in dist/ is there because one of these needs it. */
const ENTRIES = ['index', 'adapters/openai-agents', 'adapters/ai', 'cli/main'];
/** Entries that somebody imports; the command line has no types. */
const TYPED_ENTRIES = ['index', 'adapters/openai-agents', 'adapters/ai', 'wasm/index'];

const RELATIVE_IMPORT = /(?:\bfrom|\bimport\s*\()\s*'(\.[^']+)\.js'/g;

/** The declarations that `entries` reach, by their paths below `folder` without `.d.ts`. */
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

/** What is built here is built whole: a module that is gone must not live on in what is published. */
function removeOutput() {
  for (const file of filesBelow(distFolder)) {
    if (relative(nativeFolder, file).startsWith('..') && file !== wasmFile) rmSync(file);
  }
  // Declarations of ts/native are beside the native files.
  for (const file of filesBelow(nativeFolder)) {
    if (/\.(js|d\.ts)$/.test(file)) rmSync(file);
  }
}

/** @returns {Promise<string>} what was done, for the step's line */
export async function buildTypeScript() {
  const wanted = fingerprint(SOURCES);
  if (isStamped(STAMP, wanted) && existsSync(join(distFolder, 'index.js'))) return 'up to date';
  removeOutput();
  await writeDeclarations();
  await bundle({ root, entries: ENTRIES, output: distFolder });
  await bundleWasm({ root, output: join(distFolder, 'wasm') });
  writeStamp(STAMP, wanted);
  return 'built';
}
