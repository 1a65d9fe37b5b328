import { Readable, Writable } from 'node:stream';
import { invalidArgument, optionsObject } from '../config/validate.js';
import { Lines } from '../mcp/lines.js';
import type { Toolkit } from '../tools/toolkit.js';
import { MAX_MESSAGE_BYTES } from './limits.js';
import { RPC, RpcError } from './protocol.js';
import type { ServeMcpOptions } from './serve.js';
import { McpSession } from './session.js';

/** Serves one client until it has gone. */
export async function serve(toolkit: Toolkit, options: ServeMcpOptions): Promise<void> {
  const { input, output, signal } = checkOptions(options);
  let isOver = false;
  const session = new McpSession(toolkit, (message) => {
    if (!isOver) output.write(`${JSON.stringify(message)}\n`);
  });
  const lines = new Lines(MAX_MESSAGE_BYTES, () => {
    const message = `Invalid request: a message has at most ${MAX_MESSAGE_BYTES} bytes`;
    session.refuse(null, new RpcError(RPC.invalidRequest, message));
  });
  const goOn = (): void => void input.resume();
  const take = (bytes: Uint8Array): void => {
    for (const line of lines.take(bytes)) session.take(line);
    // Who does not read is not asked for more.
    if (!output.writableNeedDrain) return;
    input.pause();
    output.once('drain', goOn);
  };
  const listeners = [
    [input, 'end'],
    [input, 'close'],
    [input, 'error'],
    [output, 'close'],
    [output, 'error'],
  ] as const;
  let finish = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    finish = resolve;
  });
  for (const [stream, event] of listeners) stream.on(event, finish);
  signal?.addEventListener('abort', finish, { once: true });
  if (signal?.aborted === true || input.readableEnded || input.destroyed || output.destroyed) finish();
  else input.on('data', take);
  await gone;
  isOver = true;
  session.close();
  input.off('data', take).pause();
  output.off('drain', goOn);
  signal?.removeEventListener('abort', finish);
  // Its listener stays on `error`: what was written last may still fail, and nobody reads it.
  for (const [stream, event] of listeners) if (event !== 'error') stream.off(event, finish);
}

interface Client {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal | undefined;
}

function checkOptions(options: unknown): Client {
  const { input = process.stdin, output = process.stdout, signal } = optionsObject(options, 'options', KEYS);
  if (!(input instanceof Readable)) throw invalidArgument('input', 'a Readable', input);
  if (!(output instanceof Writable)) throw invalidArgument('output', 'a Writable', output);
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalidArgument('signal', 'an AbortSignal', signal);
  return { input, output, signal };
}

const KEYS = ['input', 'output', 'signal'] as const;
