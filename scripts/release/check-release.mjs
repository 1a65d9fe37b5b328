// The release gate, which every release passes before it is published. It reads the tarballs, not the files they were packed from.
import { fail, say } from '../lib/steps.mjs';
import { readOptions } from './options.mjs';
import { problemsOf, readRelease } from './release.mjs';

const { folder, ...release } = readOptions('check-release.mjs');
const packages = readRelease(folder);
const problems = problemsOf(packages, release);
if (problems.length > 0) fail(`${release.tag} may not be published:\n${problems.join('\n')}`);
say(`${release.tag} may be published: ${packages.map(({ tarball }) => tarball).join(', ')}`);
