import { MAX_ID_CHARS } from './limits.js';

/** The supported revisions of the protocol, the newest first. They do not differ about tools over stdio. */
export const PROTOCOL_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2024-11-05'];

/** Error codes of JSON-RPC. */
export const RPC_CODES = Object.freeze({
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
});

/** The id of a request, which its answer repeats. */
export type RequestId = string | number;

/** A message of the client. */
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
  /** The answer to a request. The server sends no requests, so answers are ignored. */
  | { readonly kind: 'answer' }
  | { readonly kind: 'mistake'; readonly id: RequestId | null; readonly code: number; readonly message: string };

/**
 * An error that is sent in place of a result. Its message repeats nothing of the client but the masked name of an
 * unknown tool.
 */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Parses one line. It never throws, whatever the client writes. */
export function readMessage(line: string): ClientMessage {
  const message = parseJson(line);
  if (message === undefined) return mistake(null, RPC_CODES.parseError, 'Parse error: a message is one line of JSON');
  if (!isObject(message))
    return mistake(null, RPC_CODES.invalidRequest, 'Invalid request: a message is one JSON object');
  const { jsonrpc, id, method, params = {} } = message;
  const requestId = isRequestId(id) ? id : null;
  if (jsonrpc !== '2.0')
    return mistake(requestId, RPC_CODES.invalidRequest, 'Invalid request: jsonrpc has to be "2.0"');
  if (method === undefined && ('result' in message || 'error' in message)) return { kind: 'answer' };
  if (typeof method !== 'string')
    return mistake(requestId, RPC_CODES.invalidRequest, 'Invalid request: method has to be a text');
  if (!isObject(params))
    return mistake(requestId, RPC_CODES.invalidParams, 'Invalid params: they have to be an object');
  if (!('id' in message)) return { kind: 'notification', method, params };
  if (requestId === null)
    return mistake(null, RPC_CODES.invalidRequest, 'Invalid request: id has to be a short text or an integer');
  return { kind: 'request', id: requestId, method, params };
}

/** The revision to use: the requested one, else the newest supported one. */
export function negotiatedVersion(requestedVersion: unknown): string {
  const [newest = ''] = PROTOCOL_VERSIONS;
  return PROTOCOL_VERSIONS.find((version) => version === requestedVersion) ?? newest;
}

/** Whether a value is an object and no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value can be the id of a request. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' ? value.length <= MAX_ID_CHARS : Number.isSafeInteger(value);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function mistake(id: RequestId | null, code: number, message: string): ClientMessage {
  return { kind: 'mistake', id, code, message };
}
