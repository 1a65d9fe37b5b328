import { statSync } from 'node:fs';
import { programProblem } from '../config/program-names.js';
import type { TerminalOptions } from '../terminal/options.js';
import { type CommandLine, lastValue, listEntries } from './arguments.js';
import { UsageError } from './usage-error.js';

type PolicyOptions = Pick<TerminalOptions, 'allow' | 'deny' | 'trustInterpreters' | 'roots' | 'cwd'>;
type ProgramList = 'allow' | 'deny' | 'trustInterpreters';

/** What a command line says about who may run where. */
export function policyOptions(line: CommandLine): PolicyOptions {
  const cwd = lastValue(line, 'cwd');
  const roots = line.values.get('root');
  for (const [index, root] of (roots ?? []).entries()) {
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === true) continue;
    throw new UsageError(`--root number ${index + 1} does not name a directory`);
  }
  return {
    ...programs(line, 'allow', 'allow'),
    ...programs(line, 'deny', 'deny'),
    ...programs(line, 'trust', 'trustInterpreters'),
    ...(roots === undefined ? {} : { roots }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function programs(line: CommandLine, name: string, option: ProgramList): PolicyOptions {
  if (!line.values.has(name)) return {};
  const entries = listEntries(line, name);
  for (const [index, entry] of entries.entries()) {
    const problem = programProblem(entry, option !== 'trustInterpreters');
    if (problem !== undefined) throw new UsageError(`--${name} entry ${index + 1} ${problem}`);
  }
  return { [option]: entries };
}
