import type { Failure } from '../report/end.js';

/**
 * What became of a call of a server's tool:
 *
 * - `done` the tool did it
 * - `failed` the tool says that it failed
 * - `protocol_error` the server refused the call, or its answer is none
 * - `timed_out` the server was silent for too long
 * - `cancelled` the caller gave up
 * - `interrupted` the server ended during the call
 * - `unavailable` the server is not running: the call never reached it
 */
export type McpStatus =
  | 'done'
  | 'failed'
  | 'protocol_error'
  | 'timed_out'
  | 'cancelled'
  | 'interrupted'
  | 'unavailable';

/** A text a server's tool gave. */
export interface McpText {
  /** Says which of the blocks this is. */
  readonly type: 'text';
  /** Cleaned and masked. */
  readonly text: string;
}

/** A picture or a sound a server's tool gave. */
export interface McpMedia {
  /** Says which of the blocks this is. */
  readonly type: 'image' | 'audio';
  /** Such as `image/png`. */
  readonly mimeType: string;
  /** In base64, as the server sent it. */
  readonly data: string;
  /** Size of what `data` stands for. */
  readonly bytes: number;
}

/** A resource that came with an answer: a text or anything else. */
export interface McpResource {
  /** Says which of the blocks this is. */
  readonly type: 'resource';
  /** Where it is from, masked. */
  readonly uri: string;
  /** Such as `text/plain`. Absent when the server did not say. */
  readonly mimeType?: string;
  /** Of a resource that is a text: cleaned and masked. */
  readonly text?: string;
  /** Of any other: base64, as the server sent it. */
  readonly blob?: string;
  /** Size of the resource. */
  readonly bytes: number;
}

/** A resource an answer names. It is never fetched. */
export interface McpResourceLink {
  /** Says which of the blocks this is. */
  readonly type: 'resource_link';
  /** Where it is, masked. */
  readonly uri: string;
  /** What the server calls it, masked. */
  readonly name: string;
  /** Such as `text/plain`. Absent when the server did not say. */
  readonly mimeType?: string;
}

/** A part of an answer that is none of the others, or lacks what makes it one. Nothing of it is kept. */
export interface McpUnreadable {
  /** Says which of the blocks this is. */
  readonly type: 'unreadable';
  /** What is wrong with it, masked. */
  readonly reason: string;
}

/** One part of what a tool of a server gave; `type` says which. */
export type McpBlock = McpText | McpMedia | McpResource | McpResourceLink | McpUnreadable;

/** What the protocol says went wrong. */
export interface McpError {
  /** The code of JSON-RPC or the server's own. */
  readonly code: number;
  /** Masked and bounded. */
  readonly message: string;
}

/** What a call of a server's tool gives to programs. */
export interface McpData {
  /** Says which of the results this is. */
  readonly kind: 'mcp';
  /** True only when the tool did what it was asked. */
  readonly ok: boolean;
  /** Name of the server. */
  readonly server: string;
  /** What the server calls the tool, masked. */
  readonly tool: string;
  /** What became of the call. */
  readonly status: McpStatus;
  /** Whether nobody knows if the tool did something: the call was on its way and has no answer. */
  readonly outcomeUnknown: boolean;
  /** For the model: masked and bounded. */
  readonly text: string;
  /** Every part of the answer in its order. Empty when there was none. */
  readonly blocks: readonly McpBlock[];
  /** The answer as JSON, where the tool gave one. Texts are masked. */
  readonly structured?: unknown;
  /** What the protocol says went wrong. Absent when it says nothing. */
  readonly error?: McpError;
  /** Why the server could not be started, or was lost, for a reason that is not its own. */
  readonly failure?: Failure;
  /** Size of the answer, in bytes of JSON. */
  readonly bytes: number;
  /** Secrets masked in what a model would read of the whole answer. */
  readonly redactions: number;
  /** Whether `text` lacks something of the answer. */
  readonly truncated: boolean;
}
