// Access to the npm registry for publishing, through the npm program.
import { resolve } from 'node:path';
import { must, run } from '../lib/command.mjs';
import { compareVersions } from '../lib/version.mjs';

const NOT_FOUND_CODE = 'E404';

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return;
  }
}

const isDigest = (answer) => typeof answer === 'string' && answer.startsWith('sha512-');
const isTags = (answer) => typeof answer?.latest === 'string';
const isPrerelease = (version) => version.includes('-');

/**
 * The dist-tag of a version: `latest`, or `next` for a prerelease. A fix for an older release line gets a tag such as
 * `latest-1.2`, as a tag never moves back to a lower version.
 *
 * @param {string} version
 * @param {Record<string, string>} tags those of the registry
 */
export function distTag(version, tags) {
  const tag = isPrerelease(version) ? 'next' : 'latest';
  const current = tags[tag];
  const order = current === undefined ? 1 : compareVersions(version, current);
  // `compareVersions` ignores the prerelease part; prereleases of one version are published in their order.
  if (order > 0 || (order === 0 && isPrerelease(current))) return tag;
  return `${tag}-${version.split('.', 2).join('.')}`;
}

/**
 * @param {string} address address of the registry, used regardless of npm's settings
 * @returns {{integrityOf: (name: string, version: string) => Promise<string | undefined>, publish: (found: {path: string,
 *   manifest: {name: string, version: string}}) => Promise<void>}}
 */
export function npmRegistry(address) {
  // A registry that is set for a scope takes precedence over the general one, so both are set.
  const registryOptions = ['--registry', address, `--@handrail:registry=${address}`];

  /**
   * A field of a package in the registry; undefined when the package is not there. Any other result throws: a failure that was
   * taken for a missing package, or for an existing one, would make publishing skip or repeat a package.
   */
  async function view(spec, field, isValid) {
    const { code, stdout, output } = await run('npm', ['view', spec, field, '--json', ...registryOptions]);
    const answer = parse(stdout);
    if (code === 0 && isValid(answer)) return answer;
    if (answer?.error?.code === NOT_FOUND_CODE) return;
    throw new Error(`npm does not say what ${field} of ${spec} is:\n${output}`);
  }

  return Object.freeze({
    /** The digest of a published version, `sha512-…`. */
    integrityOf: (name, version) => view(`${name}@${version}`, 'dist.integrity', isDigest),

    async publish({ path, manifest: { name, version } }) {
      const tags = (await view(name, 'dist-tags', isTags)) ?? {};
      // `file:` is needed, as npm would read `out/x.tgz` as a GitHub repository. npm decodes no `%20`, so the path is not encoded.
      const file = `file:${resolve(path)}`;
      const args = ['publish', file, '--access', 'public', '--ignore-scripts', '--tag', distTag(version, tags)];
      await must('npm', [...args, ...registryOptions], { show: true });
    },
  });
}
