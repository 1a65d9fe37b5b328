import { functionOption, invalidArgument, optionsObject } from '../config/validate.js';
import type { OutputChunk } from '../terminal/call.js';
import type { CallContext } from './definition.js';

/** Checks what the host tells of one call: a mistake in it is the host's, not the model's. */
export function checkContext(context: unknown): CallContext {
  const { signal, onOutput, callId } = optionsObject(context, 'context', ['signal', 'onOutput', 'callId']);
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalidArgument('context.signal', 'an AbortSignal', signal);
  }
  const listener = functionOption<(chunk: OutputChunk) => unknown>(onOutput, 'context.onOutput');
  if (callId !== undefined && typeof callId !== 'string') throw invalidArgument('context.callId', 'a string', callId);
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(listener === undefined ? {} : { onOutput: listener }),
    ...(callId === undefined ? {} : { callId }),
  };
}
