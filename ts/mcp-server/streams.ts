import { Readable, Writable } from 'node:stream';
import { checkedOptions, invalidArgument, signalOption } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import { Lines } from '../mcp/lines.js';
import type { Toolkit } from '../tools/toolkit.js';
import { MAX_MESSAGE_BYTES, MAX_WAITING_UNITS } from './limits.js';
import { RPC_CODES, RpcError } from './protocol.js';
import type { ServeMcpOptions } from './serve-options.js';
import { McpSession } from './session.js';
import { WaitingLines } from './waiting.js';

const CLIENT_DOES_NOT_READ = 'The client of the MCP server writes, and does not read what it is answered';

/** Serves one client until it has gone. */
export async function serve(toolkit: Toolkit, options: ServeMcpOptions): Promise<void> {
  const { input, output, signal } = checkedOptions(options, 'options', CHECKS);
  let isOver = false;
  const session = new McpSession(toolkit, (message) => {
    if (!isOver && output.writable) output.write(`${JSON.stringify(message)}\n`);
  });
  const lines = new Lines(MAX_MESSAGE_BYTES, () => {
    const message = `Invalid request: a message has at most ${MAX_MESSAGE_BYTES} bytes`;
    session.refuse(null, new RpcError(RPC_CODES.invalidRequest, message));
  });
  const waitingLines = new WaitingLines();
  const goOn = (): void => {
    while (!isOver && !output.writableNeedDrain) {
      const line = waitingLines.take();
      if (line === undefined) return;
      session.handle(line);
    }
  };
  // The input is read even while the client does not read its answers: a paused stream would not report its end.
  const take = (bytes: Uint8Array): void => {
    for (const line of lines.take(bytes)) {
      if (!waitingLines.add(line))
        fail(new HandrailError('ERR_BUSY', CLIENT_DOES_NOT_READ, { data: { limit: MAX_WAITING_UNITS } }));
      goOn();
    }
  };
  const listeners = [
    [input, 'end'],
    [input, 'close'],
    [input, 'error'],
    [output, 'close'],
    [output, 'error'],
  ] as const;
  let finish = (): void => undefined;
  let fail = (_error: HandrailError): void => undefined;
  const clientGone = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  for (const [stream, event] of listeners) stream.on(event, finish);
  signal?.addEventListener('abort', finish, { once: true });
  if (signal?.aborted === true || input.readableEnded || input.destroyed || output.destroyed) finish();
  else {
    output.on('drain', goOn);
    input.on('data', take);
  }
  try {
    await clientGone;
  } finally {
    session.close();
    isOver = true;
    input.off('data', take).pause();
    output.off('drain', goOn);
    signal?.removeEventListener('abort', finish);
    // The listener of `error` stays: the last write may still fail, and without a listener that would end the process.
    for (const [stream, event] of listeners) if (event !== 'error') stream.off(event, finish);
  }
}

const CHECKS = {
  input: (value: unknown, name: string): Readable => {
    if (value === undefined || value instanceof Readable) return value ?? process.stdin;
    throw invalidArgument(name, 'a Readable', value);
  },
  output: (value: unknown, name: string): Writable => {
    if (value === undefined || value instanceof Writable) return value ?? process.stdout;
    throw invalidArgument(name, 'a Writable', value);
  },
  signal: signalOption,
};
