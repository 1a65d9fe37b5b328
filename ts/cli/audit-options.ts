import type { Command } from './command.js';
import { FAILED_CODE, HELP_OPTION, UNREAD_CODE } from './common-options.js';

/** The action of `handrail audit` on the chain of a file. Without it the calls are printed. */
export const AUDIT_ACTIONS = ['verify'] as const;

/** The command `handrail audit`. */
export const AUDIT = {
  name: 'audit',
  summary: 'read the calls that an audit file has recorded',
  about:
    'Prints a line for each call in FILE, which `mcp --audit FILE` or the option `audit` of a toolkit has written: when, ' +
    'the decision, the tool, what was asked for and how it ended. Secrets are masked once more, controls are escaped. ' +
    'verify names the first line that was changed, removed, added or moved; it cannot see a cut end, nor a file that its ' +
    'owner has written anew.',
  operands: { usageText: 'FILE | verify FILE', completes: 'files' },
  options: [
    { name: 'tool', kind: 'values', value: 'A,B', list: true, text: 'calls of these tools only' },
    {
      name: 'decision',
      kind: 'values',
      value: 'A,B',
      list: true,
      completes: ['allow', 'ask', 'deny'],
      text: 'calls that were decided so only: allow, ask, deny',
    },
    { name: 'session', kind: 'value', value: 'NAME', text: 'calls of this session only, such as s1' },
    {
      name: 'since',
      kind: 'value',
      value: 'TIME',
      text: 'calls from then on: 2026-11-25, yesterday, today, 2h ago as 2h',
    },
    { name: 'until', kind: 'value', value: 'TIME', text: 'calls before that' },
    { name: 'json', kind: 'flag', text: 'each record as a line of JSON; a mistake is {"error":{"code","message"}}' },
    HELP_OPTION,
  ],
  examples: [
    { line: 'handrail audit calls.jsonl' },
    { line: 'handrail audit --decision deny --since yesterday calls.jsonl' },
    { line: 'handrail audit --tool terminal_run,session_send --json calls.jsonl' },
    { line: 'handrail audit verify calls.jsonl' },
  ],
  exitCodes: [
    ['0', 'it was read, or its chain holds'],
    ['1', 'it has damaged lines, which are named, or its chain is broken'],
    FAILED_CODE,
    UNREAD_CODE,
  ],
  errorsTo: 'stdout',
} as const satisfies Command;
