/** Which settings files the user trusts: by their path and by what was in them. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hostEnvironment, hostHome } from '../config/host-environment.js';
import { isBeneath } from '../terminal/beneath.js';
import { MAX_OWN_BYTES, mistake, ownText } from './own-file.js';

const STORE_NAME = 'the list of trusted files';

/** How a path ends that file tools and redirections never write to. */
const GUARDED_NAME = '/.config/handrail';

/** Most files that are remembered: the last ones. All lines together are no more than is read. */
const MAX_TRUSTED_FILES = 100;
const MAX_LINE_BYTES = MAX_OWN_BYTES / MAX_TRUSTED_FILES - 1;

/** Whether the user has trusted this file with this text in it. */
export function isTrusted(file: string, text: string): boolean {
  const store = storeFile();
  return store !== undefined && trustedLines(store).includes(lineOf(file, text));
}

/** Remembers that the user trusts this file with this text in it. */
export function trustFile(file: string, text: string): void {
  const store = storeFile();
  if (store === undefined) throw mistake('there is no home folder for the list of trusted files: use --config');
  const line = lineOf(file, text);
  if (Buffer.byteLength(line) > MAX_LINE_BYTES) throw mistake('the path of the file is too long: use --config');
  const others = trustedLines(store).filter((other) => pathOf(other) !== pathOf(line));
  const lines = [...others, line].slice(-MAX_TRUSTED_FILES);
  try {
    mkdirSync(path.dirname(store), { recursive: true, mode: 0o700 });
    const next = `${store}.${process.pid}`;
    writeFileSync(next, lines.map((kept) => `${kept}\n`).join(''), { mode: 0o600, flag: 'wx' });
    renameSync(next, store);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
    throw mistake(`${STORE_NAME} cannot be written (${code})`);
  }
}

/**
 * Refuses roots that hold the list, where the guard of the file tools does not know it by its name, `.config/handrail`:
 * who can write the list decides what may run.
 *
 * @throws UsageError `ERR_INVALID_CONFIG`.
 */
export function assertListOutside(roots: readonly string[]): void {
  const store = storeFile();
  if (store === undefined) return;
  const folder = path.dirname(realPlace(store));
  if (folder.endsWith(GUARDED_NAME) || !roots.some((root) => isBeneath(realPlace(path.resolve(root)), folder))) return;
  const advice = 'set XDG_CONFIG_HOME to a folder outside of every --root, or leave it out';
  throw mistake(`${STORE_NAME} lies where the tools write: ${advice}`);
}

/** Without links, as far as it is there. */
function realPlace(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  return path.join(realPlace(path.dirname(file)), path.basename(file));
}

/** `.config/handrail/trusted`, which no tool writes to. */
function storeFile(): string | undefined {
  const { XDG_CONFIG_HOME: given = '' } = hostEnvironment();
  const home = hostHome();
  const folder = path.isAbsolute(given) ? given : home && path.join(home, '.config');
  return folder === undefined ? undefined : path.join(folder, 'handrail', 'trusted');
}

function trustedLines(store: string): readonly string[] {
  return existsSync(store) ? ownText(store, STORE_NAME).split('\n').filter(Boolean) : [];
}

/** A digest and a path, as `sha256sum` prints them; a path with a line end is quoted. */
function lineOf(file: string, text: string): string {
  return `${createHash('sha256').update(text).digest('hex')}  ${JSON.stringify(file)}`;
}

function pathOf(line: string): string {
  return line.slice(line.indexOf('  '));
}
