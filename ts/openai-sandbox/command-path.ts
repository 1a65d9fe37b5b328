import { lstatSync } from 'node:fs';
import path from 'node:path';

/** Longest root of a manifest by which commands know their workspace, in bytes, and longest name in it. */
const MAX_ROOT_BYTES = 1_024;
const MAX_NAME_BYTES = 255;

/** The path by which commands know a workspace, and why it is not the root of the manifest. */
export interface CommandPath {
  readonly path: string;
  readonly reason?: string;
}

/**
 * Why the root of a manifest cannot be a second path of the workspace; undefined where it can. It hides nothing: its first
 * name is one that this machine does not have.
 */
export function problemOfRoot(root: string): string | undefined {
  const [first, ...others] = root.slice(1).split('/');
  const isUnicode = Buffer.from(root).toString() === root;
  const isPlain = path.posix.resolve('/', root) === root && !root.includes('\0') && isUnicode;
  if (!isPlain) return 'is no plain absolute path';
  if (first === undefined || first === '') return 'is the root of the file system';
  const isLong = [first, ...others].some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  if (isLong || Buffer.byteLength(root) > MAX_ROOT_BYTES) return 'is too long';
  return isFree(`/${first}`) ? undefined : `begins with /${first}, which this machine has`;
}

function isFree(file: string): boolean {
  try {
    lstatSync(file);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
