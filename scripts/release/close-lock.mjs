// node scripts/release/close-lock.mjs FILE: removes from a package-lock.json the optional packages that it has no
// entry for. npm writes such a lock file when the registry lacks packages of other platforms. Those platforms then go without the
// packages, instead of installing them without a digest. Where the registry has all packages, create the lock file anew instead.
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
say(missing.length === 0 ? 'no entry was missing' : `removed: ${missing.join(', ')}`);
