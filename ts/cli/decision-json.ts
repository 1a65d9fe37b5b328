import type { ReplaceAdvice } from '../report/advice.js';

/**
 * What holds a decision, as JSON for the person who typed the command. That person may read the call that takes its place,
 * which `JSON.stringify` alone leaves out.
 */
export function jsonWithDecision(value: object): string {
  return JSON.stringify(value, withReplacement, 2);
}

function withReplacement(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'replace') return value;
  const { kind, command, cwd } = value as ReplaceAdvice;
  return { kind, command, cwd };
}
