// Publishes the packages that the registry lacks, so that publishing can be repeated after a failure.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** As npm writes it into `dist.integrity`. */
export const integrity = (path) => `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`;

/**
 * Publishes each package that the registry lacks, in the order given.
 *
 * @param {{path: string, manifest: {name: string, version: string}}[]} packages platforms before the root, so that a root
 *   can never be installed before its platforms
 * @param {{integrityOf: (name: string, version: string) => Promise<string | undefined>, publish: (candidate: object) =>
 *   Promise<void>}} registry
 * @param {(line: string) => void} report
 * @throws Error before anything is published, when a version is already there with other contents
 */
export async function publishMissing(packages, registry, report) {
  const missing = [];
  for (const candidate of packages) {
    const { name, version } = candidate.manifest;
    const published = await registry.integrityOf(name, version);
    if (published === undefined) missing.push(candidate);
    else if (published === integrity(candidate.path)) report(`${name}@${version} is already published`);
    else throw new Error(`${name}@${version} is already published with other contents: release a new version`);
  }
  for (const release of missing) {
    await registry.publish(release);
    report(`${release.manifest.name}@${release.manifest.version} is published`);
  }
}
