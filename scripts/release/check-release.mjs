// The gate: nothing is published that this has not passed. Reads the tarballs themselves, not what they were made from.
import { fail, say } from '../lib/steps.mjs';
import { readOptions } from './options.mjs';
import { problemsOf, readRelease } from './release.mjs';

const { folder, ...wanted } = readOptions('check-release.mjs');
const packages = readRelease(folder);
const problems = problemsOf(packages, wanted);
if (problems.length > 0) fail(`${wanted.tag} may not be published:\n${problems.join('\n')}`);
say(`${wanted.tag} may be published: ${packages.map(({ tarball }) => tarball).join(', ')}`);
