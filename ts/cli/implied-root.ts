/** The folder that commands work in where nobody names one with `--root`: the directory of the caller. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { hostHome } from '../config/host-environment.js';
import { isBeneath } from '../terminal/beneath.js';
import { type CommandLine, lastValue } from './arguments.js';
import { readablePath } from './shown-path.js';
import { UsageError } from './usage-error.js';

/**
 * The root of `handrail run` where the line names none: this directory, or that of `--cwd` where it lies elsewhere
 * or this one would be too much.
 * Undefined where the user lets commands write anywhere, and where this directory was removed.
 *
 * @throws UsageError where commands would write in the whole of `/` or of the home folder.
 */
export function rootOfRun(line: CommandLine): string | undefined {
  const writes = lastValue(line, 'writes');
  const folder = writes === 'any' ? undefined : workFolder(line);
  if (folder === undefined || line.values.has('root')) return undefined;
  const excess = whatItHolds(folder);
  if (excess === undefined) return folder;
  if (writes === 'none') return undefined;
  throw new UsageError(
    `commands would work in ${excess}: say where with --root DIR, or let them write with --writes any`,
  );
}

/** The same for `handrail explain`, which judges in every directory. */
export function rootOfExplain(line: CommandLine): string | undefined {
  const folder = line.values.has('root') ? undefined : workFolder(line);
  return folder === undefined || whatItHolds(folder) !== undefined ? undefined : folder;
}

/**
 * What is too much for a root that nobody named, in words: the whole of `/`, of the home folder, or of a folder above
 * it. Undefined for any other folder.
 */
export function whatItHolds(folder: string): string | undefined {
  if (folder === '/') return 'the whole of /';
  const home = realHome();
  if (home === undefined || !isBeneath(folder, home)) return undefined;
  const holds = folder === home ? 'the home folder' : 'which holds the home folder';
  return `the whole of ${readablePath(folder)}, ${holds}`;
}

function realHome(): string | undefined {
  const home = hostHome();
  try {
    return home === undefined ? undefined : realpathSync(home);
  } catch {
    return undefined; // There is none, and so nothing that could be written to.
  }
}

function workFolder(line: CommandLine): string | undefined {
  const here = workingDirectory();
  const cwd = lastValue(line, 'cwd');
  if (here === undefined || cwd === undefined) return here;
  const folder = path.resolve(cwd);
  return isBeneath(here, folder) && whatItHolds(here) === undefined ? here : folder;
}

/** The working directory. Undefined when it was removed. */
function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
