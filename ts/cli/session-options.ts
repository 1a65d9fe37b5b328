import type { Command } from './command.js';
import { FAILED_CODE, HELP_OPTION, SIGNAL_CODE } from './common-options.js';

/** The actions of `handrail session`. */
export const SESSION_ACTIONS = ['attach'] as const;

/** The variable that has the token, where nobody is there to type it. */
export const TOKEN_VARIABLE = 'HANDRAIL_ATTACH_TOKEN';

/** The command `handrail session`. */
export const SESSION = {
  name: 'session',
  summary: 'look on at a session of a running host, or type into it',
  about:
    'Shows the session on this terminal, masked, where its host has offered it and shown ID and token. Asks for the token, ' +
    `or takes it from ${TOKEN_VARIABLE}. What is typed goes to the session where the host allows that. Ctrl-] detaches.`,
  operands: { usageText: 'attach ID', completes: SESSION_ACTIONS },
  options: [HELP_OPTION],
  examples: [{ line: 'handrail session attach 4711-k3f9q2ab' }],
  exitCodes: [['0', 'the person has detached, or the session is over'], FAILED_CODE, SIGNAL_CODE],
  errorsTo: 'stderr',
} as const satisfies Command;
