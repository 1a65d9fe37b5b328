import path from 'node:path';

import { boundedText } from '../config/bounded-file.js';
import type { Environment } from '../config/host-environment.js';
import { hostHome } from '../config/host-environment.js';

/**
 * A version manager whose folder on `PATH` holds scripts, so-called shims, that look up a version and start it. The
 * versions themselves stand in the place of that folder: a shim needs a shell and the manager's own scripts, which are on
 * no list, and its home folder.
 */
interface ShimManager {
  /** The variable that names the manager's folder, and that folder beneath the home folder. */
  readonly root: readonly [variable: string, folder: string];
  /** The variable that names versions, before every file. */
  readonly variable?: string;
  /** The name of the file in a project or above it that names versions. */
  readonly file: string;
  /** The file of versions that hold elsewhere: beneath the manager's folder, or `~/NAME` beneath the home folder. */
  readonly global: string;
  /** The folders of programs that a line of such a file stands for, beneath the manager's folder. */
  readonly folders: (words: readonly string[]) => readonly string[];
}

/** pyenv and those made after it: each word of the file is a version, except `system`. */
function versions(words: readonly string[]): string[] {
  return words.filter((version) => version !== 'system').map((version) => path.join('versions', version, 'bin'));
}

/** asdf and mise: a line is a tool with its versions, the first of which is used. */
function installs([tool = '', version = '']: readonly string[]): string[] {
  if (version === '' || version === 'system') return [];
  const folder = path.join('installs', tool, version);
  return [path.join(folder, 'bin'), path.join(folder, tool === 'golang' ? 'go/bin' : '.')];
}

const MANAGERS: readonly ShimManager[] = [
  {
    root: ['PYENV_ROOT', '.pyenv'],
    variable: 'PYENV_VERSION',
    file: '.python-version',
    global: 'version',
    folders: versions,
  },
  {
    root: ['RBENV_ROOT', '.rbenv'],
    variable: 'RBENV_VERSION',
    file: '.ruby-version',
    global: 'version',
    folders: versions,
  },
  {
    root: ['NODENV_ROOT', '.nodenv'],
    variable: 'NODENV_VERSION',
    file: '.node-version',
    global: 'version',
    folders: versions,
  },
  {
    root: ['GOENV_ROOT', '.goenv'],
    variable: 'GOENV_VERSION',
    file: '.go-version',
    global: 'version',
    folders: versions,
  },
  { root: ['ASDF_DATA_DIR', '.asdf'], file: '.tool-versions', global: '~/.tool-versions', folders: installs },
  {
    root: ['MISE_DATA_DIR', '.local/share/mise'],
    file: '.tool-versions',
    global: '~/.tool-versions',
    folders: installs,
  },
];

/** A name of a version or a tool. A path would lead elsewhere. */
const PLAIN_NAME = /^[A-Za-z0-9][\w.+-]*$/;

/**
 * The folders, those with shims replaced by the folders of the versions that the shims would start in `cwd`.
 *
 * @param host The host's own variables.
 */
export function withoutShims(folders: readonly string[], host: Environment, cwd: string): string[] {
  const home = hostHome();
  return folders.flatMap((folder) => {
    const manager = path.basename(folder) === 'shims' ? managerAt(path.dirname(folder), host, home) : undefined;
    return manager === undefined ? [folder] : versionFolders(manager, path.dirname(folder), host, home, cwd);
  });
}

/** The manager of this folder: the one whose variable names it, or one that lies in such a folder of another home. */
function managerAt(folder: string, host: Environment, home: string | undefined): ShimManager | undefined {
  return (
    MANAGERS.find((known) => managerFolder(known, host, home) === folder) ??
    MANAGERS.find((known) => folder.endsWith(`/${known.root[1]}`))
  );
}

function managerFolder({ root: [variable, folder] }: ShimManager, host: Environment, home: string | undefined) {
  return host[variable] ?? (home === undefined ? undefined : path.join(home, folder));
}

function versionFolders(
  { variable = '', file, global, folders }: ShimManager,
  root: string,
  host: Environment,
  home: string | undefined,
  cwd: string,
): string[] {
  const chosen = host[variable]?.replaceAll(':', '\n');
  const globalFile = global.startsWith('~/') ? path.join(home ?? '', global.slice(2)) : path.join(root, global);
  const text = chosen ?? nearestText(cwd, file) ?? boundedText(globalFile) ?? '';
  const lines = text.split('\n').map((line) =>
    line
      .replace(/#.*/, '')
      .split(/\s+/)
      .filter((word) => PLAIN_NAME.test(word)),
  );
  return lines.flatMap(folders).map((folder) => path.join(root, folder));
}

/** The content of the file of this name in the folder or the nearest one above it. */
function nearestText(folder: string, name: string): string | undefined {
  const text = boundedText(path.join(folder, name));
  const above = path.dirname(folder);
  return text ?? (above === folder ? undefined : nearestText(above, name));
}
