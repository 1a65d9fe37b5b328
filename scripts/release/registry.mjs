// The npm registry, as far as publishing needs it, through npm itself.
import { resolve } from 'node:path';
import { must, run } from '../lib/command.mjs';
import { compareVersions } from '../lib/version.mjs';

const NOT_THERE = 'E404';

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
 * The tag that a version is found by. 1.0.0-beta.1 and its like are for those who ask for them, and the mending of an older
 * line is `latest-1.2`: a tag never moves back to a lower version.
 *
 * @param {string} version
 * @param {Record<string, string>} tags those of the registry
 */
export function distTag(version, tags) {
  const tag = isPrerelease(version) ? 'next' : 'latest';
  const current = tags[tag];
  const order = current === undefined ? 1 : compareVersions(version, current);
  // Parts of a version behind its `-` are not compared: they are published in their order.
  if (order > 0 || (order === 0 && isPrerelease(current))) return tag;
  return `${tag}-${version.split('.', 2).join('.')}`;
}

/**
 * @param {string} address that of the registry; settings of the machine do not count
 * @returns {{integrityOf: (name: string, version: string) => Promise<string | undefined>, publish: (found: {path: string,
 *   manifest: {name: string, version: string}}) => Promise<void>}}
 */
export function npmRegistry(address) {
  // A registry that is set for the scope goes before the one that is set for all.
  const here = ['--registry', address, `--@handrail:registry=${address}`];

  /**
   * What the registry says of a package; undefined when it is not there. Anything else than a clear answer throws: taking a
   * failure for "not there" would publish twice, the other way round would leave a hole.
   */
  async function ask(what, field, isAnswer) {
    const { code, stdout, output } = await run('npm', ['view', what, field, '--json', ...here]);
    const answer = parse(stdout);
    if (code === 0 && isAnswer(answer)) return answer;
    if (answer?.error?.code === NOT_THERE) return;
    throw new Error(`npm does not say what ${field} of ${what} is:\n${output}`);
  }

  return Object.freeze({
    /** The digest of a published version, `sha512-…`. */
    integrityOf: (name, version) => ask(`${name}@${version}`, 'dist.integrity', isDigest),

    async publish({ path, manifest: { name, version } }) {
      const tags = (await ask(name, 'dist-tags', isTags)) ?? {};
      // Nothing but a file: npm takes `out/x.tgz` for a repository of GitHub. It decodes no `%20`, so none is encoded.
      const file = `file:${resolve(path)}`;
      const args = ['publish', file, '--access', 'public', '--ignore-scripts', '--tag', distTag(version, tags)];
      await must('npm', [...args, ...here], { show: true });
    },
  });
}
