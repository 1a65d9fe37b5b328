import path from 'node:path';
import { programProblem } from '../config/program-names.js';
import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from '../terminal/limits.js';
import type { TerminalOptions } from '../terminal/options.js';
import type { CommandResult } from '../terminal/result.js';
import { Terminal } from '../terminal/terminal.js';
import { type CommandLine, listEntries, readArguments } from './arguments.js';
import { RUN } from './command-table.js';
import { EndSignals } from './end-signals.js';
import { exitCodeOf } from './exit-code.js';
import type { Outputs } from './outputs.js';
import { assertInputReadable, isInputOffered, readInput } from './standard-input.js';
import { statusText } from './status-text.js';
import { UsageError } from './usage-error.js';

/** What `handrail run` was asked. */
interface RunRequest {
  readonly argv: readonly string[];
  readonly options: TerminalOptions;
  readonly json: boolean;
  readonly stdin: boolean;
}

/** `handrail run`: its exit code. */
export async function run(args: readonly string[], outputs: Outputs): Promise<number> {
  const request = readRequest(args);
  if (request.stdin) assertInputReadable();
  using signals = new EndSignals();
  const result = await perform(request, outputs, AbortSignal.any([signals.signal, outputs.gone]));
  if (request.json) void outputs.write('stdout', `${JSON.stringify(result, null, 2)}\n`);
  await outputs.settle(signals.signal);
  if (!request.json && outputs.failure === undefined) {
    void outputs.remark(`${statusText(result, request.options, !request.stdin && isInputOffered())}\n`);
    await outputs.settle(signals.signal);
  }
  return exitCodeOf(result, signals.first);
}

async function perform(request: RunRequest, outputs: Outputs, signal: AbortSignal): Promise<CommandResult> {
  await using terminal = new Terminal(request.options);
  const stdin = request.stdin ? await readInput(process.stdin, signal) : undefined;
  return await terminal.run(request.argv, {
    signal,
    ...(stdin === undefined ? {} : { stdin }),
    // Settles when the reader has taken it: a flood is never held in memory.
    ...(request.json ? {} : { onOutput: ({ stream, text }) => outputs.write(stream, text) }),
  });
}

function readRequest(args: readonly string[]): RunRequest {
  const line = readArguments(args, RUN);
  if (line.words.length === 0) throw new UsageError('which program? It stands behind --');
  const timeoutMs = last(line, 'timeout');
  const cwd = last(line, 'cwd');
  const folders = line.values.get('path');
  const options: TerminalOptions = {
    ...programs(line, 'allow', 'allow'),
    ...programs(line, 'deny', 'deny'),
    ...programs(line, 'trust', 'trustInterpreters'),
    ...(folders === undefined ? {} : { path: folders.map(absoluteFolder) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs: milliseconds(timeoutMs) }),
    ...(cwd === undefined ? {} : { cwd }),
    // Its file would be gone with this process.
    output: { spillBytes: 0 },
  };
  return { argv: line.words, options, json: line.flags.has('json'), stdin: line.flags.has('stdin') };
}

function last(line: CommandLine, name: string): string | undefined {
  return line.values.get(name)?.at(-1);
}

type ProgramList = 'allow' | 'deny' | 'trustInterpreters';

function programs(line: CommandLine, name: string, option: ProgramList): Pick<TerminalOptions, ProgramList> {
  if (!line.values.has(name)) return {};
  const entries = listEntries(line, name);
  for (const [index, entry] of entries.entries()) {
    const problem = programProblem(entry, option !== 'trustInterpreters');
    if (problem !== undefined) throw new UsageError(`--${name} entry ${index + 1} ${problem}`);
  }
  return { [option]: entries };
}

function absoluteFolder(folder: string): string {
  if (path.isAbsolute(folder)) return folder;
  throw new UsageError('--path takes an absolute path');
}

function milliseconds(text: string): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= MIN_TIMEOUT_MS && number <= MAX_TIMEOUT_MS) return number;
  throw new UsageError(`--timeout takes a whole number of milliseconds from ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS}`);
}
