import type { ReplaceAdvice } from '../report/advice.js';

/**
 * Writes a value with a decision as JSON for the user who typed the command. It shows the advised call, which
 * `JSON.stringify` alone leaves out: the user has typed its words.
 */
export function jsonWithDecision(value: object): string {
  return JSON.stringify(value, showAdvisedCall, 2);
}

function showAdvisedCall(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'replace') return value;
  const { kind, command, cwd } = value as ReplaceAdvice;
  return { kind, command, cwd };
}
