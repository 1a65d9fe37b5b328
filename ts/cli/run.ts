import type { CommandResult } from '../report/result.js';
import type { TerminalOptions } from '../terminal/options.js';
import { Terminal } from '../terminal/terminal.js';
import { RUN } from './command-table.js';
import { confineOptions } from './confine-options.js';
import { jsonWithDecision } from './decision-json.js';
import { EndSignals } from './end-signals.js';
import { exitCodeOf } from './exit-code.js';
import type { Outputs } from './outputs.js';
import { policyOptions } from './policy-options.js';
import { programOptions } from './program-options.js';
import { readSettled } from './settings.js';
import { assertInputReadable, isInputOffered } from './standard-input.js';
import { hasRun, statusText } from './status-text.js';
import { UsageError } from './usage-error.js';

/** What `handrail run` was asked. */
interface RunRequest {
  /** A script, or an argv. */
  readonly command: string | readonly string[];
  readonly options: TerminalOptions;
  readonly json: boolean;
  readonly stdin: boolean;
  /** Whether the last line stays away: nothing is written but what the command writes. */
  readonly quiet: boolean;
  /** The settings file that was read. */
  readonly file: string | undefined;
}

/** `handrail run`: its exit code. */
export async function run(args: readonly string[], outputs: Outputs): Promise<number> {
  const request = readRequest(args);
  if (request.stdin) assertInputReadable();
  using signals = new EndSignals();
  const result = await perform(request, outputs, AbortSignal.any([signals.signal, outputs.gone]));
  if (request.json) void outputs.write('stdout', `${jsonWithDecision(result)}\n`);
  await outputs.settle(signals.signal);
  // Nothing else says why a command did not run.
  const silent = request.json || (request.quiet && hasRun(result));
  if (!silent && outputs.failure === undefined) {
    const circumstances = { inputOffered: !request.stdin && isInputOffered(), file: request.file };
    void outputs.remark(`${statusText(result, request.options, circumstances)}\n`);
    await outputs.settle(signals.signal);
  }
  return exitCodeOf(result, request, signals.first);
}

async function perform(request: RunRequest, outputs: Outputs, signal: AbortSignal): Promise<CommandResult> {
  await using terminal = new Terminal(request.options);
  return await terminal.run(request.command, {
    signal,
    stdin: request.stdin ? process.stdin : undefined,
    // Settles when the reader has taken it: a flood is never held in memory.
    ...(request.json ? {} : { onOutput: ({ stream, text }) => outputs.write(stream, text) }),
  });
}

function readRequest(args: readonly string[]): RunRequest {
  const line = readSettled(args, RUN);
  const shell = line.flags.has('shell');
  if (line.words.length === 0) throw new UsageError(`which ${shell ? 'script' : 'program'}? Name it last`);
  if (shell && line.words.length > 1) throw new UsageError('--shell takes one word: put the script in quotes');
  const options: TerminalOptions = {
    ...policyOptions(line),
    ...confineOptions(line),
    ...(shell ? { shell: 'bash' } : {}),
    ...programOptions(line),
    // Its file would be gone with this process.
    output: { spillBytes: 0 },
  };
  return {
    command: shell ? (line.words[0] ?? '') : line.words,
    options,
    json: line.flags.has('json'),
    stdin: line.flags.has('stdin'),
    quiet: line.flags.has('quiet'),
    file: line.file,
  };
}
