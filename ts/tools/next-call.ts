/** What a model can ask instead of a command that was refused, as far as that follows from the command itself. */
import { readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { nearest } from '../config/nearest.js';
import type { Reason } from '../terminal/decision.js';
import type { Rule } from '../terminal/options.js';
import type { CommandResult } from '../terminal/result.js';
import { MAX_ECHOED_NAME_CHARS } from './limits.js';

/** What the tool was asked. */
export interface AskedCommand {
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly timeout_ms?: number | undefined;
}

/** What the answer may name. */
export interface CommandPlaces {
  /** Where commands start, absolute. */
  readonly workspace: string;
  /** The directories that commands may start in. */
  readonly roots: readonly string[];
  /** What may run; undefined where everything but a few may. */
  readonly allow: readonly Rule[] | undefined;
  /** Time a command gets, and the most that can be asked for, in milliseconds. */
  readonly timeoutMs: number;
}

/** Longest command that is written out anew. */
const MAX_SHOWN_COMMAND_CHARS = 300;
/** Directories that are named where one was not found. */
const MAX_NAMED_DIRECTORIES = 8;
/** `cd folder`, the folder with or without quotes. */
const CHANGE_DIRECTORY = /^cd\s+(?:--\s+)?(?:"([^"$`\\]+)"|'([^']+)'|([^\s"'$`\\;&|<>*?[\]{}~]+))$/;
/** `< file`, `> file`, `2>&1` and the like at the end of a command. */
const REDIRECTION = /\s*\d*(?:>>?|<|>&|&>)\s*(?:&?[^\s<>&|;]+)?\s*$/;
const DID_YOU_MEAN = /did you mean '([^']+)'\?/;
const INPUT = /^(.*?)\s*<\s*([^\s<>&|;"']+)\s*$/s;

/** Lines to be put behind a refusal. */
export function nextCall(result: CommandResult, asked: AskedCommand, places: CommandPlaces): readonly string[] {
  switch (result.status) {
    case 'denied':
      return deniedAdvice(result, asked, places);
    case 'timed_out':
      return [timeoutAdvice(asked, places)];
    case 'spawn_failed':
      return directoryAdvice(result.failure?.code, asked, places);
    default:
      return [];
  }
}

function deniedAdvice(result: CommandResult, asked: AskedCommand, places: CommandPlaces): readonly string[] {
  const [first] = result.decision.reasons;
  if (first === undefined) return [];
  const meant = result.decision.reasons.flatMap((reason) => meantAdvice(reason, asked));
  if (meant.length > 0) return meant;
  switch (first.rule) {
    case 'syntax.operator':
      return splitAdvice(asked, first.span);
    case 'syntax.redirection':
      return redirectionAdvice(asked);
    case 'list.not_allowed':
      return programAdvice(first.program, asked, places);
    default:
      return directoryAdvice(first.rule, asked, places);
  }
}

/** A reason may name the word that was probably meant in the place of the one it is about. */
function meantAdvice({ message, span: [start, end] }: Reason, { command, cwd }: AskedCommand): readonly string[] {
  const [, word] = DID_YOU_MEAN.exec(message) ?? [];
  return word === undefined ? [] : instead({ command: command.slice(0, start) + word + command.slice(end), cwd });
}

/** The first of several commands; what follows a `cd` is a call in that directory. */
function splitAdvice({ command, cwd }: AskedCommand, [start, end]: readonly [number, number]): readonly string[] {
  const first = command.slice(0, start).trim();
  const rest = command.slice(end).trim();
  const change = CHANGE_DIRECTORY.exec(first);
  const folder = change?.[1] ?? change?.[2] ?? change?.[3];
  if (folder !== undefined && rest !== '') {
    return instead({ command: rest, cwd: cwd === undefined ? folder : path.join(cwd, folder) });
  }
  return first === '' ? [] : instead({ command: first, cwd });
}

/** A file to read from is an argument for most programs; what is written is captured. */
function redirectionAdvice({ command, cwd }: AskedCommand): readonly string[] {
  if (command.includes('<<')) {
    return ['A file is written with file_write.'];
  }
  const [, before, file] = INPUT.exec(command) ?? [];
  if (before !== undefined && file !== undefined) return instead({ command: `${before} ${file}`, cwd });
  const kept = command.replace(REDIRECTION, '');
  if (kept === command || kept === '') return [];
  return [...instead({ command: kept, cwd }), 'To keep what it writes in a file, give it to file_write.'];
}

function programAdvice(program: string | undefined, asked: AskedCommand, { allow }: CommandPlaces): readonly string[] {
  if (program === undefined || allow === undefined) return [];
  const names = allow.map((rule) => (typeof rule === 'string' ? rule : rule.program));
  const meant = nearest(program, names);
  if (meant === undefined || !asked.command.startsWith(program)) return [];
  return instead({ command: meant + asked.command.slice(program.length), cwd: asked.cwd });
}

function timeoutAdvice({ timeout_ms: asked }: AskedCommand, { timeoutMs }: CommandPlaces): string {
  if (asked !== undefined && asked < timeoutMs) {
    return `[the limit was timeout_ms ${asked}; up to ${timeoutMs} can be asked for]`;
  }
  return `[the limit is ${timeoutMs} ms and cannot be raised by timeout_ms; do less in one call, or use session_start for what goes on]`;
}

/** Names the directory that was asked for, and those that there are. */
function directoryAdvice(code: string | undefined, { cwd }: AskedCommand, places: CommandPlaces): readonly string[] {
  if (cwd === undefined) return [];
  const shown = cwd.length > MAX_ECHOED_NAME_CHARS ? `${cwd.slice(0, MAX_ECHOED_NAME_CHARS)}...` : cwd;
  if (code === 'outside_root') {
    return [`hint: cwd ${JSON.stringify(shown)} is outside of ${places.roots.join(', ')}; give one beneath it.`];
  }
  if (code !== 'not_found' && code !== 'not_a_directory') return [];
  const asked = path.resolve(places.workspace, cwd);
  const above = path.dirname(asked);
  const relative = path.relative(places.workspace, above);
  const there = directoriesIn(above, places.roots);
  const meant = nearest(path.basename(asked), there);
  const name = (folder: string) => JSON.stringify(path.join(relative, folder));
  const named = there.slice(0, MAX_NAMED_DIRECTORIES).map(name).join(', ');
  const problem = code === 'not_found' ? 'does not exist' : 'is no directory';
  const choice =
    meant === undefined
      ? `Directories in ${relative === '' ? 'the workspace' : JSON.stringify(relative)}: ${named === '' ? 'none' : named}.`
      : `Give cwd ${name(meant)}.`;
  return [`hint: cwd ${JSON.stringify(shown)} ${problem} in ${places.workspace}. ${choice}`];
}

/** Empty where they cannot be read, or are outside of the roots: then there is nothing to name. */
function directoriesIn(folder: string, roots: readonly string[]): readonly string[] {
  try {
    const real = realpathSync(folder);
    if (!roots.some((root) => isBeneath(real, realpathSync(root)))) return [];
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  } catch {
    return [];
  }
}

function isBeneath(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(`${root}${path.sep}`);
}

/** The call as its arguments. A long one is not repeated. */
function instead({ command, cwd }: AskedCommand): readonly string[] {
  if (command.length > MAX_SHOWN_COMMAND_CHARS) return [];
  return [`instead: ${JSON.stringify({ command, ...(cwd === undefined ? {} : { cwd }) })}`];
}
