import { DEFAULT_TIMEOUT_MS } from '../terminal/limits.js';
import type { Command } from './command.js';
import { CONFIG_OPTIONS, FAILED_CODE, HELP_OPTION, SIGNAL_CODE } from './common-options.js';
import { CONFINE_OPTIONS } from './confine-options.js';
import { CWD_OPTION, ENV_OPTION, LIST_OPTIONS, PATH_OPTION, ROOT_OPTION, TIMEOUT_OPTION } from './judge-options.js';

/** The command `handrail mcp`. */
export const MCP = {
  name: 'mcp',
  summary: 'offer guarded tools to a client of the Model Context Protocol',
  about:
    'An MCP server on the standard streams: commands, files and sessions, for Claude, Cursor and other clients, ' +
    'which start it; it ends with them and all it started.',
  options: [
    ...LIST_OPTIONS,
    { name: 'shell', kind: 'flag', text: 'commands are bash scripts, and judged whole' },
    { ...ROOT_OPTION, text: 'where the tools work, else here; can be repeated' },
    PATH_OPTION,
    ENV_OPTION,
    { ...CWD_OPTION, text: 'directory commands start in; the first --root unless given' },
    { ...TIMEOUT_OPTION, text: `the most a command gets, in ms; ${DEFAULT_TIMEOUT_MS} unless given` },
    ...CONFINE_OPTIONS,
    ...CONFIG_OPTIONS,
    {
      name: 'tools',
      kind: 'values',
      value: 'A,B',
      list: true,
      text: 'tools that are offered, such as file_read; all unless given',
    },
    {
      name: 'audit',
      kind: 'value',
      value: 'FILE',
      completes: 'files',
      text: 'a line of JSON for each call, masked; FILE lies in no root',
    },
    HELP_OPTION,
  ],
  examples: [
    { line: 'handrail mcp --project auto' },
    { line: 'handrail mcp --root . --project node,python --allow terraform' },
    { line: 'handrail mcp --tools file_read,file_grep' },
  ],
  exitCodes: [['0', 'the client has gone'], FAILED_CODE, SIGNAL_CODE],
  errorsTo: 'stderr',
} as const satisfies Command;
