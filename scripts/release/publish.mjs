// Publishes a release: runs the gate, then publishes every package that the registry lacks. It can be repeated after a failure.
import { run } from '../lib/command.mjs';
import { fail, say } from '../lib/steps.mjs';
import { compareVersions } from '../lib/version.mjs';
import { readOptions } from './options.mjs';
import { publicRegistry } from './public-registry.mjs';
import { publishMissing } from './publish-missing.mjs';
import { npmRegistry } from './registry.mjs';
import { problemsOf, readRelease } from './release.mjs';

/** The first npm version that can publish with the identity of a workflow instead of a token. */
const OLDEST_NPM = '11.5.1';

const { folder, ...release } = readOptions('publish.mjs');
const packages = readRelease(folder);
const problems = problemsOf(packages, { ...release, final: true });
if (problems.length > 0) fail(`${release.tag} may not be published:\n${problems.join('\n')}`);

const { stdout } = await run('npm', ['--version']);
if (compareVersions(stdout.trim() || '0', OLDEST_NPM) < 0) {
  fail(`npm ${stdout.trim()} is too old: ${OLDEST_NPM} or newer is needed`);
}
try {
  await publishMissing(packages, npmRegistry(await publicRegistry()), say);
} catch (error) {
  fail(error.message);
}
