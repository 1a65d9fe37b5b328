// The command line of the gate and of publishing: DIR --tag vX.Y.Z [--repository OWNER/NAME].
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail } from '../lib/steps.mjs';

/** OWNER/NAME, which becomes part of an address, and so may not be any other path. */
const REPOSITORY = /^[\w-]+\/[\w.-]+$/;

/** @returns {{folder: string, tag: string, repository?: string}} `folder` is absolute, as npm runs in another folder */
export function readOptions(script) {
  const usage = `node scripts/release/${script} DIR --tag vX.Y.Z [--repository OWNER/NAME]`;
  try {
    const options = { tag: { type: 'string' }, repository: { type: 'string' } };
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    const [folder, ...otherArguments] = positionals;
    if (folder === undefined || otherArguments.length > 0 || values.tag === undefined) return fail(usage);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return fail(`${folder} is no folder\n${usage}`);
    if (values.repository !== undefined && !REPOSITORY.test(values.repository)) return fail(usage);
    return { folder: resolve(folder), ...values };
  } catch (error) {
    return fail(`${error.message}\n${usage}`);
  }
}
