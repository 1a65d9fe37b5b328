import type { Readable, Writable } from 'node:stream';

/** Where the client of an MCP server is. */
export interface ServeMcpOptions {
  /** What the client writes: a message a line. Default: standard input. */
  readonly input?: Readable | undefined;
  /** What the client reads. Nothing else may be written to it. Default: standard output. */
  readonly output?: Writable | undefined;
  /** Ends the serving when it fires. Default: none. */
  readonly signal?: AbortSignal | undefined;
}
