import { MAX_CHANGES } from '../files/limits.js';
import type { Command } from './command.js';
import { FAILED_CODE, HELP_OPTION } from './common-options.js';

/** The command `handrail undo`. */
export const UNDO = {
  name: 'undo',
  summary: 'take back what file tools have changed here',
  about:
    'Takes calls of file tools back, of every agent that worked in this folder: those of the IDs, or the last one. Each ' +
    'file gets what it had before, or none does: one that somebody has changed since stays, and is named. What commands ' +
    'changed is not taken back. What undo itself changed can be taken back by its id.',
  operands: { usageText: '[ID...]', completes: [] },
  options: [
    { name: 'list', kind: 'flag', text: 'lists the calls, newest first, and changes nothing' },
    { name: 'diff', kind: 'flag', text: 'with --list: shows what each call changed, with secrets masked' },
    { name: 'last', kind: 'value', value: 'N', text: `instead of IDs: the last N calls, up to ${MAX_CHANGES}` },
    { name: 'since', kind: 'value', value: 'ID', text: 'instead of IDs: every call after this one' },
    { name: 'root', kind: 'value', value: 'DIR', completes: 'folders', text: 'the folder; this one unless given' },
    { name: 'dry-run', kind: 'flag', text: 'shows what would change, line by line, and changes nothing' },
    { name: 'json', kind: 'flag', text: 'the result as JSON; a mistake is {"error":{"code","message"}}' },
    HELP_OPTION,
  ],
  examples: [{ line: 'handrail undo --list' }, { line: 'handrail undo --list --json' }],
  exitCodes: [
    ['0', 'the calls were taken back, or listed'],
    ['1', 'nothing was changed, and the text says why'],
    FAILED_CODE,
  ],
  errorsTo: 'stdout',
} as const satisfies Command;
