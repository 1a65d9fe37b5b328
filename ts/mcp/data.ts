import type { Decision } from '../report/decision.js';
import type { Failure } from '../report/end.js';
import type { Spill } from '../report/result.js';

/**
 * The outcome of a call of a server's tool:
 *
 * - `done` the tool succeeded
 * - `failed` the tool reports that it failed
 * - `protocol_error` the server refused the call, or its answer is invalid
 * - `timed_out` the server did not answer in time
 * - `cancelled` the caller cancelled the call
 * - `interrupted` the server ended during the call
 * - `denied` the rules of its server, or who was asked, did not allow the call
 * - `unavailable` the server is not running: the call never reached it
 */
export type McpStatus =
  | 'done'
  | 'failed'
  | 'protocol_error'
  | 'timed_out'
  | 'cancelled'
  | 'interrupted'
  | 'denied'
  | 'unavailable';

/** A text from a server's tool. */
export interface McpText {
  /** Says which of the blocks this is. */
  readonly type: 'text';
  /** Cleaned and masked. */
  readonly text: string;
}

/** A picture or a sound from a server's tool. */
export interface McpMedia {
  /** Says which of the blocks this is. */
  readonly type: 'image' | 'audio';
  /** The MIME type, such as `image/png`. */
  readonly mimeType: string;
  /** The data in base64, as the server sent it. */
  readonly data: string;
  /** Size of the decoded data, in bytes. */
  readonly bytes: number;
}

/** A resource in an answer, as a text or as data. */
export interface McpResource {
  /** Says which of the blocks this is. */
  readonly type: 'resource';
  /** Its URI, masked. */
  readonly uri: string;
  /** Such as `text/plain`. Absent when the server did not say. */
  readonly mimeType?: string;
  /** The text of the resource, cleaned and masked. Absent for data. */
  readonly text?: string;
  /** The data in base64, as the server sent it. Absent for a text. */
  readonly blob?: string;
  /** Size of the resource, in bytes. */
  readonly bytes: number;
}

/** A link to a resource. The resource is never fetched. */
export interface McpResourceLink {
  /** Says which of the blocks this is. */
  readonly type: 'resource_link';
  /** Its URI, masked. */
  readonly uri: string;
  /** The server's name of the resource, masked. */
  readonly name: string;
  /** Such as `text/plain`. Absent when the server did not say. */
  readonly mimeType?: string;
}

/** A part of an answer of an unknown type, or without a required field. Its content is not kept. */
export interface McpUnreadable {
  /** Says which of the blocks this is. */
  readonly type: 'unreadable';
  /** What is wrong with it, masked. */
  readonly reason: string;
}

/** One part of an answer of a server's tool; `type` tells the parts apart. */
export type McpBlock = McpText | McpMedia | McpResource | McpResourceLink | McpUnreadable;

/** An error of the protocol. */
export interface McpError {
  /** The code of JSON-RPC or the server's own. */
  readonly code: number;
  /** Masked and bounded. */
  readonly message: string;
}

/** The result of a call of a server's tool, for programs. */
export interface McpData {
  /** Says which of the results this is. */
  readonly kind: 'mcp';
  /** True only when the tool succeeded. */
  readonly ok: boolean;
  /** Name of the server. */
  readonly server: string;
  /** The server's name of the tool, masked. */
  readonly tool: string;
  /** The outcome of the call. */
  readonly status: McpStatus;
  /** Whether it is not known if the tool did something, because the call was sent and got no answer. */
  readonly outcomeUnknown: boolean;
  /** The text for the model, masked. Of a tool of a toolkit: within `limits.resultTokens`. */
  readonly text: string;
  /** The file with the whole text, where `text` has only the most telling lines. Absent when everything fits. */
  readonly spill?: Spill;
  /** The decision about the call. */
  readonly decision: Decision;
  /** Every part of the answer in its order. Empty when there was none. */
  readonly blocks: readonly McpBlock[];
  /** The structured content of the answer, with texts masked. Absent where there is none. */
  readonly structured?: unknown;
  /** The error of the protocol. Absent when there was none. */
  readonly error?: McpError;
  /** Why the server could not be started, or was lost, when it was not the server's own fault. */
  readonly failure?: Failure;
  /** Size of the answer, in bytes of JSON. */
  readonly bytes: number;
  /** Secrets masked in the whole text of the answer. */
  readonly redactions: number;
  /** Whether `text` lacks lines. */
  readonly truncated: boolean;
}
