import { MAX_ID_CHARS } from './limits.js';

/** Revisions of the protocol that are spoken, the newest first. What they say of tools over stdio is the same. */
export const PROTOCOL_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2024-11-05'];

/** Codes of JSON-RPC. */
export const RPC = Object.freeze({
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
});

/** What a request and its answer have in common. */
export type RequestId = string | number;

/** A message of the client, as far as one was understood. */
export type ClientMessage =
  | {
      readonly kind: 'request';
      readonly id: RequestId;
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'notification';
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>>;
    }
  /** The answer to a request; none is ever made. */
  | { readonly kind: 'answer' }
  | { readonly kind: 'mistake'; readonly id: RequestId | null; readonly code: number; readonly message: string };

/** An error that is answered in the place of a result. Of what the client sent its message repeats the name of an unknown tool, masked. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reads one line. Nothing a client writes makes it throw. */
export function readMessage(line: string): ClientMessage {
  const message = parsed(line);
  if (message === undefined) return mistake(null, RPC.parseError, 'Parse error: a message is one line of JSON');
  if (!isObject(message)) return mistake(null, RPC.invalidRequest, 'Invalid request: a message is one JSON object');
  const { jsonrpc, id, method, params = {} } = message;
  const known = isRequestId(id) ? id : null;
  if (jsonrpc !== '2.0') return mistake(known, RPC.invalidRequest, 'Invalid request: jsonrpc has to be "2.0"');
  if (method === undefined && ('result' in message || 'error' in message)) return { kind: 'answer' };
  if (typeof method !== 'string') return mistake(known, RPC.invalidRequest, 'Invalid request: method has to be a text');
  if (!isObject(params)) return mistake(known, RPC.invalidParams, 'Invalid params: they have to be an object');
  if (!('id' in message)) return { kind: 'notification', method, params };
  if (known === null)
    return mistake(null, RPC.invalidRequest, 'Invalid request: id has to be a short text or an integer');
  return { kind: 'request', id: known, method, params };
}

/** The revision to speak: the one that was asked for, else the newest that we know. */
export function negotiatedVersion(asked: unknown): string {
  const [newest = ''] = PROTOCOL_VERSIONS;
  return PROTOCOL_VERSIONS.find((version) => version === asked) ?? newest;
}

/** Whether it is a value with keys, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether it can be the id of a request. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' ? value.length <= MAX_ID_CHARS : Number.isSafeInteger(value);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function mistake(id: RequestId | null, code: number, message: string): ClientMessage {
  return { kind: 'mistake', id, code, message };
}
