/** Serves a person who is attached: shows the session, and passes on keys where the host allows them. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { isHandrailError } from '../errors.js';
import type { Attachable, AttachMode } from '../session/attachment.js';
import { MAX_TERMINAL_SIZE } from '../session/limits.js';
import { type Lines, line, MAX_KEY_BYTES } from './frames.js';

/** Most lines before the present one that are shown first. */
const EARLIER_LINES = 100;

/** Time for a client to take the last words of a session that is over, in milliseconds. */
const LAST_WORDS_MS = 5_000;

/** A person who is attached, and what was sent with the token. */
export interface Attached {
  readonly session: Attachable;
  readonly mode: AttachMode;
  readonly lines: Lines;
  readonly frames: readonly Record<string, unknown>[];
}

/** Serves until the person detaches or the session is over. Never rejects. */
export async function serve(client: Socket, { session, mode, lines, frames }: Attached): Promise<void> {
  const gone = new AbortController();
  const closed = new Promise<void>((resolve) => {
    client.once('close', resolve);
  });
  void closed.then(() => gone.abort());
  const take = (taken: readonly Record<string, unknown>[] | undefined): void => {
    if (taken === undefined) client.destroy();
    else if (mode === 'keyboard') for (const frame of taken) passOn(session, frame);
  };
  client.write(line({ hello: { mode, command: session.command } }));
  take(frames);
  client.on('data', (bytes: Buffer) => take(lines.push(bytes)));
  try {
    for await (const update of session.watch({ since: beginning(session), signal: gone.signal })) {
      if (!client.write(line({ update }))) await once(client, 'drain', gone);
    }
    if (!gone.signal.aborted) client.end(line({ end: await session.ended }));
  } catch (error) {
    // What is written to a client that has gone is lost.
    const message = isHandrailError(error) ? error.message : 'Handrail failed';
    if (!gone.signal.aborted) client.end(line({ refused: 'failed', message }));
  }
  const timer = setTimeout(() => client.destroy(), LAST_WORDS_MS).unref();
  if (!client.closed) await closed;
  clearTimeout(timer);
}

/** The position of the last lines. */
function beginning(session: Attachable): number {
  const { text, end } = session.history();
  const shown = text.split('\n').slice(-EARLIER_LINES).join('\n');
  return Math.max(0, end - Buffer.byteLength(shown));
}

function passOn(session: Attachable, { keys, size }: Record<string, unknown>): void {
  if (typeof keys === 'string') {
    // Where the program does not read, or has ended, keys are lost: the person sees that nothing happens.
    session.type(Buffer.from(keys, 'base64').subarray(0, MAX_KEY_BYTES)).catch(() => undefined);
  }
  const [cols, rows] = Array.isArray(size) ? (size as readonly unknown[]) : [];
  if (isSize(cols) && isSize(rows)) session.resize(cols, rows);
}

function isSize(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TERMINAL_SIZE;
}
