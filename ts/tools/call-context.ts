import { checkedOptions, functionOption, invalidArgument, signalOption } from '../config/validate.js';
import type { Approve } from '../terminal/approval.js';
import type { OutputChunk } from '../terminal/call.js';
import type { CallContext } from './definition.js';

const CHECKS = {
  signal: signalOption,
  onOutput: functionOption<(chunk: OutputChunk) => unknown>,
  callId: optionalString,
  caller: optionalString,
  traceparent: optionalString,
  approve: functionOption<Approve>,
};

/** Checks a value that is a string, or left out. */
export function optionalString(value: unknown, name: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw invalidArgument(name, 'a string', value);
}

/** Checks the context that the host gives with a call: a mistake in it is the host's, not the model's. */
export function checkContext(context: unknown): CallContext {
  return checkedOptions(context, 'context', CHECKS);
}

/** Whose call it is. */
export function callerOf({ caller = '' }: CallContext): string {
  return caller;
}
