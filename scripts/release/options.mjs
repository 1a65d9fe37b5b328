// The command line that the gate and publishing share: DIR --tag vX.Y.Z [--repository OWNER/NAME].
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail } from '../lib/steps.mjs';

/** A path in place of it would be a part of an address. */
const REPOSITORY = /^[\w-]+\/[\w.-]+$/;

/** @returns {{folder: string, tag: string, repository?: string}} the folder is absolute: npm runs in another one */
export function readOptions(script) {
  const usage = `node scripts/release/${script} DIR --tag vX.Y.Z [--repository OWNER/NAME]`;
  try {
    const options = { tag: { type: 'string' }, repository: { type: 'string' } };
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    const [folder, ...rest] = positionals;
    if (folder === undefined || rest.length > 0 || values.tag === undefined) return fail(usage);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return fail(`${folder} is no folder\n${usage}`);
    if (values.repository !== undefined && !REPOSITORY.test(values.repository)) return fail(usage);
    return { folder: resolve(folder), ...values };
  } catch (error) {
    return fail(`${error.message}\n${usage}`);
  }
}
