// The command line that the gate and publishing share: DIR --tag vX.Y.Z [--repository OWNER/NAME].
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fail } from '../lib/steps.mjs';

/** @returns {{folder: string, tag: string, repository?: string}} */
export function readOptions(script) {
  const usage = `node scripts/release/${script} DIR --tag vX.Y.Z [--repository OWNER/NAME]`;
  try {
    const options = { tag: { type: 'string' }, repository: { type: 'string' } };
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    const [folder, ...rest] = positionals;
    if (folder === undefined || rest.length > 0 || values.tag === undefined) return fail(usage);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return fail(`${folder} is no folder\n${usage}`);
    return { folder, ...values };
  } catch (error) {
    return fail(`${error.message}\n${usage}`);
  }
}
