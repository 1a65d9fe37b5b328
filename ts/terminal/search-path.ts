import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

import type { Environment } from '../config/host-environment.js';
import type { NativeSearchFolder } from '../native/binding.js';
import type { EnvironmentOptions } from './environment.js';
import { SYSTEM_PATH } from './limits.js';
import { withoutShims } from './shims.js';

/** Folders that the host adds to those in which programs are found. Absolute. */
export interface PathOptions {
  /** Searched before all others. Up to 1,000. Default: none. */
  readonly first?: readonly string[] | undefined;
  /** Searched after all others. Up to 1,000. Default: none. */
  readonly last?: readonly string[] | undefined;
}

/** A `path` that was checked. */
export interface CheckedPath {
  readonly first: readonly string[];
  readonly last: readonly string[];
}

/**
 * The folders in which programs are found, by the host's own commands and by what these start, each once: `first`, then
 * those of the `PATH` that the host sets or has, then the system's, then `last`. The folder of the host's Node stands
 * before the first other folder with a `node`, so that `node` is the one that runs the host.
 *
 * The folders of `PATH` are not required: one that is missing, relative, or that commands or other users may write to
 * is left out.
 *
 * @param env The variables that the host chose for commands.
 * @param host The host's own variables.
 * @param cwd The directory in which commands start, which decides the versions that version managers give.
 */
export function searchFolders(
  given: CheckedPath,
  env: EnvironmentOptions,
  host: Environment,
  cwd: string,
): NativeSearchFolder[] {
  const listed = (env.set?.['PATH'] ?? host['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const folders = listed.map((folder) => (path.isAbsolute(folder) ? path.resolve(folder) : folder));
  const hosts = [...withoutShims(folders, host, cwd), ...SYSTEM_PATH];
  const node = path.dirname(process.execPath);
  const position = hosts.findIndex((folder) => existsSync(path.join(folder, 'node')));
  const ownNodeIsFirst = position >= 0 && isOwnNode(path.join(hosts[position] ?? '', 'node'));
  const ordered = ownNodeIsFirst ? hosts : hosts.toSpliced(position < 0 ? hosts.length : position, 0, node);
  const required = new Set([...given.first, ...given.last, ...SYSTEM_PATH, node]);
  const unique = [...new Set([...given.first, ...ordered, node, ...given.last])];
  return unique.map((folder) => ({ path: folder, required: required.has(folder) }));
}

function isOwnNode(file: string): boolean {
  try {
    return realpathSync(file) === realpathSync(process.execPath);
  } catch {
    return false; // It cannot be resolved, so that it is not the program that runs the host.
  }
}
