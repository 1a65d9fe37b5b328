// The package `handrail` as it is published: what was built, its documents, and a manifest without what only this
// repository needs.
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesBelow } from '../fingerprint.mjs';
import { distFolder, root } from '../paths.mjs';
import { nativePackageName, TARGETS } from './targets.mjs';

const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md'];
const PROGRAM = 'dist/cli/main.js';
/** Of the manifest, what an installer, Node, a compiler or a reader asks for. */
const MANIFEST_KEYS = [
  ...['name', 'version', 'description', 'keywords', 'license', 'type', 'engines', 'sideEffects'],
  ...['bin', 'exports', 'dependencies', 'peerDependencies', 'peerDependenciesMeta'],
];

export const readManifest = (folder = root) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** @param {string | undefined} repository its address; a package without one has no provenance */
export function publishedManifest(manifest, repository) {
  const kept = MANIFEST_KEYS.filter((key) => key in manifest).map((key) => [key, manifest[key]]);
  return {
    ...Object.fromEntries(kept),
    ...(repository === undefined ? {} : { repository: { type: 'git', url: `git+${repository}.git` } }),
    optionalDependencies: Object.fromEntries(
      TARGETS.map(({ triple }) => [nativePackageName(triple), manifest.version]),
    ),
    publishConfig: { access: 'public' },
  };
}

/** Native files are in packages of their own; what they are typed by stays. */
function isPublished(file) {
  return /\.(js|d\.ts|txt)$/.test(file) && !file.endsWith('generated.d.ts');
}

/** @returns {string} the folder */
export function stageRootPackage(output, repository) {
  const folder = join(output, 'handrail');
  mkdirSync(folder, { recursive: true });
  for (const file of [...filesBelow(distFolder).filter(isPublished), ...DOCUMENTS.map((name) => join(root, name))]) {
    cpSync(file, join(folder, relative(root, file)));
  }
  chmodSync(join(folder, PROGRAM), 0o755);
  const manifest = publishedManifest(readManifest(), repository);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return folder;
}
