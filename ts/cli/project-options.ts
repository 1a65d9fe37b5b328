import path from 'node:path';
import { PROJECT_KINDS } from '../presets/kinds.js';
import { type Project, type ProjectOption, projectOption, withPresets } from '../presets/project.js';
import { isBeneath } from '../terminal/beneath.js';
import type { TerminalOptions } from '../terminal/options.js';
import { type CommandLine, listEntries, optionLabel } from './arguments.js';
import { oneOf } from './confine-options.js';
import { UsageError } from './usage-error.js';

const AUTO = 'auto';

/** The kinds of project that the command line names. Undefined when it names none. */
export function projectKinds(line: CommandLine): ProjectOption | undefined {
  if (!line.values.has('project')) return undefined;
  const label = optionLabel(line, 'project');
  const names = listEntries(line, 'project').map((name) => oneOf(label, name, [...PROJECT_KINDS, AUTO] as const));
  if (!names.includes(AUTO)) return PROJECT_KINDS.filter((kind) => names.includes(kind));
  if (names.every((name) => name === AUTO)) return AUTO;
  throw new UsageError(`${label} takes auto, or names of kinds`);
}

/** Options of a terminal, and the project whose presets are among them. */
export interface OptionsWithProject<Options> {
  readonly options: Options &
    Pick<TerminalOptions, 'allow' | 'ask' | 'env' | 'confine' | 'roots' | 'path' | 'trustInterpreters'>;
  readonly project: Project | undefined;
}

/** Adds the presets that the command line names. Without a root, the project is where the user is. */
export function withProject<Options extends Omit<TerminalOptions, 'roots'> & { readonly roots?: readonly string[] }>(
  line: CommandLine,
  options: Options,
): OptionsWithProject<Options> {
  const kinds = projectKinds(line);
  if (kinds === undefined) return { options, project: undefined };
  const roots = (options.roots ?? ['.']).map((root) => path.resolve(root));
  const project = projectOption(kinds, roots[0] ?? '');
  if (project === undefined) return { options, project };
  const { cacheFolder } = project;
  const inRoot = cacheFolder === undefined || roots.some((root) => isBeneath(root, cacheFolder));
  const allRoots = inRoot ? roots : [...roots, cacheFolder];
  return { options: { ...withPresets(options, project), roots: allRoots }, project };
}

/** What a project is, and what decided, in a few words. */
export function projectText({ kinds, decidedBy }: Project): string {
  const names = kinds.length === 0 ? 'make alone' : kinds.join(', ');
  return decidedBy.length === 0 ? names : `${names} (by ${decidedBy.join(', ')})`;
}
