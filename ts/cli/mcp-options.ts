import { DEFAULT_TIMEOUT_MS } from '../terminal/limits.js';
import { CHANGES_MODES } from '../tools/changes-modes.js';
import type { Command } from './command.js';
import { CONFIG_OPTIONS, FAILED_CODE, HELP_OPTION, SIGNAL_CODE } from './common-options.js';
import { CONFINE_OPTIONS } from './confine-options.js';
import { CWD_OPTION, ENV_OPTION, LIST_OPTIONS, PATH_OPTION, ROOT_OPTION, TIMEOUT_OPTION } from './judge-options.js';

/** The actions of `handrail mcp` on the approved tools of servers. Without one it serves a client. */
export const MCP_ACTIONS = ['approve', 'list', 'remove'] as const;

/** The command `handrail mcp`. */
export const MCP = {
  name: 'mcp',
  summary: 'offer guarded tools to a client of the Model Context Protocol',
  about:
    'An MCP server on the standard streams: commands, files and sessions, for Claude, Cursor and other clients, ' +
    'which start it; it ends with them and all it started.',
  operands: { usageText: '[approve [SERVER] | list | remove SERVER]', completes: MCP_ACTIONS },
  options: [
    ...LIST_OPTIONS,
    { name: 'shell', kind: 'flag', text: 'bash scripts, judged whole; --changes staged: with undo' },
    {
      name: 'changes',
      kind: 'value',
      value: 'HOW',
      completes: CHANGES_MODES,
      text: 'staged: commands change files when they end, for undo',
      hasRow: false,
    },
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
    {
      name: 'servers',
      kind: 'values',
      value: 'FILE',
      completes: 'files',
      text: "these servers' tools, once approved; --lock FILE: elsewhere",
    },
    { name: 'lock', kind: 'value', value: 'FILE', completes: 'files', text: 'keeps what is approved', hasRow: false },
    { name: 'yes', kind: 'flag', text: 'approve agrees without a question', hasRow: false },
    HELP_OPTION,
  ],
  examples: [
    { line: 'handrail mcp --root . --project auto --allow terraform' },
    { line: 'handrail mcp approve --servers servers.json' },
  ],
  exitCodes: [['0', 'the client has gone, or all is approved (--yes agrees); 3: it is not'], FAILED_CODE, SIGNAL_CODE],
  errorsTo: 'stderr',
} as const satisfies Command;
