// The package.json of each published package. Staging writes these manifests, and the release gate compares the tarballs with
// them. This module imports no npm package, as the publishing job installs none.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, supervisorName } from '../paths.mjs';
import { bindingName, nativePackageName, TARGETS } from './targets.mjs';

/** The keys of the repository's package.json that are published. */
const PUBLISHED_KEYS = [
  ...['name', 'version', 'description', 'keywords', 'license', 'type', 'engines', 'sideEffects'],
  ...['bin', 'exports', 'dependencies', 'peerDependencies', 'peerDependenciesMeta'],
];
/** The keys that the native packages share with `handrail`. */
const SHARED_KEYS = ['version', 'license', 'engines', 'publishConfig', 'repository', 'homepage', 'bugs'];
const ADDRESS = /^https:\/\/github\.com\/[\w-]+\/[\w.-]+$/;

const pick = (manifest, keys) =>
  Object.fromEntries(keys.filter((key) => key in manifest).map((key) => [key, manifest[key]]));

/** @returns {Record<string, any>} the package.json of this repository */
export const readManifest = (folder = root) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * The address of the repository: its package.json is the only place that holds it, as `repository`.
 *
 * @returns {string | undefined} undefined while package.json has none
 */
export function addressOf({ repository: address }) {
  if (address === undefined || ADDRESS.test(address)) return address;
  throw new Error(
    `\`repository\` of package.json has to be https://github.com/OWNER/NAME, not ${JSON.stringify(address)}`,
  );
}

const addressFields = (address) => ({
  repository: { type: 'git', url: `git+${address}.git` },
  homepage: `${address}#readme`,
  bugs: { url: `${address}/issues` },
});

/**
 * The manifest of `handrail` as it is published.
 *
 * @param {Record<string, any>} manifest that of this repository
 * @param {string} [address] address of the repository; packages without one have no provenance
 */
export function publishedManifest(manifest, address = addressOf(manifest)) {
  return {
    ...pick(manifest, PUBLISHED_KEYS),
    ...(address === undefined ? {} : addressFields(address)),
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

/** The text of a manifest as it is written to a package. */
export const manifestText = (manifest) => `${JSON.stringify(manifest, null, 2)}\n`;
