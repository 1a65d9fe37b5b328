// The folder that packages are staged in. It is emptied first, so it has to be one that is for nothing else.
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { root } from '../paths.mjs';

/** Stands in a folder that was made here: only such a one is emptied. */
export const MARKER = '.handrail-packages';

/** Where a path really is, also when its end is not there yet. */
function realPath(path) {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  return join(realPath(dirname(whole)), relative(dirname(whole), whole));
}

const holds = (folder, path) => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * Why `folder` may not be emptied; undefined when it may. Changes nothing.
 *
 * @param {string} folder
 * @param {string[]} kept further paths that must not be in it
 */
export function outputProblem(folder, kept = []) {
  const real = realPath(folder);
  const lost = [root, homedir(), ...kept].find((path) => holds(real, realPath(path)));
  if (lost !== undefined) return `${folder} would be emptied, and ${lost} is in it`;
  const names = existsSync(real) ? readdirSync(real) : [];
  if (names.length === 0 || names.includes(MARKER)) return;
  return `${folder} would be emptied, and it was not made here: name another folder`;
}

/**
 * Makes `folder`, or empties it when an earlier call made it.
 *
 * @param {string} folder
 * @param {string[]} [kept]
 * @throws Error when there is a problem with that
 */
export function emptyOutput(folder, kept) {
  const problem = outputProblem(folder, kept);
  if (problem !== undefined) throw new Error(problem);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, MARKER), 'Made by `npm run package`, which empties this folder.\n');
}
