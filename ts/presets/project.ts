/** Makes options of a terminal from the presets of a project. */
import path from 'node:path';

import { listOption, nameOption } from '../config/validate.js';
import { isBeneath } from '../terminal/beneath.js';
import type { ConfineOptions } from '../terminal/confine.js';
import { MAX_LIST_ENTRIES } from '../terminal/limits.js';
import type { Root, TerminalOptions } from '../terminal/options.js';
import type { ProjectNetwork } from '../terminal/reached-hosts.js';
import type { Rule } from '../terminal/rule.js';
import { UNNAMED } from '../terminal/second-path.js';
import { projectCacheFolder } from './cache-folder.js';
import { detectProject, foldersAbove } from './detect.js';
import { PRESETS, PROJECT_KINDS } from './kinds.js';
import { installedAbove, type ProjectPackage, packagesBelow } from './packages.js';
import type { Preset, PresetGroup, ProjectKind } from './preset.js';
import { CONFINE, GIT, SHARED } from './shared.js';

/** The kind of a project, several kinds, or `'auto'` for what its files show. */
export type ProjectOption = ProjectKind | 'auto' | readonly ProjectKind[];

/** A project whose presets a toolkit uses. */
export interface Project {
  /** In a fixed order. Empty where `'auto'` found nothing but a Makefile: then only what all presets share applies. */
  readonly kinds: readonly ProjectKind[];
  /** The files by which `'auto'` decided, relative to the first root. Empty where the host named the kinds. */
  readonly decidedBy: readonly string[];
  /**
   * The folder of the caches of npm, pip, go and the like: another root that commands write to. Undefined where this
   * user can have none.
   */
  readonly cacheFolder: string | undefined;
  /** The packages below the first root whose programs may run too: at most 64, those nearest to it. */
  readonly packages: readonly ProjectPackage[];
  /**
   * Folders above the first root, up to that of its repository, in which packages are installed for all of it. Commands
   * run their programs and do not write there.
   */
  readonly above: readonly string[];
}

/**
 * Checks `project` and reads what it needs of the workspace. Undefined when absent.
 *
 * @param workspace The first root.
 * @param start The folder at which `'auto'` begins to look.
 */
export function projectOption(value: unknown, workspace: string, start = workspace): Project | undefined {
  if (value === undefined) return undefined;
  const { kinds, decidedBy } =
    value === 'auto' ? detectProject(workspace, start) : { kinds: kindsOption(value), decidedBy: [] };
  const programFolders = kinds.flatMap((kind) => placesOf(PRESETS[kind])).map((place) => path.dirname(place));
  return Object.freeze({
    kinds,
    decidedBy,
    cacheFolder: projectCacheFolder(workspace, cachedPrograms(kinds)),
    packages: Object.freeze(packagesBelow(workspace, kinds)),
    above: Object.freeze(installedAbove(workspace, programFolders)),
  });
}

function kindsOption(value: unknown): readonly ProjectKind[] {
  if (!Array.isArray(value)) return [nameOption(value, 'project', [...PROJECT_KINDS, 'auto']) as ProjectKind];
  const named = listOption(value, 'project', PROJECT_KINDS.length, (entry, name) => {
    // `nameOption` takes undefined for absent.
    return nameOption(entry ?? null, name, PROJECT_KINDS);
  });
  return PROJECT_KINDS.filter((kind) => named?.includes(kind));
}

/** The presets of these kinds, and what all share. */
export function presetsOf(kinds: readonly ProjectKind[]): readonly Preset[] {
  return [...kinds.map((kind) => PRESETS[kind]), SHARED];
}

/** What the kernel holds the commands of these kinds to. */
export function confineOf(kinds: readonly ProjectKind[]): ConfineOptions {
  return Object.assign({}, CONFINE, ...kinds.map((kind) => PRESETS[kind].confine));
}

/**
 * What the presets of a project say about the network.
 *
 * @param confine That of the host, not yet checked.
 * @param roots The roots that the host named, the first of which is the workspace.
 */
export function projectNetwork(
  { kinds, packages }: Project,
  confine: ConfineOptions | undefined,
  roots: readonly string[],
): ProjectNetwork {
  const [workspace = ''] = roots;
  const tools = presetsOf(kinds).flatMap((preset) => preset.packages ?? []);
  const below = packages.map(({ folder }) => path.join(workspace, folder));
  return {
    tools,
    folders: [...roots, ...foldersAbove(workspace), ...below],
    isImplied: confine?.network === undefined,
  };
}

/** The rules of a group. */
export function rulesOf({ programs = '', places = '', interpreters = '', uses = [] }: PresetGroup): readonly Rule[] {
  return [...words(interpreters), ...words(programs), ...words(places), ...uses.map(ruleOf)];
}

/** The places of a preset, each beneath a root. */
function placesOf({ groups }: Preset): string[] {
  return groups.flatMap(({ places = '' }) => words(places));
}

/** Folders of caches whose programs may run: those that places name, and those that launchers download to. */
function cachedPrograms(kinds: readonly ProjectKind[]): readonly string[] {
  const presets = presetsOf(kinds);
  const places = presets.flatMap(placesOf).map((place) => path.posix.dirname(place));
  const caches = presets.flatMap((preset) => Object.values(preset.caches ?? {}));
  const downloads = presets.flatMap((preset) => preset.downloads?.folder ?? []);
  return [...places.filter((folder) => caches.includes(folder)), ...downloads];
}

/** The places of programs that launchers download, where a rule of the host names such a use. */
function rulesOfDownloads(presets: readonly Preset[], given: readonly unknown[]): readonly Rule[] {
  const uses = given.filter(isObject).map(({ program, args }) => [program, ...(Array.isArray(args) ? args : [])]);
  const isNamed = (launcher: string): boolean => {
    const named = words(launcher);
    return uses.some((use) => use.length > named.length && named.every((word, index) => word === use[index]));
  };
  return presets.flatMap(({ downloads }) => {
    return downloads?.launchers.some(isNamed) ? [`${downloads.folder}/**`] : [];
  });
}

/** The rules for the programs of packages: the places of their kinds, in their folders. */
function rulesOfPackages(packages: readonly ProjectPackage[]): readonly Rule[] {
  return packages.flatMap(({ folder, kinds }) => {
    return presetsOf(kinds).flatMap((preset) => placesOf(preset).map((place) => path.posix.join(folder, place)));
  });
}

function withRules(rules: readonly Rule[], more: readonly Rule[]): readonly Rule[] {
  return [...rules, ...more.slice(0, Math.max(0, MAX_LIST_ENTRIES - rules.length))];
}

/** The roots of file tools: those of the host, and the folder of caches unless it lies in one of them. It is no place to work in. */
export function rootsOfFiles(roots: readonly Root[], { cacheFolder }: Project): readonly Root[] {
  if (cacheFolder === undefined || isInRoots(roots, cacheFolder)) return roots;
  const caches = { path: cacheFolder, mode: 'rw', [UNNAMED]: true } as const;
  return [...roots, caches];
}

/** The roots of commands: the same, and what is installed above, for reading. */
export function rootsOfCommands(roots: readonly Root[], project: Project): readonly Root[] {
  const installed = project.above.filter((folder) => !isInRoots(roots, folder));
  return [...rootsOfFiles(roots, project), ...installed.map((folder) => ({ path: folder, mode: 'ro' }) as const)];
}

function isInRoots(roots: readonly Root[], folder: string): boolean {
  return roots.some((root) => isBeneath(path.resolve(typeof root === 'string' ? root : root.path), folder));
}

function ruleOf(use: string): Rule {
  const [program = '', ...args] = words(use);
  return args.length === 0 ? program : { program, args };
}

/**
 * The options of a terminal with those of the presets: rules of both, and for everything else the host's word first.
 *
 * @param given The host's options, not yet checked: what is wrong in them stays, and is refused by the terminal.
 */
export function withPresets<
  Given extends Pick<TerminalOptions, 'allow' | 'ask' | 'trustInterpreters' | 'confine' | 'env'>,
>(given: Given, { kinds, cacheFolder, packages }: Project): Given & TerminalOptions {
  const presets = presetsOf(kinds);
  const groups = presets.flatMap((preset) => preset.groups);
  const { allow = [], ask = [], trustInterpreters = [], confine = {}, env = {} } = given;
  const trusted = groups.flatMap(({ interpreters = '' }) => words(interpreters));
  return {
    shell: 'bash',
    git: GIT,
    ...given,
    // The host's rules come first, so that errors name the index that the host knows.
    // What packages add ends where the list is full.
    allow: Array.isArray(allow)
      ? withRules(
          [...allow, ...groups.flatMap(rulesOf), ...rulesOfDownloads(presets, allow)],
          rulesOfPackages(packages),
        )
      : allow,
    ask: Array.isArray(ask) ? [...ask, ...groups.flatMap(({ asks = [] }) => asks.map(ruleOf))] : ask,
    trustInterpreters: Array.isArray(trustInterpreters) ? [...trustInterpreters, ...trusted] : trustInterpreters,
    confine: isObject(confine) ? { ...confineOf(kinds), ...confine } : confine,
    env: isObject(env) ? { ...env, ...environmentOf(presets, cacheFolder, env) } : env,
  };
}

/** The variables of presets, and with the same names those of the host. */
function environmentOf(
  presets: readonly Preset[],
  cacheFolder: string | undefined,
  { inherit = [], set = {} }: NonNullable<TerminalOptions['env']>,
): Pick<NonNullable<TerminalOptions['env']>, 'inherit' | 'set'> {
  const inherited = presets.flatMap((preset) => words(preset.inherit ?? ''));
  const variables = presets.map((preset) => preset.variables?.());
  const caches = presets
    .flatMap((preset) => Object.entries(preset.caches ?? {}))
    .flatMap(([name, folder]) => {
      return cacheFolder === undefined ? [] : [[name, path.join(cacheFolder, folder)] as const];
    });
  return {
    inherit: Array.isArray(inherit) ? [...inherit, ...inherited] : inherit,
    set: isObject(set) ? Object.assign({}, ...variables, Object.fromEntries(caches), set) : set,
  };
}

function words(text: string): string[] {
  return text.split(' ').filter(Boolean);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
