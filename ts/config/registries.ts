/** The hosts of package registries that the settings of a machine and of a project name. */
import { readdirSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';

import { withoutCredentials } from './addresses.js';
import type { Environment } from './host-environment.js';
import { NAMED_FILES, NAMED_FOLDERS, type PackageTool, REGISTRIES, type SettingsFile } from './registry-table.js';
import { atHome, fileText, settingsOf } from './setting-files.js';

/** A host that packages come from. */
export interface RegistryHost {
  /** As an entry of an allow list: a host, with the port where that is none of the usual ones. */
  readonly entry: string;
  /** What names it: a package manager, which knows it by itself, a variable or a file. Several have commas between them. */
  readonly from: string;
  /** Whether the machine's own settings name it, or a package manager: those of the project are somebody else's word. */
  readonly isOwn: boolean;
}

/** Where registries are looked for. */
export interface RegistryQuestion {
  /** The package managers. Default: all. */
  readonly tools?: readonly PackageTool[] | undefined;
  /** The variables of the host. */
  readonly host: Environment;
  /** The variables that commands have in their place. Settings files are not looked for by these. */
  readonly set: Environment;
  /** The folders of the project; absolute. What they hold counts as written by somebody else. */
  readonly folders: readonly string[];
  /** Whether commands may write to this file: then it counts as one of the project's. */
  readonly isWritable: (file: string) => boolean;
}

/** Most hosts that settings name; further ones are left out. Those that package managers know by themselves are not counted. */
const MAX_HOSTS = 256;
/** Most of these that are an address or `localhost`: each has listeners in the network of commands. */
const MAX_ADDRESSES = 16;
/** Most files that a name with `*` stands for. */
const MAX_MATCHING_FILES = 64;

/** The addresses in a value, the rest of which may be names. */
const ADDRESSES = /https?:\/\/[^\s"'`,;|<>[\]{}\\]*(?:\[[0-9a-f:.]+\][^\s"'`,;|<>[\]{}\\]*)?/gi;
/** The database of checksums that GOSUMDB names: a host, which a key may follow. */
const CHECKSUM_HOST = /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:\+\S+)?$/i;
/** A host name as allow lists take it. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/** A host that a setting names. */
interface NamedHost {
  readonly entry: string;
  readonly isName: boolean;
}

/** The hosts of registries, those of settings first. Each once. */
export function registryHosts({ tools, host, set, folders, isWritable }: RegistryQuestion): readonly RegistryHost[] {
  const found = new FoundHosts();
  for (const tool of tools ?? TOOLS) {
    const known = REGISTRIES[tool];
    for (const [name, value] of Object.entries({ ...host, ...set })) {
      if (known.variables.test(name)) found.add(hostsIn(name, value ?? ''), name, true);
    }
    for (const [file, settings] of ownFiles(tool, host)) found.add(hostsOf(file, settings), file, !isWritable(file));
    for (const [file, settings] of folders.flatMap((folder) => placed(known.projectFiles, folder))) {
      found.add(hostsOf(file, settings), path.relative(folders[0] ?? '', file), false);
    }
    for (const name of known.defaults) found.addDefault(name, tool);
  }
  return found.hosts();
}

const TOOLS = Object.keys(REGISTRIES) as readonly PackageTool[];

/** The settings files of the user and of the machine. */
function ownFiles(tool: PackageTool, host: Environment): readonly PlacedFile[] {
  const { homeFiles, configFiles, machineFiles } = REGISTRIES[tool];
  return [
    ...namedFiles(tool, host),
    ...placed(homeFiles, atHome('')),
    ...placed(configFiles, host['XDG_CONFIG_HOME'] ?? atHome('.config')),
    ...placed(machineFiles, '/'),
  ];
}

/** Collects hosts. */
class FoundHosts {
  readonly #hosts = new Map<string, { readonly from: Set<string>; isOwn: boolean }>();
  #named = 0;
  #addresses = 0;

  add(hosts: readonly NamedHost[], from: string, isOwn: boolean): void {
    for (const { entry, isName } of hosts) {
      // An address of the project's files may lead anywhere in this machine's network.
      if (!isName && !isOwn) continue;
      if (!this.#hosts.has(entry)) {
        if (this.#named >= MAX_HOSTS || (!isName && this.#addresses >= MAX_ADDRESSES)) continue;
        this.#named += 1;
        if (!isName) this.#addresses += 1;
      }
      this.#put(entry, from, isOwn);
    }
  }

  addDefault(entry: string, tool: PackageTool): void {
    this.#put(entry, tool, true);
  }

  hosts(): readonly RegistryHost[] {
    return [...this.#hosts].map(([entry, { from, isOwn }]) => ({ entry, from: [...from].join(', '), isOwn }));
  }

  #put(entry: string, from: string, isOwn: boolean): void {
    const known = this.#hosts.get(entry) ?? { from: new Set<string>(), isOwn: false };
    known.from.add(from);
    known.isOwn ||= isOwn;
    this.#hosts.set(entry, known);
  }
}

type PlacedFile = readonly [file: string, settings: SettingsFile];

/** The files of a folder that there may be. */
function placed(files: readonly SettingsFile[], folder: string | undefined): readonly PlacedFile[] {
  if (folder === undefined || !path.isAbsolute(folder)) return [];
  return files.flatMap((settings): PlacedFile[] => {
    const file = path.join(folder, settings.path);
    const [start, end] = path.basename(file).split('*');
    if (start === undefined || end === undefined) return [[file, settings]];
    const names = namesIn(path.dirname(file)).filter((name) => name.startsWith(start) && name.endsWith(end));
    return names.slice(0, MAX_MATCHING_FILES).map((name) => [path.join(path.dirname(file), name), settings]);
  });
}

/** The files that variables name. */
function namedFiles(tool: PackageTool, host: Environment): readonly PlacedFile[] {
  const files = NAMED_FILES.filter(([owner]) => owner === tool).flatMap(([, variable, settings]): PlacedFile[] =>
    Object.entries(host).flatMap(([name, file = '']): PlacedFile[] => (variable.test(name) ? [[file, settings]] : [])),
  );
  const folders = NAMED_FOLDERS.filter(([owner]) => owner === tool);
  return [...files, ...folders.flatMap(([, variable, settings]) => placed([settings], host[variable]))];
}

/** The names in a folder, sorted; none where this user may not list it. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // What cannot be listed names nothing.
  }
}

function hostsOf(file: string, { syntax, names }: SettingsFile): readonly NamedHost[] {
  const settings = settingsOf(fileText(file), syntax).filter(([name]) => names.test(name));
  return settings.flatMap(([name, value]) => hostsIn(name, value));
}

/** The hosts in the value of a setting. */
function hostsIn(name: string, value: string): readonly NamedHost[] {
  const plain = withoutCredentials(value) ?? '';
  const addresses = [...plain.matchAll(ADDRESSES)].flatMap(([address]) => hostOf(address));
  const [, checksums] = name === 'GOSUMDB' && addresses.length === 0 ? (CHECKSUM_HOST.exec(plain) ?? []) : [];
  return checksums === undefined ? addresses : hostOf(`https://${checksums}`);
}

/** The host of an address. None where the address cannot be read, or a variable stands in it. */
function hostOf(address: string): NamedHost[] {
  if (address.includes('$') || !URL.canParse(address)) return [];
  const { hostname, port, protocol } = new URL(address);
  const bare = hostname.replace(TRAILING_DOT, '');
  const isAddress = bare.startsWith('[') || isIP(bare) !== 0;
  if (!isAddress && !HOST_NAME.test(bare)) return [];
  const isName = !isAddress && bare !== 'localhost' && !bare.endsWith('.localhost');
  // An address is listened at, which needs its port.
  const ownPort = port === '' && !isName ? DEFAULT_PORTS[protocol] : port;
  return [{ entry: ownPort === '' || ownPort === undefined ? bare : `${bare}:${ownPort}`, isName }];
}

/** The dot at the end of a host name. */
const TRAILING_DOT = /\.$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
