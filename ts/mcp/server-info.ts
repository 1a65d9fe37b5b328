/**
 * How a server is: `connecting`, `ready`, `down` (it is started again with the next call), `resting` (it failed too
 * often) or `closed`.
 */
export type McpServerState = 'connecting' | 'ready' | 'down' | 'resting' | 'closed';

/** A server, as a host may look at it. */
export interface McpServerInfo {
  /** What its tools are published under. */
  readonly name: string;
  /**
   * `connecting`, `ready`, `down` (it is started again with the next call), `resting` (it failed too often and is left
   * alone for a while) or `closed`.
   */
  readonly state: McpServerState;
  /** Published names of its tools, sorted; those it had while it is down. */
  readonly tools: readonly string[];
  /** What went wrong last, without secrets. Empty when nothing did. */
  readonly reason: string;
  /** What was left out of the list of its tools, and why, without secrets. Empty when nothing was. */
  readonly problems: readonly string[];
}
