import { addAbortSignal } from 'node:stream';
import { hostEnvironment } from '../config/host-environment.js';
import { isHandrailError } from '../errors.js';
import type { RedactorOptions } from '../redaction/options.js';
import { Redactor } from '../redaction/redactor.js';
import { type RuleFile, readRuleFile } from '../redaction/rule-file.js';
import type { RedactionStream } from '../redaction/stream.js';
import { listEntries, readArguments } from './arguments.js';
import { REDACT } from './command-table.js';
import { EndSignals } from './end-signals.js';
import { EXIT, signalCode } from './exit-code.js';
import { type InputSource, openSource, unreadable } from './input-source.js';
import type { Outputs } from './outputs.js';
import { withPauses } from './pauses.js';
import { MIN_PROGRESS_BYTES, Progress } from './progress.js';
import { type RedactReport, reportText } from './redact-report.js';
import { secretVariables } from './secret-variables.js';
import { readablePath } from './shown-path.js';
import { UsageError } from './usage-error.js';

/** What `handrail redact` was asked. */
interface RedactRequest {
  readonly file: string | undefined;
  readonly options: RedactorOptions;
  /** Paths of rule files. */
  readonly rules: readonly string[];
  readonly report: 'none' | 'text' | 'json';
  readonly failOnFind: boolean;
  /** Whether nothing is said that was not asked for. */
  readonly quiet: boolean;
}

/** Bytes that went through. */
interface Passed {
  read: number;
  written: number;
}

/** `handrail redact`: its exit code. */
export async function redact(args: readonly string[], outputs: Outputs): Promise<number> {
  const request = readRequest(args);
  const redactor = compile(request);
  if (!request.quiet) {
    for (const note of redactor.ruleNotes) void outputs.remark(`handrail: ${redactor.redact(note)}\n`);
  }
  const stream = redactor.stream();
  using signals = new EndSignals();
  const source = openSource(request.file, (text) => redactor.redact(text));
  if (source.isTerminal && !request.quiet) {
    void outputs.remark(`handrail: reading ${source.name}, a terminal; Ctrl-D on a new line ends it\n`);
  }
  const bytes: Passed = { read: 0, written: 0 };
  const stop = AbortSignal.any([signals.signal, outputs.gone]);
  const progress = request.quiet ? undefined : progressOf(source, outputs);
  // Not to wait for the loop alone: it may hang in a write to a reader who stalls.
  await Promise.race([pass(source, stream, outputs, stop, bytes, progress), fired(stop)]).finally(() =>
    progress?.end(),
  );
  await outputs.settle(signals.signal);
  if (outputs.failure === undefined && request.report !== 'none') {
    const { findings, counts } = stream;
    const notes = redactor.ruleNotes.map((note) => redactor.redact(note));
    const report: RedactReport = { findings, rules: counts, bytes, notes, endedBy: signals.first };
    void outputs.remark(request.report === 'json' ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
    await outputs.settle(signals.signal);
  }
  if (signals.first !== null) return signalCode(signals.first);
  return request.failOnFind && stream.findings > 0 ? EXIT.found : EXIT.ok;
}

/**
 * Writes what comes, masked, and waits for each write to be taken: what is held is one piece and an
 * unfinished line, of which a pause shows the prompt. What a signal leaves of a line is not written: it
 * may be the beginning of a secret.
 */
async function pass(
  source: InputSource,
  stream: RedactionStream,
  outputs: Outputs,
  stop: AbortSignal,
  bytes: Passed,
  progress: Progress | undefined,
): Promise<void> {
  const write = async (masked: Uint8Array): Promise<void> => {
    if (masked.length === 0) return;
    await outputs.write('stdout', masked);
    bytes.written += masked.length;
  };
  try {
    for await (const chunk of withPauses(addAbortSignal(stop, source.stream))) {
      if (chunk === undefined) {
        await write(stream.idle());
        continue;
      }
      bytes.read += chunk.length;
      await write(stream.write(chunk));
      if (!stop.aborted) progress?.update(bytes.read);
    }
  } catch (error) {
    if (stop.aborted) return;
    throw unreadable(source.name, error);
  }
  if (!stop.aborted) await write(stream.end());
}

/** For somebody who waits for a large file, and whose terminal shows nothing else. */
function progressOf(source: InputSource, outputs: Outputs): Progress | undefined {
  const size = source.size ?? 0;
  if (size < MIN_PROGRESS_BYTES || !process.stderr.isTTY || process.stdout.isTTY) return undefined;
  return new Progress(size, (text) => void outputs.remark(text));
}

/** Settles when `signal` fires. */
function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** What a redactor says of the options of a command line. */
const MISTAKES: ReadonlySet<string> = new Set(['ERR_INVALID_ARGUMENT', 'ERR_INVALID_PATTERN', 'ERR_INVALID_RULE_FILE']);

/** The rule file at `path`. */
function ruleFile(path: string): RuleFile {
  try {
    return readRuleFile(path);
  } catch (error) {
    if (!isHandrailError(error) || !MISTAKES.has(error.code)) throw error;
    throw new UsageError(`--rules ${readablePath(path)}: ${error.message}`, error.code);
  }
}

/** The redactor; what it refuses is a mistake on the command line. */
function compile({ options, rules }: RedactRequest): Redactor {
  try {
    return new Redactor({ ...options, ruleFiles: rules.map(ruleFile) });
  } catch (error) {
    if (!isHandrailError(error) || !MISTAKES.has(error.code)) throw error;
    const message = error.message
      .replace('`ruleFiles`', '--rules')
      .replace(/`?patterns\[(\d+)\]`?/, (_name, index) => `--pattern number ${Number(index) + 1}`)
      .replace('the secret named', '--secret-env: the value of');
    throw new UsageError(message, error.code);
  }
}

function readRequest(args: readonly string[]): RedactRequest {
  const line = readArguments(args, REDACT);
  const [file, ...more] = line.words;
  if (more.length > 0) throw new UsageError(`redact takes one FILE, not ${line.words.length}`);
  const text = line.flags.has('report') ? 'text' : 'none';
  return {
    file,
    options: {
      secrets: secretVariables(listEntries(line, 'secret-env'), hostEnvironment()),
      patterns: line.values.get('pattern') ?? [],
      label: line.flags.has('label'),
    },
    rules: line.values.get('rules') ?? [],
    report: line.flags.has('json') ? 'json' : text,
    failOnFind: line.flags.has('fail-on-find'),
    quiet: line.flags.has('quiet') || line.flags.has('json'),
  };
}
