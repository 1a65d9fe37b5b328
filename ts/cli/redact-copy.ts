import { addAbortSignal } from 'node:stream';
import type { RedactionStream } from '../redaction/stream.js';
import { type InputSource, openSource, unreadable } from './input-source.js';
import type { Outputs } from './outputs.js';
import { withPauses } from './pauses.js';
import { MIN_PROGRESS_BYTES, Progress } from './progress.js';
import type { RedactWork } from './redact-work.js';

/** Copies each file to standard output in order, with secrets masked. */
export async function copyAll(work: RedactWork): Promise<void> {
  for (const file of work.request.files) {
    if (work.stop.aborted) return;
    await copy(file, work);
  }
}

async function copy(file: string, work: RedactWork): Promise<void> {
  const { redactor, outputs, request, tally } = work;
  const source = openSource(file, (text) => redactor.redact(text));
  if (source.isTerminal && !request.quiet) {
    void outputs.remark(`handrail: reading ${source.name}, a terminal; Ctrl-D on a new line ends it\n`);
  }
  const stream = redactor.stream();
  const progress = request.quiet ? undefined : progressOf(source, outputs);
  // A signal must end this even while the copying waits for a stalled reader.
  try {
    await Promise.race([maskInput(source, stream, work, progress), whenFired(work.stop)]);
  } finally {
    progress?.end();
    tally.add(stream.counts);
  }
}

/**
 * Writes the input with secrets masked, and waits for each write, so that at most one piece and an unfinished line are
 * held. A pause shows the prompt of an unfinished line. After a signal the unfinished line is dropped: it may be the
 * beginning of a secret.
 */
async function maskInput(
  source: InputSource,
  stream: RedactionStream,
  { outputs, stop, tally: { bytes } }: RedactWork,
  progress: Progress | undefined,
): Promise<void> {
  let readBytes = 0;
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
      readBytes += chunk.length;
      bytes.read += chunk.length;
      await write(stream.write(chunk));
      if (!stop.aborted) progress?.update(readBytes);
    }
  } catch (error) {
    if (stop.aborted) return;
    throw unreadable(source.name, error);
  }
  if (!stop.aborted) await write(stream.end());
}

/** The progress for a large file, when standard error is a terminal and standard output is not. */
function progressOf(source: InputSource, outputs: Outputs): Progress | undefined {
  const size = source.size ?? 0;
  if (size < MIN_PROGRESS_BYTES || !process.stderr.isTTY || process.stdout.isTTY) return undefined;
  return new Progress(size, (text) => void outputs.remark(text));
}

/** Settles when `signal` fires. */
function whenFired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
