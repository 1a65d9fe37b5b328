import path from 'node:path';
import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from '../terminal/limits.js';
import type { TerminalOptions } from '../terminal/options.js';
import { type CommandLine, lastValue, optionLabel } from './arguments.js';
import { readablePath } from './shown-path.js';
import { UsageError } from './usage-error.js';

/** A variable as it is named on a command line: with its value, or to be handed over as it is here. */
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s;

/** The options of a terminal about folders of programs, variables and the time limit. */
export function programOptions(line: CommandLine): Pick<TerminalOptions, 'path' | 'env' | 'timeoutMs'> {
  const timeoutMs = lastValue(line, 'timeout');
  const folders = line.values.get('path');
  return {
    ...(folders === undefined
      ? {}
      : { path: folders.map((folder) => absoluteFolder(folder, optionLabel(line, 'path'))) }),
    ...environmentOption(line),
    ...(timeoutMs === undefined ? {} : { timeoutMs: milliseconds(timeoutMs, optionLabel(line, 'timeout')) }),
  };
}

function environmentOption(line: CommandLine): Pick<TerminalOptions, 'env'> {
  const entries = line.values.get('env') ?? [];
  const inherit: string[] = [];
  const set: Record<string, string> = {};
  for (const [index, entry] of entries.entries()) {
    const [, name, value] = VARIABLE.exec(entry) ?? [];
    // The entry is not repeated: it may be a secret in the place of a name.
    if (name === undefined)
      throw new UsageError(`${optionLabel(line, 'env')} entry ${index + 1} takes NAME or NAME=VALUE`);
    if (value === undefined) inherit.push(name);
    else set[name] = value;
  }
  return entries.length === 0 ? {} : { env: { inherit, set } };
}

function absoluteFolder(folder: string, name: string): string {
  if (path.isAbsolute(folder)) return folder;
  throw new UsageError(`${name} takes an absolute path, not ${readablePath(folder)}`);
}

function milliseconds(text: string, name: string): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= MIN_TIMEOUT_MS && number <= MAX_TIMEOUT_MS) return number;
  throw new UsageError(`${name} takes a whole number of milliseconds from ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS}`);
}
