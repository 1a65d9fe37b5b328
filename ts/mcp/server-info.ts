import type { McpToolsChange } from './tool-set.js';

/**
 * The state of a server: `connecting`, `ready`, `down` (it is started again with the next call), `resting` (it failed
 * too often) or `closed`.
 */
export type McpServerState = 'connecting' | 'ready' | 'down' | 'resting' | 'closed';

/** The facts about a server that a host may read. */
export interface McpServerInfo {
  /** The name that its tools are published under. */
  readonly name: string;
  /**
   * `connecting`, `ready`, `down` (it is started again with the next call), `resting` (it failed too often and is left
   * alone for a while) or `closed`.
   */
  readonly state: McpServerState;
  /** The published names of its tools, sorted. While the server is down these are the names of before. */
  readonly tools: readonly string[];
  /** The last failure, without secrets. Empty if nothing failed. */
  readonly reason: string;
  /** The parts of its list of tools that were left out, and why, without secrets. Empty if nothing was left out. */
  readonly problems: readonly string[];
  /**
   * What is different in its tools from what was approved: until somebody approves it, none of its tools is offered.
   * Undefined where nothing is different.
   */
  readonly unapproved?: McpToolsChange | undefined;
}
