import { functionOption, invalidArgument, optionsObject } from '../config/validate.js';
import type { Approve } from '../terminal/approval.js';
import type { OutputChunk } from '../terminal/call.js';
import type { CallContext } from './definition.js';

/** Checks what the host tells of one call: a mistake in it is the host's, not the model's. */
export function checkContext(context: unknown): CallContext {
  const keys = ['signal', 'onOutput', 'callId', 'approve'] as const;
  const { signal, onOutput, callId, approve } = optionsObject(context, 'context', keys);
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalidArgument('context.signal', 'an AbortSignal', signal);
  }
  const listener = functionOption<(chunk: OutputChunk) => unknown>(onOutput, 'context.onOutput');
  if (callId !== undefined && typeof callId !== 'string') throw invalidArgument('context.callId', 'a string', callId);
  const approver = functionOption<Approve>(approve, 'context.approve');
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(listener === undefined ? {} : { onOutput: listener }),
    ...(callId === undefined ? {} : { callId }),
    ...(approver === undefined ? {} : { approve: approver }),
  };
}
