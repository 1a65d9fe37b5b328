import path from 'node:path';
import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from '../terminal/limits.js';
import type { TerminalOptions } from '../terminal/options.js';
import { type CommandLine, lastValue, said } from './arguments.js';
import { readablePath } from './shown-path.js';
import { UsageError } from './usage-error.js';

/** What a command line says about where programs are and how long they get. */
export function programOptions(line: CommandLine): Pick<TerminalOptions, 'path' | 'timeoutMs'> {
  const timeoutMs = lastValue(line, 'timeout');
  const folders = line.values.get('path');
  return {
    ...(folders === undefined ? {} : { path: folders.map((folder) => absoluteFolder(folder, said(line, 'path'))) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs: milliseconds(timeoutMs, said(line, 'timeout')) }),
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
