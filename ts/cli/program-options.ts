import path from 'node:path';
import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from '../terminal/limits.js';
import type { TerminalOptions } from '../terminal/options.js';
import { type CommandLine, lastValue, optionLabel } from './arguments.js';
import { readablePath } from './shown-path.js';
import { UsageError } from './usage-error.js';

/** The options of a terminal about folders of programs and the time limit. */
export function programOptions(line: CommandLine): Pick<TerminalOptions, 'path' | 'timeoutMs'> {
  const timeoutMs = lastValue(line, 'timeout');
  const folders = line.values.get('path');
  return {
    ...(folders === undefined
      ? {}
      : { path: folders.map((folder) => absoluteFolder(folder, optionLabel(line, 'path'))) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs: milliseconds(timeoutMs, optionLabel(line, 'timeout')) }),
  };
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
