// Publishing that can be called again: what is there is left alone, what is missing is added.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** As npm writes it into `dist.integrity`. */
export const integrity = (path) => `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`;

/**
 * Publishes each package that the registry lacks, in the order given.
 *
 * @param {{path: string, manifest: {name: string, version: string}}[]} packages platforms before the root, so that nobody
 *   can install a root whose platforms are not there
 * @param {{integrityOf: (name: string, version: string) => Promise<string | undefined>, publish: (found: object) =>
 *   Promise<void>}} registry
 * @param {(line: string) => void} report
 * @throws Error before anything is published, when a version is already there with other contents
 */
export async function publishMissing(packages, registry, report) {
  const missing = [];
  for (const found of packages) {
    const { name, version } = found.manifest;
    const published = await registry.integrityOf(name, version);
    if (published === undefined) missing.push(found);
    else if (published === integrity(found.path)) report(`${name}@${version} is already published`);
    else throw new Error(`${name}@${version} is already published with other contents: release a new version`);
  }
  for (const found of missing) {
    await registry.publish(found);
    report(`${found.manifest.name}@${found.manifest.version} is published`);
  }
}
