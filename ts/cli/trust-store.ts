/** The list of settings files that the user trusts, by their path and their content. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decisionFile } from '../config/own-file.js';
import { realPlace } from '../config/real-place.js';
import { isBeneath } from '../terminal/beneath.js';
import { configError, MAX_OWN_FILE_BYTES, readFileOfThisUser } from './own-file.js';

const LIST_NAME = 'the list of trusted files';

/** The end of a path that file tools and redirections never write to. */
const PROTECTED_FOLDER = '/.config/handrail';

/** Most files in the list. When it is full, the oldest is dropped. */
const MAX_TRUSTED_FILES = 100;
/** Longest line of the list, so that the whole list can be read back. */
const MAX_LINE_BYTES = MAX_OWN_FILE_BYTES / MAX_TRUSTED_FILES - 1;

/** Whether the user trusts this file with this content. */
export function isTrusted(file: string, text: string): boolean {
  const store = storeFile();
  return store !== undefined && trustedLines(store).includes(trustLine(file, text));
}

/** Remembers that the user trusts this file with this content. */
export function trustFile(file: string, text: string): void {
  const store = storeFile();
  if (store === undefined) throw configError('there is no home folder for the list of trusted files: use --config');
  const line = trustLine(file, text);
  if (Buffer.byteLength(line) > MAX_LINE_BYTES) throw configError('the path of the file is too long: use --config');
  const otherLines = trustedLines(store).filter((other) => pathOf(other) !== pathOf(line));
  const lines = [...otherLines, line].slice(-MAX_TRUSTED_FILES);
  try {
    mkdirSync(path.dirname(store), { recursive: true, mode: 0o700 });
    const next = `${store}.${process.pid}`;
    writeFileSync(next, lines.map((keptLine) => `${keptLine}\n`).join(''), { mode: 0o600, flag: 'wx' });
    renameSync(next, store);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
    throw configError(`${LIST_NAME} cannot be written (${code})`);
  }
}

/**
 * Refuses roots that contain the list, unless its folder is `.config/handrail`, which the tools never write to: whoever
 * can write the list decides what may run.
 *
 * @throws UsageError `ERR_INVALID_CONFIG`.
 */
export function assertListOutside(roots: readonly string[]): void {
  const store = storeFile();
  if (store === undefined) return;
  const folder = path.dirname(realPlace(store));
  if (folder.endsWith(PROTECTED_FOLDER) || !roots.some((root) => isBeneath(realPlace(path.resolve(root)), folder)))
    return;
  const advice = 'set XDG_CONFIG_HOME to a folder outside of every --root, or leave it out';
  throw configError(`${LIST_NAME} lies where the tools write: ${advice}`);
}

function storeFile(): string | undefined {
  return decisionFile('trusted');
}

function trustedLines(store: string): readonly string[] {
  return existsSync(store) ? readFileOfThisUser(store, LIST_NAME).split('\n').filter(Boolean) : [];
}

/** A line with a digest and a path, like those of `sha256sum`; the path is a JSON string. */
function trustLine(file: string, text: string): string {
  return `${createHash('sha256').update(text).digest('hex')}  ${JSON.stringify(file)}`;
}

function pathOf(line: string): string {
  return line.slice(line.indexOf('  '));
}
