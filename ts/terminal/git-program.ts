import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import path from 'node:path';

import { isBeneath } from './beneath.js';

/** Settings of every call: nothing of a repository is started. */
const SETTINGS = ['-c', 'safe.bareRepository=explicit', '-c', 'core.fsmonitor=false'];

/** Longest time that git gets, in milliseconds. */
const GIT_TIMEOUT_MS = 1_000;

/** Most bytes that are read of its answer, unless a call says otherwise. */
const MAX_ANSWER_BYTES = 65_536;

/** What git answers the host's user in a folder. Undefined where it does not answer, or with more than `maxBytes`. */
export function askGit(
  git: string,
  folder: string,
  args: readonly string[],
  maxBytes = MAX_ANSWER_BYTES,
): string | undefined {
  const { stdout, status } = spawnSync(git, [...SETTINGS, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: GIT_TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: maxBytes,
  });
  return status === 0 ? stdout : undefined;
}

/**
 * The first program of this name in the folders. Git runs on the host without a guard, so nothing that commands may write
 * to is taken.
 *
 * @param folders None of them may be written to by commands.
 * @param writable The directories that commands may write to.
 */
export function findProgram(name: string, folders: readonly string[], writable: readonly string[]): string | undefined {
  for (const folder of folders) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      const target = realpathSync(file);
      return writable.some((root) => isBeneath(root, target)) ? undefined : file;
    } catch {
      // This folder has none.
    }
  }
  return undefined;
}
