// The npm registry, as far as publishing needs it, through npm itself.
import { must, run } from '../lib/command.mjs';

const NOT_THERE = 'E404';

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return;
  }
}

/**
 * The digest of a published version, `sha512-…`; undefined when it is not there. Anything else than a clear answer throws:
 * taking a failure for "not there" would publish twice, the other way round would leave a hole.
 */
async function integrityOf(name, version) {
  const { code, stdout, output } = await run('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json']);
  const answer = parse(stdout);
  if (code === 0 && typeof answer === 'string') return answer;
  if (answer?.error?.code === NOT_THERE) return;
  throw new Error(`npm does not say whether ${name}@${version} is published:\n${output}`);
}

/** Versions such as 1.0.0-beta.1 are for those who ask for them. */
const distTag = (version) => (version.includes('-') ? 'next' : 'latest');

async function publish({ path, manifest }) {
  await must('npm', ['publish', path, '--access', 'public', '--ignore-scripts', '--tag', distTag(manifest.version)], {
    show: true,
  });
}

export const npmRegistry = Object.freeze({ integrityOf, publish });
