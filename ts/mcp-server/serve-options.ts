import type { Readable, Writable } from 'node:stream';

/** The streams to the client of an MCP server. */
export interface ServeMcpOptions {
  /** The messages of the client, one a line. Default: standard input. */
  readonly input?: Readable | undefined;
  /** The messages for the client. Nothing else may be written to this stream. Default: standard output. */
  readonly output?: Writable | undefined;
  /** Ends the serving when it fires. Default: none. */
  readonly signal?: AbortSignal | undefined;
}
