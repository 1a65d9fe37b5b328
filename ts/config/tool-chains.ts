import { statSync } from 'node:fs';
import path from 'node:path';

import { type Environment, hostHome } from './host-environment.js';

/**
 * The variables that say where a tool chain lies, each with the folder beneath the home folder that holds unless the
 * variable is set. A folder in which a tool keeps credentials is not among them, so `CARGO_HOME` is not.
 */
const TOOL_CHAIN_FOLDERS: readonly (readonly [variable: string, folder?: string])[] = [
  ['RUSTUP_HOME', '.rustup'],
  ['PYENV_ROOT', '.pyenv'],
  ['RBENV_ROOT', '.rbenv'],
  ['NODENV_ROOT', '.nodenv'],
  ['GOENV_ROOT', '.goenv'],
  ['NVM_DIR', '.nvm'],
  ['FNM_DIR', '.local/share/fnm'],
  ['VOLTA_HOME', '.volta'],
  ['ASDF_DIR', '.asdf'],
  ['ASDF_DATA_DIR', '.asdf'],
  ['SDKMAN_DIR', '.sdkman'],
  ['GOROOT'],
  ['JAVA_HOME'],
  ['DOTNET_ROOT'],
];

/**
 * Where the tool chains of the host lie: these variables as the host has them, or the folders in which a tool would look
 * with the host's home. Only folders that exist.
 */
export function toolChainVariables(host: Environment): [name: string, folder: string][] {
  const home = hostHome();
  return TOOL_CHAIN_FOLDERS.flatMap(([name, folder]): [string, string][] => {
    const place = host[name] ?? (folder === undefined || home === undefined ? undefined : path.join(home, folder));
    return place !== undefined && isFolder(place) ? [[name, place]] : [];
  });
}

function isFolder(place: string): boolean {
  if (!path.isAbsolute(place)) return false;
  try {
    return statSync(place).isDirectory();
  } catch {
    return false; // It is missing, or this user may not enter it.
  }
}
