import { DEFAULT_TIMEOUT_MS } from '../terminal/limits.js';
import type { Command } from './command.js';
import { CONFIG, FAILED, HELP, SIGNAL } from './common-options.js';
import { CONFINE } from './confine-options.js';
import { CWD, LISTS, PATH, ROOT, TIMEOUT } from './judge-options.js';

/** `handrail mcp`. */
export const MCP = {
  name: 'mcp',
  summary: 'offer guarded tools to a client of the Model Context Protocol',
  about:
    'An MCP server on the standard streams: commands, files and sessions, for Claude, Cursor and other clients. They ' +
    'start it, and it ends with them and everything it started. Works where it was started unless --root says where.',
  options: [
    ...LISTS,
    { name: 'shell', kind: 'flag', text: 'commands are bash scripts, and judged whole' },
    { ...ROOT, text: 'where the tools work, this directory unless given; can be repeated' },
    PATH,
    { ...CWD, text: 'directory commands start in; the first --root unless given' },
    { ...TIMEOUT, text: `the most a command gets, in milliseconds; ${DEFAULT_TIMEOUT_MS} unless given` },
    ...CONFINE,
    ...CONFIG,
    {
      name: 'tools',
      kind: 'values',
      value: 'A,B',
      list: true,
      text: 'the tools that are offered, such as terminal_run,file_read; all unless given',
    },
    {
      name: 'audit',
      kind: 'value',
      value: 'FILE',
      completes: 'files',
      text: 'adds a line of JSON for each call, secrets masked; outside of roots',
    },
    HELP,
  ],
  examples: [
    { line: 'handrail mcp --allow git,ls,cat' },
    { line: 'handrail mcp --root . --allow npm,node --shell --network none' },
    { line: 'handrail mcp --tools file_read,file_grep' },
  ],
  exitCodes: [['0', 'the client has gone'], FAILED, SIGNAL],
  errorsTo: 'stderr',
} as const satisfies Command;
