// Reads the tarballs of a release, and checks them against this repository.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedManifest, readManifest } from '../lib/package/manifests.mjs';
import { TARGETS } from '../lib/package/targets.mjs';
import { root } from '../lib/paths.mjs';
import { openPackage, ROOT, releaseProblems } from './gate.mjs';
import { readTarball } from './tarball.mjs';

/**
 * @param {string} folder with the `.tgz` files of a release
 * @returns {(import('./gate.mjs').Package & {path: string})[]} the platforms come before the root package
 * @throws Error naming the tarball that cannot be read
 */
export function readRelease(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const packages = names.sort().map((name) => {
    const path = join(folder, name);
    try {
      return { ...openPackage(name, readTarball(path)), path };
    } catch (error) {
      throw new Error(`${name} cannot be read: ${error.message}`, { cause: error });
    }
  });
  const isRoot = ({ manifest }) => Number(manifest.name === ROOT);
  return packages.sort((left, right) => isRoot(left) - isRoot(right));
}

function cargoVersion() {
  const match = /^\[workspace\.package\]\nversion = "([^"]+)"/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'));
  if (!match) throw new Error('Cargo.toml names no version');
  return match[1];
}

/**
 * @param {import('./gate.mjs').Package[]} packages
 * @param {{tag: string, repository?: string, final?: boolean}} release `repository` is `owner/name` on GitHub, the
 *   repository that packages have to name; by default that of package.json
 */
export function problemsOf(packages, { tag, repository, final }) {
  const address = repository && `https://github.com/${repository}`;
  return releaseProblems(packages, {
    tag,
    final,
    cargoVersion: cargoVersion(),
    manifest: publishedManifest(readManifest(), address),
    targets: TARGETS,
  });
}
