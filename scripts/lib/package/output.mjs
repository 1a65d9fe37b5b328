// The staging folder of packages. It is emptied first, so it must not contain anything else.
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { root } from '../paths.mjs';

/** The name of a file that marks a staging folder. Only a folder with this file is emptied. */
export const MARKER = '.handrail-packages';

/** The real path of `path`, whose last parts may not exist yet. */
function realPath(path) {
  const absolutePath = resolve(path);
  if (existsSync(absolutePath)) return realpathSync(absolutePath);
  return join(realPath(dirname(absolutePath)), relative(dirname(absolutePath), absolutePath));
}

const isInOrEqual = (folder, path) => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * Why `folder` may not be emptied; undefined when it may. Changes nothing.
 *
 * @param {string} folder
 * @param {string[]} kept further paths that must not be in it
 */
export function outputProblem(folder, kept = []) {
  const real = realPath(folder);
  const endangered = [root, homedir(), ...kept].find((path) => isInOrEqual(real, realPath(path)));
  if (endangered !== undefined) return `${folder} would be emptied, and ${endangered} is in it`;
  const names = existsSync(real) ? readdirSync(real) : [];
  if (names.length === 0 || names.includes(MARKER)) return;
  return `${folder} would be emptied, and it was not made here: name another folder`;
}

/**
 * Creates the staging folder, or empties one that an earlier call created.
 *
 * @param {string} folder
 * @param {string[]} [kept]
 * @throws Error when the folder may not be emptied
 */
export function emptyOutput(folder, kept) {
  const problem = outputProblem(folder, kept);
  if (problem !== undefined) throw new Error(problem);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, MARKER), 'Made by `npm run package`, which empties this folder.\n');
}
