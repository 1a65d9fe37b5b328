import { MAX_ID_CHARS } from './limits.js';

/** The revisions that begin with `initialize`, the newest first. They do not differ about tools over stdio. */
export const PROTOCOL_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** The only revision in which a client may send several messages as one list. */
export const BATCH_VERSION = '2025-03-26';

/** The revisions without a state: each request says which one it speaks. */
export const STATELESS_VERSIONS: readonly string[] = ['2026-07-28'];

/** Keys of `_meta` that belong to the protocol. */
export const META = Object.freeze({
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
});

/** Error codes of JSON-RPC, and of the stateless revision. */
export const RPC_CODES = Object.freeze({
  unsupportedVersion: -32_022,
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
  /** The answer to a request of the server. */
  | { readonly kind: 'answer'; readonly id: unknown; readonly result: unknown }
  | { readonly kind: 'mistake'; readonly id: RequestId | null; readonly code: number; readonly message: string };

/**
 * An error that is sent in place of a result. Its message repeats nothing of the client but the masked name of an
 * unknown tool.
 */
export class RpcError extends Error {
  readonly code: number;
  /** What a program has to know of it. */
  readonly data: object | undefined;

  constructor(code: number, message: string, data?: object) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Parses one line: the value, or undefined where it is no JSON. */
export function parseLine(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) as unknown };
  } catch {
    return undefined;
  }
}

/** What a line is told that is no JSON. */
export const NO_JSON = mistake(null, RPC_CODES.parseError, 'Parse error: a message is one line of JSON');

/** Reads a message. It never throws, whatever the client writes. */
export function readMessage(message: unknown): ClientMessage {
  if (!isObject(message))
    return mistake(null, RPC_CODES.invalidRequest, 'Invalid request: a message is one JSON object');
  const { jsonrpc, id, method, params = {} } = message;
  const requestId = isRequestId(id) ? id : null;
  if (jsonrpc !== '2.0')
    return mistake(requestId, RPC_CODES.invalidRequest, 'Invalid request: jsonrpc has to be "2.0"');
  if (method === undefined && ('result' in message || 'error' in message))
    return { kind: 'answer', id, result: message['result'] };
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

function mistake(id: RequestId | null, code: number, message: string): ClientMessage & { readonly kind: 'mistake' } {
  return { kind: 'mistake', id, code, message };
}

/** Whether a client with these capabilities shows a person a form. */
export function canAsk(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  return isObject(elicitation) && ('form' in elicitation || !('url' in elicitation));
}
