/** Which network the commands of a runner have, and which hosts of package registries they reach. */
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

import type { Environment } from '../config/host-environment.js';
import { type RegistryHost, type RegistryQuestion, registryHosts } from '../config/registries.js';
import type { PackageTool } from '../config/registry-table.js';
import { isBeneath } from './beneath.js';
import type { NetworkOption } from './confine.js';
import type { CheckedTerminalOptions } from './options.js';
import { writableRoots } from './roots.js';
import { hostProxies, namesRegistries } from './way-out.js';

/** What the presets of a project say about the network. */
export interface ProjectNetwork {
  /** The package managers of the project. */
  readonly tools: readonly PackageTool[];
  /** The folders with settings of the project; absolute. */
  readonly folders: readonly string[];
  /**
   * Whether nobody but the presets chose the network. Then commands reach everything where they can have no network of
   * their own, so that work goes on in a container.
   */
  readonly isImplied: boolean;
}

/** The network of commands as it is, not as it was asked for. */
export interface ReachedNetwork {
  readonly network: NetworkOption | undefined;
  /** The hosts of package registries among those that commands reach. */
  readonly registries: readonly RegistryHost[];
  /** Why the presets' choice was given up. Absent where it holds, and where somebody else chose. */
  readonly givenUp?: GivenUp;
}

/** Why commands reach everything although the presets name hosts. */
export interface GivenUp {
  /** The reason: a clause without its full stop. */
  readonly problem: string;
  /** What to do about it. */
  readonly fix: string;
}

/** What a machine can give commands. */
export interface NetworkAbilities {
  /** Whether they can have a network of their own. */
  hasNetworks(): boolean;
  /** Why no way out of it can lead through these proxies of the host, in a sentence. */
  proxyProblem(httpsProxy: string, httpProxy: string): string | undefined;
}

/** Decides what commands reach, and reads the settings that name registries. */
export function reachedNetwork(
  options: CheckedTerminalOptions,
  project: ProjectNetwork | undefined,
  host: Environment,
  abilities: NetworkAbilities,
): ReachedNetwork {
  const { network } = options.confine;
  const mayBeGivenUp = project?.isImplied === true && network !== 'any' && !options.require.includes('network');
  const givenUp = mayBeGivenUp ? problemOf(abilities, host) : undefined;
  if (givenUp !== undefined) return { network: 'any', registries: [], givenUp };
  if (!namesRegistries(network)) return { network, registries: [] };
  const registries = namedRegistries(
    {
      tools: project?.tools,
      folders: project?.folders ?? foldersOf(options),
      writable: writableRoots(options.roots),
      set: options.env.set ?? {},
    },
    host,
  );
  return { network, registries };
}

/** Why commands of this machine cannot have a list of hosts. */
function problemOf(abilities: NetworkAbilities, host: Environment): GivenUp | undefined {
  if (!abilities.hasNetworks()) {
    return {
      problem: 'there is no network namespace here',
      fix:
        'run as root, or where ordinary users may have user namespaces (sysctl user.max_user_namespaces, ' +
        'user.max_net_namespaces)',
    };
  }
  const { httpsProxy, httpProxy } = hostProxies(host);
  const problem = abilities.proxyProblem(httpsProxy, httpProxy);
  return problem === undefined ? undefined : { problem, fix: 'give the host an `http://` proxy, or none' };
}

/** Where the settings of a project are, and who may have written them. */
export interface ProjectSettings extends Pick<RegistryQuestion, 'tools' | 'folders' | 'set'> {
  /** The directories that commands may write to, resolved. */
  readonly writable: readonly string[];
}

/** The hosts of package registries as the settings name them now. */
export function namedRegistries(
  { writable, ...settings }: ProjectSettings,
  host: Environment,
): readonly RegistryHost[] {
  return registryHosts({
    ...settings,
    host,
    isWritable: (file) => {
      const real = existsSync(file) ? realpathSync(file) : file;
      return writable.some((root) => isBeneath(root, real));
    },
  });
}

function foldersOf({ roots, cwd }: CheckedTerminalOptions): readonly string[] {
  return roots?.map((root) => root.path) ?? [path.resolve(cwd ?? '')];
}
