import type { Environment } from '../config/host-environment.js';
import { type HomeFile, packageHomeFiles, packageVariables } from '../config/package-settings.js';
import { toolChainVariables } from '../config/tool-chains.js';
import type { Redactor } from '../redaction/redactor.js';
import type { HostVariables } from './environment.js';
import { gitIdentity } from './git-identity.js';
import { findProgram } from './git-program.js';

/**
 * The variables that commands get of the host without being named: where its tool chains lie, and, with `identity`,
 * where its packages come from.
 */
export function hostVariables(host: Environment, redactor: Redactor, identity: boolean): HostVariables {
  const packages = identity ? packageVariables(host, harmless(redactor)) : [];
  return [...toolChainVariables(host), ...packages];
}

/** What decides the files of a private home. */
export interface HomeQuestion {
  readonly host: Environment;
  readonly redactor: Redactor;
  /** The directory in which commands start; absolute. */
  readonly cwd: string;
  /** The folders that programs are found in. None that commands may write to. */
  readonly programs: readonly string[];
  /** The directories that commands may write to. */
  readonly writable: readonly string[];
}

/** The files that private homes start with: git's identity, and the registries of npm and cargo. */
export function homeFiles({ host, redactor, cwd, programs, writable }: HomeQuestion): HomeFile[] {
  const isHarmless = harmless(redactor);
  const git = findProgram('git', programs, writable);
  const identity = git === undefined ? '' : gitIdentity(git, cwd, isHarmless);
  return [
    ...(identity === '' ? [] : [{ path: '.gitconfig', content: identity }]),
    ...packageHomeFiles(host, isHarmless),
  ];
}

/** Whether the redactor finds nothing in a value. */
function harmless(redactor: Redactor): (value: string) => boolean {
  return (value) => redactor.redact(value) === value;
}
