// Checks the length of source files: a file above the limit holds more than one concept.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export const MAX_LINES = 500;
const FOLDERS = ['crates', 'ts', 'test', 'scripts', 'bench', 'examples'];
const SOURCE = /\.(rs|ts|mjs|cjs|js)$/;
const GENERATED = /(^|\/)(ts\/native\/(generated|reports)\.ts|ts\/files\/answers\.ts|target\/.*|node_modules\/.*)$/;

/** Every file below `folder`, relative to `base`, in a fixed order. */
export function sourceFiles(base, folder) {
  const start = join(base, folder);
  if (!statSync(start, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => relative(base, join(entry.parentPath, entry.name)))
    .filter((path) => !GENERATED.test(path))
    .sort();
}

/** @returns {string[]} one sentence per breach */
export function checkFiles(base) {
  return FOLDERS.flatMap((folder) => sourceFiles(base, folder)).flatMap((path) => {
    const lines = readFileSync(join(base, path), 'utf8').split('\n').length - 1;
    return lines > MAX_LINES ? [`${path}: ${lines} lines, at most ${MAX_LINES} are allowed`] : [];
  });
}
