import path from 'node:path';

import { foldersAbove } from '../presets/detect.js';
import { PROJECT_KINDS } from '../presets/kinds.js';
import {
  type Project,
  type ProjectOption,
  projectNetwork,
  projectOption,
  rootsOfCommands,
  withPresets,
} from '../presets/project.js';
import type { TerminalOptions } from '../terminal/options.js';
import type { ProjectNetwork } from '../terminal/reached-hosts.js';
import { type CommandLine, listEntries, optionLabel } from './arguments.js';
import { oneOf } from './confine-options.js';
import { whatItHolds } from './implied-root.js';
import { readablePath } from './shown-path.js';
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
  readonly options: Omit<Options, 'roots'> &
    Pick<TerminalOptions, 'allow' | 'ask' | 'env' | 'confine' | 'roots' | 'cwd' | 'path' | 'trustInterpreters'>;
  readonly project: Project | undefined;
  /** What its presets say about the network. */
  readonly network: ProjectNetwork | undefined;
}

/**
 * Adds the presets that the command line names. Without `--root`, commands work beneath the folder of the repository
 * that the user is in, so that what lies above in the same project is found and written; where there is none, beneath
 * the user's directory.
 */
export function withProject<Options extends Omit<TerminalOptions, 'roots'> & { readonly roots?: readonly string[] }>(
  line: CommandLine,
  options: Options,
): OptionsWithProject<Options> {
  const kinds = projectKinds(line);
  if (kinds === undefined) return { options, project: undefined, network: undefined };
  const roots = (options.roots ?? ['.']).map((root) => path.resolve(root));
  const [start = ''] = roots;
  const repository = line.values.has('root') ? undefined : foldersAbove(start).at(-1);
  const isWider = repository !== undefined && whatItHolds(repository) === undefined;
  const commandRoots = isWider ? [repository] : roots;
  const project = projectOption(kinds, commandRoots[0] ?? '', start);
  if (project === undefined) return { options, project, network: undefined };
  const cwd = isWider ? path.resolve(start, options.cwd ?? '') : options.cwd;
  const placed = { ...withPresets(options, project), roots: rootsOfCommands(commandRoots, project) };
  const network = projectNetwork(project, options.confine, commandRoots);
  return { options: cwd === undefined ? placed : { ...placed, cwd }, project, network };
}

/** What a project is, what decided, and beneath which folder commands work unless that is the user's own. */
export function projectText({ kinds, decidedBy }: Project, root = process.cwd()): string {
  const names = kinds.length === 0 ? 'make alone' : kinds.join(', ');
  const decided = decidedBy.length === 0 ? '' : ` (by ${decidedBy.join(', ')})`;
  return `${names}${decided}${root === process.cwd() ? '' : `, beneath ${readablePath(root)}`}`;
}
