// The TypeScript half: ts/ compiled to dist/.
import { existsSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { must } from './command.mjs';
import { filesBelow, fingerprint, isStamped, writeStamp } from './fingerprint.mjs';
import { localProgram, root, stampFolder } from './paths.mjs';

const SOURCES = ['ts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
const OUTPUT = join(root, 'dist');
const STAMP = join(stampFolder, 'typescript');

/** A module that was removed or renamed must not live on in what is published. */
function removeStaleOutput() {
  for (const file of filesBelow(OUTPUT)) {
    const isOutput = /\.(js|d\.ts)$/.test(file);
    const source = join(root, 'ts', relative(OUTPUT, file).replace(/(\.d\.ts|\.js)$/, '.ts'));
    const declared = source.replace(/\.ts$/, '.d.ts');
    if (isOutput && !existsSync(source) && !existsSync(declared)) rmSync(file);
  }
}

/** @returns {Promise<string>} what was done, for the step's line */
export async function buildTypeScript() {
  const wanted = fingerprint(SOURCES);
  if (isStamped(STAMP, wanted) && existsSync(join(OUTPUT, 'index.js'))) return 'up to date';
  await must(localProgram('tsc'), ['-p', 'tsconfig.build.json', '--noEmitOnError']);
  removeStaleOutput();
  writeStamp(STAMP, wanted);
  return 'built';
}
