// node scripts/release/close-lock.mjs FILE: takes out of a package-lock.json the optional packages that it has no entry for.
// For when a dependency was updated where the registry lacks packages of other platforms. Those platforms then do without
// them, which is better than packages without a digest; where the registry has them all, a new lock file is better still.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { missingFromLock } from '../lib/dependencies.mjs';
import { fail, say } from '../lib/steps.mjs';

const [file, ...rest] = process.argv.slice(2);
if (!file?.endsWith('package-lock.json') || rest.length > 0) fail('node scripts/release/close-lock.mjs FILE');
const missing = missingFromLock(dirname(file));
const lock = JSON.parse(readFileSync(file, 'utf8'));
for (const { optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (missing.includes(`${name}@${version}`)) delete optionalDependencies[name];
  }
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
say(missing.length === 0 ? 'nothing was missing' : `taken out: ${missing.join(', ')}`);
