import { statSync } from 'node:fs';
import path from 'node:path';
import { programProblem } from '../config/program-names.js';
import { isBeneath } from '../terminal/beneath.js';
import { MAX_RULE_ARGUMENTS } from '../terminal/limits.js';
import type { TerminalOptions } from '../terminal/options.js';
import type { Rule } from '../terminal/rule.js';
import { readRuleList } from '../terminal/rule-list.js';
import { type CommandLine, lastValue, listEntries, optionLabel } from './arguments.js';
import { readablePath } from './shown-path.js';
import { assertListOutside } from './trust-store.js';
import { UsageError } from './usage-error.js';

/** The options of a terminal that say what may run and where. */
export interface PolicyOptions extends Pick<TerminalOptions, 'allow' | 'deny' | 'ask' | 'trustInterpreters' | 'cwd'> {
  readonly roots?: readonly string[];
}

/**
 * Reads these options from a command line.
 *
 * @param impliedRoot The root where the line names none. Default: none.
 */
export function policyOptions(line: CommandLine, impliedRoot?: string): PolicyOptions {
  const cwd = lastValue(line, 'cwd');
  const given = line.values.get('root');
  for (const root of given ?? []) assertDirectory(root, `${optionLabel(line, 'root')} ${readablePath(root)}`);
  const roots = given ?? (impliedRoot === undefined ? undefined : [impliedRoot]);
  assertListOutside(roots ?? []);
  if (cwd !== undefined)
    assertDirectory(path.resolve(given?.[0] ?? '', cwd), `${optionLabel(line, 'cwd')} ${readablePath(cwd)}`);
  const here = roots?.some((root) => isBeneath(path.resolve(root), process.cwd())) ? process.cwd() : undefined;
  // It is seen from the first root that was named, else from here.
  const chosen = cwd !== undefined && given === undefined ? path.resolve(cwd) : cwd;
  const directory = chosen ?? here;
  return {
    ...rules(line, 'allow'),
    ...rules(line, 'deny'),
    ...rules(line, 'ask'),
    ...trustOptions(line),
    ...(roots === undefined ? {} : { roots }),
    // A user who is in a subdirectory of a root works there, not at the top of the root.
    ...(directory === undefined ? {} : { cwd: directory }),
  };
}

/** Fails unless this is a directory. */
export function assertDirectory(directory: string, shownOption: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new UsageError(`${shownOption} is not a directory`);
}

/** The rules of a list: each a program, or a program with the arguments it begins with. */
function rules(line: CommandLine, name: 'allow' | 'deny' | 'ask'): PolicyOptions {
  const lists = line.values.get(name);
  if (lists === undefined) return {};
  const entries = lists.flatMap((list) => {
    const { rules, problem } = readRuleList(list);
    if (problem !== undefined) throw new UsageError(`${optionLabel(line, name)} ${problem}`);
    return rules;
  });
  return { [name]: entries.map((words, index) => ruleOf(words, `${optionLabel(line, name)} entry ${index + 1}`)) };
}

function ruleOf([program = '', ...args]: readonly string[], name: string): Rule {
  const problem = programProblem(program, true, true);
  if (problem !== undefined) throw new UsageError(`${name} ${problem}`);
  if (args.length > MAX_RULE_ARGUMENTS) {
    throw new UsageError(`${name} has ${args.length} arguments, and ${MAX_RULE_ARGUMENTS} are the most`);
  }
  if (args.includes('')) throw new UsageError(`${name} has an empty argument`);
  return args.length === 0 ? program : { program, args };
}

function trustOptions(line: CommandLine): PolicyOptions {
  if (!line.values.has('trust')) return {};
  const programs = listEntries(line, 'trust');
  for (const [index, program] of programs.entries()) {
    const problem = programProblem(program, false);
    if (problem !== undefined) throw new UsageError(`${optionLabel(line, 'trust')} entry ${index + 1} ${problem}`);
  }
  return { trustInterpreters: programs };
}
