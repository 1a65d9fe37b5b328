import { createHash } from 'node:crypto';
import { MAX_SERVER_NAME_CHARS, MAX_TOOL_NAME_CHARS } from './limits.js';

/** The beginning of the published name of every tool of a server. */
export const MCP_PREFIX = 'mcp__';

const SEPARATOR = '__';
const HASH_CHARS = 8;
const SERVER_NAME = /^[A-Za-z0-9_-]+$/;

/** Whether a server may have this name. The separator must not appear in it, or arise from its first or last character. */
export function isServerName(name: string): boolean {
  return (
    name.length <= MAX_SERVER_NAME_CHARS &&
    SERVER_NAME.test(name) &&
    !name.includes(SEPARATOR) &&
    !name.startsWith('_') &&
    !name.endsWith('_')
  );
}

/**
 * The name that models call, with letters, digits, `_` and `-` only. When other characters were replaced or the name
 * was cut, a hash of the whole name keeps two tools apart.
 */
export function publishedName(server: string, tool: string): string {
  const name = `${MCP_PREFIX}${server}${SEPARATOR}${tool.replace(/[^A-Za-z0-9_-]/gu, '_')}`;
  if (name.length <= MAX_TOOL_NAME_CHARS && name.endsWith(tool)) return name;
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, HASH_CHARS);
  return `${name.slice(0, MAX_TOOL_NAME_CHARS - HASH_CHARS - 1)}_${hash}`;
}

/** Compares names in the same way on every machine. */
export function byName(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
