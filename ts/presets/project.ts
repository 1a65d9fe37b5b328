/** Makes options of a terminal from the presets of a project. */
import path from 'node:path';

import { listOption, nameOption } from '../config/validate.js';
import type { ConfineOptions } from '../terminal/confine.js';
import type { TerminalOptions } from '../terminal/options.js';
import type { Rule } from '../terminal/rule.js';
import { projectCacheFolder } from './cache-folder.js';
import { detectProject } from './detect.js';
import { PRESETS, PROJECT_KINDS } from './kinds.js';
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
}

/** Checks `project` and reads what it needs of the workspace. Undefined when absent. */
export function projectOption(value: unknown, workspace: string): Project | undefined {
  if (value === undefined) return undefined;
  const { kinds, decidedBy } =
    value === 'auto' ? detectProject(workspace) : { kinds: kindsOption(value), decidedBy: [] };
  return Object.freeze({ kinds, decidedBy, cacheFolder: projectCacheFolder(workspace) });
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

/** The rules of a group. */
export function rulesOf({ programs = '', places = '', interpreters = '', uses = [] }: PresetGroup): readonly Rule[] {
  return [...words(interpreters), ...words(programs), ...words(places), ...uses.map(ruleOf)];
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
>(given: Given, { kinds, cacheFolder }: Project): Given & TerminalOptions {
  const presets = presetsOf(kinds);
  const groups = presets.flatMap((preset) => preset.groups);
  const { allow = [], ask = [], trustInterpreters = [], confine = {}, env = {} } = given;
  const trusted = groups.flatMap(({ interpreters = '' }) => words(interpreters));
  return {
    shell: 'bash',
    git: GIT,
    ...given,
    // The host's rules come first, so that errors name the index that the host knows.
    allow: Array.isArray(allow) ? [...allow, ...groups.flatMap(rulesOf)] : allow,
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
  const caches = presets
    .flatMap((preset) => Object.entries(preset.caches ?? {}))
    .flatMap(([name, folder]) => {
      return cacheFolder === undefined ? [] : [[name, path.join(cacheFolder, folder)] as const];
    });
  return {
    inherit: Array.isArray(inherit) ? [...inherit, ...inherited] : inherit,
    set: isObject(set) ? { ...Object.fromEntries(caches), ...set } : set,
  };
}

function words(text: string): string[] {
  return text.split(' ').filter(Boolean);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
