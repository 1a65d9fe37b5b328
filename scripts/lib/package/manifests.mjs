// The package.json of everything that is published. Staging writes them and the gate of a release compares with them, so
// that a tarball has the manifest of this repository and no other. Needs no package of npm: publishing installs none.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, supervisorName } from '../paths.mjs';
import { bindingName, nativePackageName, TARGETS } from './targets.mjs';

/** Of the manifest, what an installer, Node, a compiler or a reader asks for. */
const PUBLISHED_KEYS = [
  ...['name', 'version', 'description', 'keywords', 'license', 'type', 'engines', 'sideEffects'],
  ...['bin', 'exports', 'dependencies', 'peerDependencies', 'peerDependenciesMeta'],
];
/** Of those, what holds for the native files as well. */
const SHARED_KEYS = ['version', 'license', 'engines', 'publishConfig', 'repository', 'homepage', 'bugs'];
const ADDRESS = /^https:\/\/github\.com\/[\w-]+\/[\w.-]+$/;

const pick = (manifest, keys) =>
  Object.fromEntries(keys.filter((key) => key in manifest).map((key) => [key, manifest[key]]));

/** @returns {Record<string, any>} the package.json of this repository */
export const readManifest = (folder = root) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * The address of the repository: its package.json is the only place that holds it, as `repository`.
 *
 * @returns {string | undefined} undefined until somebody gives it
 */
export function addressOf({ repository: address }) {
  if (address === undefined || ADDRESS.test(address)) return address;
  throw new Error(
    `\`repository\` of package.json has to be https://github.com/OWNER/NAME, not ${JSON.stringify(address)}`,
  );
}

const places = (address) => ({
  repository: { type: 'git', url: `git+${address}.git` },
  homepage: `${address}#readme`,
  bugs: { url: `${address}/issues` },
});

/**
 * The manifest of `handrail` as it is published.
 *
 * @param {Record<string, any>} manifest the one of this repository
 * @param {string} [address] of the repository; a package without one has no provenance
 */
export function publishedManifest(manifest, address = addressOf(manifest)) {
  return {
    ...pick(manifest, PUBLISHED_KEYS),
    ...(address === undefined ? {} : places(address)),
    optionalDependencies: Object.fromEntries(
      TARGETS.map(({ triple }) => [nativePackageName(triple), manifest.version]),
    ),
    publishConfig: { access: 'public' },
  };
}

/**
 * The manifest of a package with native files.
 *
 * @param {import('./targets.mjs').Target} target
 * @param {Record<string, any>} published the manifest of `handrail` as it is published
 */
export function nativeManifest({ triple, os, cpu, libc }, published) {
  const binding = bindingName(triple);
  return {
    name: nativePackageName(triple),
    description: `The native files of handrail for ${triple}.`,
    ...pick(published, SHARED_KEYS),
    type: 'commonjs',
    main: binding,
    files: [binding, supervisorName, 'THIRD-PARTY-LICENSES.txt'],
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
  };
}

/** As it stands in a package. */
export const manifestText = (manifest) => `${JSON.stringify(manifest, null, 2)}\n`;
