import { DEFAULT_TIMEOUT_MS } from '../terminal/limits.js';
import { AUDIT } from './audit-options.js';
import type { Command, Option } from './command.js';
import { CONFIG_OPTIONS, FAILED_CODE, HELP_OPTION, QUIET_OPTION, SIGNAL_CODE, UNREAD_CODE } from './common-options.js';
import { CONFINE_OPTIONS } from './confine-options.js';
import { RIVALS } from './demo/rivals.js';
import { CWD_OPTION, ENV_OPTION, LIST_OPTIONS, PATH_OPTION, ROOT_OPTION, TIMEOUT_OPTION } from './judge-options.js';
import { MCP } from './mcp-options.js';
import { REDACT } from './redact-options.js';
import { SERVE } from './serve-options.js';
import { SESSION } from './session-options.js';
import { UNDO } from './undo-options.js';

/** The shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The command `handrail run`. */
export const RUN = {
  name: 'run',
  summary: 'run one program, or a script: judged, confined, redacted',
  about: 'Runs a program, or with --shell one bash script judged whole, here or in --cwd.',
  operands: { usageText: 'PROGRAM [ARGUMENT...] | --shell SCRIPT', completes: 'command' },
  options: [
    ...LIST_OPTIONS,
    {
      name: 'shell',
      kind: 'flag',
      text: 'takes a bash script, in one word, and judges it whole',
      hasRow: false,
    },
    ROOT_OPTION,
    PATH_OPTION,
    ENV_OPTION,
    { ...CWD_OPTION, text: 'directory it runs in; this one unless given', hasRow: false },
    { ...TIMEOUT_OPTION, text: `time it gets, in milliseconds; ${DEFAULT_TIMEOUT_MS} unless given` },
    ...CONFINE_OPTIONS,
    ...CONFIG_OPTIONS,
    {
      name: 'stdin',
      kind: 'flag',
      text: 'hands the standard input on, as it comes',
    },
    { name: 'try', kind: 'flag', text: 'shows what it changes, with --diff by lines, and drops it' },
    { name: 'diff', kind: 'flag', text: 'with --try: shows what differs in each file', hasRow: false },
    { name: 'keep', kind: 'flag', text: 'with --try: keeps the changes where it succeeds' },
    { ...QUIET_OPTION, text: 'no last line, unless nothing ran; --no-ask: asks nobody' },
    {
      name: 'no-ask',
      kind: 'flag',
      text: 'denies what a person at the terminal would be asked about',
      hasRow: false,
    },
    {
      name: 'json',
      kind: 'flag',
      text: 'the result as JSON; a mistake: {"error":{"code","message"}}',
    },
    HELP_OPTION,
  ],
  examples: [
    { line: 'handrail run --allow ls,cat ls -l' },
    { line: "handrail run --project auto --shell 'ls | wc -l'" },
  ],
  exitCodes: [
    ["the program's own, or 128+N when signal N ended it", ''],
    ['122', 'it met a limit; 123 denied, nothing ran; 124 its time was over'],
    ['125', 'handrail itself failed; 126 no executable file, 127 no program'],
    ['130', 'SIGINT ended handrail; 129 SIGHUP, 143 SIGTERM; 141 nobody read on'],
  ],
  errorsTo: 'stdout',
} as const satisfies Command;

/** The command `handrail explain`. */
export const EXPLAIN = {
  name: 'explain',
  summary: 'say what a command would start, and whether it may; nothing is run',
  about:
    'Judges COMMAND, one word in quotes, as the bash script it would be with run --shell: which programs it names, ' +
    'where it writes, and what decides. Nothing is run.',
  operands: { usageText: 'COMMAND | --project KIND --list', completes: 'nothing' },
  options: [
    ...LIST_OPTIONS,
    ROOT_OPTION,
    {
      name: 'cwd',
      kind: 'value',
      value: 'DIR',
      completes: 'folders',
      text: 'directory it would run in; this one unless given',
    },
    { name: 'list', kind: 'flag', text: 'in place of COMMAND: all that --project lets run' },
    ...CONFIG_OPTIONS,
    { name: 'json', kind: 'flag', text: 'the decision as JSON; a mistake is {"error":{"code","message"}}' },
    HELP_OPTION,
  ],
  examples: [
    { line: "handrail explain --allow git,head 'git log | head -5'" },
    { line: 'handrail explain --project node --list' },
    { line: "handrail explain --deny rm --json 'ls *.log | wc -l'" },
  ],
  exitCodes: [['0', 'it may run'], ['3', 'somebody would have to be asked'], ['123', 'it may not'], FAILED_CODE],
  errorsTo: 'stdout',
} as const satisfies Command;

/** The command `handrail doctor`. */
export const DOCTOR = {
  name: 'doctor',
  summary: 'what this machine can enforce, and what to do about the rest',
  about:
    'Says for each guard whether this machine enforces it where it is asked for, and what to do where it does not; ' +
    'then the settings of the other commands, and where each comes from, or what is wrong with them. ' +
    'Nothing is changed and no command is run.',
  options: [
    ...CONFIG_OPTIONS,
    { name: 'json', kind: 'flag', text: 'the same as JSON; a mistake is {"error":{"code","message"}}' },
    HELP_OPTION,
  ],
  examples: [{ line: 'handrail doctor' }, { line: 'handrail doctor --json' }],
  exitCodes: [['0', 'the report was written, whatever it says'], FAILED_CODE],
  errorsTo: 'stdout',
} as const satisfies Command;

/** The actions of `handrail bus`. */
export const BUS_ACTIONS = ['tail', 'send'] as const;

/** The command `handrail bus`. */
export const BUS = {
  name: 'bus',
  summary: 'read and send messages of agents over the Redis of REDIS_URL',
  about:
    'tail prints what is stored on TOPIC: the last 100 messages, or those after ID. send sends CONTENT, one word in ' +
    'quotes, to chat:CONVERSATION or agent:NAME, as the agent of AGENT_NAME. Secrets are masked both ways.',
  operands: { usageText: 'tail TOPIC | send RECIPIENT CONTENT', completes: BUS_ACTIONS },
  options: [
    { name: 'after', kind: 'value', value: 'ID', text: 'tail: prints what follows this message; 0-0 is the beginning' },
    {
      name: 'conversation',
      kind: 'value',
      value: 'ID',
      text: 'send: the conversation of a message to an agent; CHAT_TOOL_CONVERSATION_ID unless given',
    },
    {
      name: 'json',
      kind: 'flag',
      text: 'each message as a line of JSON, or what was sent; a mistake is {"error":{"code","message"}}',
    },
    HELP_OPTION,
  ],
  examples: [
    { line: "handrail bus send agent:DevAgent --conversation c1 'Please review.'" },
    { line: 'handrail bus tail chat:c1' },
    { line: 'handrail bus tail chat:DevAgent --after 0-0 --json' },
  ],
  exitCodes: [['0', 'the messages were printed, or the message is stored'], FAILED_CODE, UNREAD_CODE],
  errorsTo: 'stdout',
} as const satisfies Command;

/** The command `handrail trust`. */
export const TRUST = {
  name: 'trust',
  summary: 'use the handrail.toml of this folder from now on, as it is',
  about:
    'Remembers what is in FILE, the nearest handrail.toml unless given. A file that is found is used while it is what was ' +
    'trusted: a command that ran in its folder may have changed it. One that --config names is used as it is.',
  operands: { usageText: '[FILE]', completes: 'files' },
  options: [HELP_OPTION],
  examples: [{ line: 'handrail trust' }, { line: 'handrail trust work/handrail.toml' }],
  exitCodes: [['0', 'the file is trusted'], FAILED_CODE],
  errorsTo: 'stdout',
} as const satisfies Command;

/** The command `handrail demo`. */
export const DEMO = {
  name: 'demo',
  summary: 'four calls of a model, with and without Handrail, on one screen',
  about:
    'Runs four commands twice, in temporary folders: as agents usually run them, and with the tools of Handrail. ' +
    'Shows what a model would read, and what is left. Nothing else is touched.',
  options: [
    {
      name: 'beside',
      kind: 'value',
      value: 'NAME',
      completes: RIVALS,
      text: 'what stands on the left: child_process, or execa where it is installed',
    },
    HELP_OPTION,
  ],
  examples: [{ line: 'handrail demo' }],
  exitCodes: [['0', 'it was shown'], FAILED_CODE, SIGNAL_CODE, UNREAD_CODE],
  errorsTo: 'stderr',
} as const satisfies Command;

/** The command `handrail completion`. */
export const COMPLETION = {
  name: 'completion',
  summary: 'make a shell complete commands, options and values',
  about:
    'Prints a script that makes the shell complete commands, options and their values. The first example belongs into ' +
    '~/.bashrc, the second into ~/.zshrc after compinit, the third into ~/.config/fish/config.fish.',
  operands: { usageText: SHELLS.join('|'), completes: SHELLS },
  options: [HELP_OPTION],
  examples: [
    { line: 'source <(handrail completion bash)' },
    { line: 'source <(handrail completion zsh)' },
    { line: 'handrail completion fish | source' },
    { line: 'handrail completion zsh > _handrail', text: 'for a folder of $fpath' },
  ],
  exitCodes: [['0', 'the script was written'], FAILED_CODE],
  errorsTo: 'stdout',
} as const satisfies Command;

/** All commands, in the order in which help shows them. */
export const COMMANDS = [
  RUN,
  EXPLAIN,
  REDACT,
  MCP,
  SERVE,
  SESSION,
  AUDIT,
  BUS,
  DOCTOR,
  UNDO,
  TRUST,
  DEMO,
  COMPLETION,
] as const;

/** The name of a command. */
export type CommandName = (typeof COMMANDS)[number]['name'];

/** The options that are given without a command. */
export const MAIN_OPTIONS: readonly Option[] = [
  HELP_OPTION,
  { name: 'version', short: 'v', kind: 'flag', text: 'the release' },
];

/** The command `handrail help COMMAND`, the same as `handrail COMMAND --help`. */
export const HELP_COMMAND = { name: 'help', summary: 'show a command: its options, examples and exit codes' } as const;

/** The command called `name`. */
export function findCommand(name: string): (Command & { readonly name: CommandName }) | undefined {
  return COMMANDS.find((command) => command.name === name);
}
