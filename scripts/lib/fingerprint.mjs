// Decides whether an output has to be built again, by a digest over the names, sizes and times of its source files.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './paths.mjs';

/** Every file below `path` (or `path` itself), in a fixed order. */
export function filesBelow(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

/** @param {string[]} paths files or folders, relative to the repository */
export function fingerprint(paths, salt = '') {
  const digest = createHash('sha256').update(salt);
  for (const file of paths.flatMap((path) => filesBelow(join(root, path)))) {
    const { size, mtimeMs } = statSync(file);
    digest.update(`${relative(root, file)}\0${size}\0${mtimeMs}\n`);
  }
  return digest.digest('hex');
}

export function isStamped(stamp, value) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === value;
}

/** Replaces the stamp by a new file, as a copy of this repository may share the old one through a hard link. */
export function writeStamp(stamp, value) {
  mkdirSync(dirname(stamp), { recursive: true });
  rmSync(stamp, { force: true });
  writeFileSync(stamp, value);
}
