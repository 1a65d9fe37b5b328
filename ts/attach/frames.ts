/** What host and person send each other over the socket: lines of JSON. */
import type { AttachMode } from '../session/attachment.js';
import type { SessionUpdate } from '../session/watch.js';

/** Longest line of a person, in bytes. */
export const MAX_PERSON_LINE_BYTES = 64 * 1_024;

/** Longest line of a host, in bytes: a screen or 64 KiB of text, as JSON, and the unfinished line. */
export const MAX_HOST_LINE_BYTES = 16 * 1_024 * 1_024;

/** Most keys, in bytes, that are sent at once. */
export const MAX_KEY_BYTES = 32 * 1_024;

/** What a person sends. The first line has the token. */
export type PersonFrame =
  | { readonly token: string }
  | { readonly keys: string }
  | { readonly size: readonly [cols: number, rows: number] };

/** What a host sends. */
export type HostFrame =
  | { readonly hello: { readonly mode: AttachMode; readonly command: string } }
  | { readonly update: SessionUpdate }
  | { readonly end: string }
  | { readonly refused: string; readonly message: string };

/** A frame as it is sent. */
export function line(frame: PersonFrame | HostFrame): string {
  return `${JSON.stringify(frame)}\n`;
}

/** Takes bytes, and gives the lines in them. */
export class Lines {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that end with these bytes, read as JSON. Undefined where a line is too long or is no JSON object. */
  push(bytes: Buffer): readonly Record<string, unknown>[] | undefined {
    const frames: Record<string, unknown>[] = [];
    let rest = bytes;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const frame = parsed(Buffer.concat([...this.#pieces, rest.subarray(0, end)]));
      if (frame === undefined || this.#bytes + end > this.#maxBytes) return undefined;
      frames.push(frame);
      rest = rest.subarray(end + 1);
      this.#pieces = [];
      this.#bytes = 0;
    }
    this.#pieces.push(rest);
    this.#bytes += rest.length;
    return this.#bytes > this.#maxBytes ? undefined : frames;
  }
}

function parsed(text: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // Whoever writes no JSON is not talked to.
  }
}
