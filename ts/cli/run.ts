import { parseArgs } from 'node:util';
import type { OutputChunk } from '../terminal/call.js';
import type { TerminalOptions } from '../terminal/options.js';
import type { CommandResult } from '../terminal/result.js';
import { Terminal } from '../terminal/terminal.js';
import { renderCommand } from '../tools/render.js';
import { exitCodeOf } from './exit-code.js';
import { styleFor } from './style.js';
import { UsageError } from './usage.js';

/** What `handrail run` was asked. */
interface RunRequest {
  readonly argv: readonly string[];
  readonly options: TerminalOptions;
  readonly json: boolean;
}

/** Signals a person or a supervisor ends the command line with. */
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Unicode characters of a status text; a denial names programs and hints. */
const STATUS_CHARS = 2_000;

/** `handrail run`: its exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const request = readRequest(args);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  for (const signal of END_SIGNALS) process.on(signal, end);
  // Nobody reads any more: the program's work is done.
  process.stdout.on('error', end);
  await using terminal = new Terminal(request.options);
  try {
    const onOutput = request.json ? undefined : writeChunk;
    const result = await terminal.run(request.argv, {
      signal: ended.signal,
      ...(onOutput === undefined ? {} : { onOutput }),
    });
    if (request.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    else process.stderr.write(`${statusText(result, request.options)}\n`);
    return exitCodeOf(result);
  } finally {
    for (const signal of END_SIGNALS) process.off(signal, end);
  }
}

function readRequest(args: readonly string[]): RunRequest {
  const list = { type: 'string', multiple: true } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      allow: list,
      deny: list,
      trust: list,
      timeout: { type: 'string' },
      cwd: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (positionals.length === 0) throw new UsageError('which program? Write it behind --');
  const { allow, deny, trust, timeout, cwd, json } = values;
  const options: TerminalOptions = {
    ...(allow === undefined ? {} : { allow: names(allow) }),
    ...(deny === undefined ? {} : { deny: names(deny) }),
    ...(trust === undefined ? {} : { trustInterpreters: names(trust) }),
    ...(timeout === undefined ? {} : { timeoutMs: milliseconds(timeout) }),
    ...(cwd === undefined ? {} : { cwd }),
  };
  return { argv: positionals, options, json };
}

function names(lists: readonly string[]): string[] {
  return lists
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function milliseconds(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError('--timeout takes a whole number of milliseconds');
}

/** Waits while the reader does not keep up, so that a flood is never held in memory. */
function writeChunk({ stream, text }: OutputChunk): Promise<void> | undefined {
  const target = stream === 'stderr' ? process.stderr : process.stdout;
  if (target.write(text)) return undefined;
  return new Promise((resolve) => {
    target.once('drain', resolve);
    target.once('error', () => resolve());
    target.once('close', () => resolve());
  });
}

/** What happened, for the person in front of it. The output was shown already. */
function statusText(result: CommandResult, options: TerminalOptions): string {
  const style = styleFor(process.stderr);
  const withoutOutput = { ...result, stdout: '', stderr: '', truncated: false };
  const rendering = { maxChars: STATUS_CHARS, lists: listsAdvice(options) };
  const [first = '', ...rest] = renderCommand(withoutOutput, rendering)
    .split('\n')
    .filter((line) => line !== '(no output)');
  const paint = result.ok ? style.good : style.bad;
  return [`${style.dim('handrail:')} ${paint(first)}`, ...rest.map((line) => style.dim(`          ${line}`))].join(
    '\n',
  );
}

function listsAdvice({ allow, deny }: TerminalOptions): string {
  if (allow === undefined && deny === undefined) return 'Name what may run with --allow.';
  return 'See --allow and --deny.';
}
