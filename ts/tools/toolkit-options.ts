import { statSync } from 'node:fs';
import path from 'node:path';
import type { AuditListener } from '../audit/listeners.js';
import type { Bus } from '../bus/bus.js';
import {
  checkedOptions,
  functionOption,
  integer,
  integerOption,
  invalidArgument,
  listOption,
  nameOption,
  optionsObject,
  textOption,
  textValue,
} from '../config/validate.js';
import { HandrailError } from '../errors.js';
import { type FileGuardOptions, type FilesOptions, GUARD_KEYS } from '../files/options.js';
import { DEFAULT_JOB_MS } from '../jobs/limits.js';
import { JOB_LIFE_RANGE } from '../jobs/options.js';
import { DEFAULT_READY_MS, MAX_READY_MS } from '../mcp/limits.js';
import { MCP_PREFIX } from '../mcp/names.js';
import { type CheckedMcpServer, type McpServerOptions, mcpServersOption } from '../mcp/server-options.js';
import {
  type Project,
  type ProjectOption,
  projectNetwork,
  projectOption,
  rootsOfCommands,
  rootsOfFiles,
  withPresets,
} from '../presets/project.js';
import type { RedactorOptions } from '../redaction/options.js';
import { Redactor } from '../redaction/redactor.js';
import { MAX_EXCERPT_TOKENS } from '../redaction/text.js';
import type { AttachMode } from '../session/attachment.js';
import type { Approve } from '../terminal/approval.js';
import {
  DEFAULT_MAX_JOBS,
  DEFAULT_MAX_SERVICES,
  DEFAULT_MAX_SESSIONS,
  MAX_LIST_ENTRIES,
  MAX_LIVE_PROGRAMS,
} from '../terminal/limits.js';
import { withMaskedErrors } from '../terminal/masked-errors.js';
import { type Root, spillTotalOption, type TerminalOptions } from '../terminal/options.js';
import type { ProjectNetwork } from '../terminal/reached-hosts.js';
import { CATALOGUE } from './catalogue.js';
import { CHANGES_MODES } from './changes-modes.js';
import { CHAT_TOOL, chatOptions, type ToolkitChatOptions } from './chat-options.js';
import type { CheckedCustomTool, CustomTool } from './custom-tool.js';
import { customToolsOption } from './custom-tools.js';
import type { ChatHost } from './host.js';
import {
  DEFAULT_READ_TOKENS,
  DEFAULT_RESULT_CHARS,
  DEFAULT_RESULT_TOKENS,
  MAX_RESULT_CHARS,
  MIN_RESULT_CHARS,
  MIN_RESULT_TOKENS,
} from './limits.js';
import { type TelemetryOptions, telemetryOption } from './telemetry-options.js';
import { withUnreadChanges } from './unread-changes.js';

/** The options of a terminal without those that a toolkit sets for all of its tools. */
export type ToolkitTerminalOptions = Omit<TerminalOptions, 'roots' | 'redactor' | 'approve'>;

/** Limits for every tool of a toolkit. */
export interface ToolkitLimits {
  /**
   * Most Unicode characters of a result for the model. Default: 60,000. Range: 200 to 1,000,000.
   */
  readonly resultChars?: number | undefined;
  /**
   * Most tokens of the output of a command, a session, a job, an MCP server's tool or a tool of your own in a result for the
   * model, estimated to within some 15 %. Of a longer output the most telling lines are shown, and a spill file has the whole.
   * Default: 4,000. Range: 100 to 100,000.
   */
  readonly resultTokens?: number | undefined;
  /**
   * Most tokens of what the file tools read, find or list in a result for the model, estimated to within some 15 %. Lines are given
   * whole and in their order, with the call that gives those that follow. Default: 10,000. Range: 100 to 100,000.
   */
  readonly readTokens?: number | undefined;
  /** Sessions that are open at the same time; one more is refused. Default: 16. Range: 0 to 1,000. */
  readonly sessions?: number | undefined;
  /** Jobs that run at the same time; one more is refused. With 0 there are no tools for jobs. Default: 16. Range: 0 to 1,000. */
  readonly jobs?: number | undefined;
  /**
   * Life of a job, in milliseconds, unless its start names another; then it is ended. A model cannot extend it.
   * Default: 3,600,000, one hour. Range: 1 to 86,400,000.
   */
  readonly jobMs?: number | undefined;
  /** Servers of tools that run at the same time; one more is refused. Default: 16. Range: 0 to 1,000. */
  readonly services?: number | undefined;
  /**
   * Total size of all spill files, in bytes; see `spillTotalBytes` of `OutputOptions`.
   * Default: 256 MiB. Range: 0 to 64 GiB.
   */
  readonly spillTotalBytes?: number | undefined;
}

/** Where the records of calls are kept. */
export interface AuditFileOptions {
  /** The file, outside of every root; it is made when there is none. A relative path begins at the working directory. */
  readonly file: string;
}

/** The options of a toolkit. Either `workspace` or `roots` has to be given. */
export interface ToolkitOptions {
  /** The directory that the agent works in: the same as one root with mode `rw`. It has to exist, and not be `/`. */
  readonly workspace?: string | undefined;
  /**
   * The directories that the agent works in. Commands start in the first one, and relative paths of files begin there.
   * See `Root` for their modes.
   */
  readonly roots?: readonly Root[] | undefined;
  /**
   * What kind of project the agent works in: `'node'`, `'python'`, `'rust'`, `'go'`, several of them, or `'auto'` for
   * what the files of the first root show. The presets of these kinds let run what people type there, see
   * `docs/presets.md`: `terminal.allow` adds to them, other options of `terminal` replace theirs. The caches of package
   * managers and compilers are kept for this project, in one more root. Default: no preset.
   */
  readonly project?: ProjectOption | undefined;
  /**
   * Where commands, jobs and sessions write. `'direct'`: into the roots. `'staged'`: each into a layer of its own over the writable
   * roots, as in a transaction, which is brought over at its end, whatever its exit code: `toolkit.undo()` takes that back. A command
   * that was denied, met a limit, came to its time or was cancelled changes nothing. Where somebody else has changed the same place
   * meanwhile nothing is brought over, and `toolkit.staged()` has the changes until the host decides. File tools write into the roots
   * in any case. Default: `'direct'`.
   */
  readonly changes?: 'direct' | 'staged' | undefined;
  /** What may run, and how. Default: nothing may run, or with `project` what its presets let run. */
  readonly terminal?: ToolkitTerminalOptions | undefined;
  /** What protects files inside the roots. Default: that of each option. */
  readonly files?: FileGuardOptions | undefined;
  /** The bus that `chat_send` publishes to; you close it. Default: none, or with `chat` the bus of `getBus()`. */
  readonly bus?: Bus | undefined;
  /** Lets the agent send messages, and names it. Default: no `chat_send` without `bus`. */
  readonly chat?: ToolkitChatOptions | undefined;
  /** Tools of your own, made by `defineTool`. Their calls take the way of all others. Default: none. */
  readonly customTools?: readonly CustomTool[] | undefined;
  /** Names of the tools that are published; calls of others are refused as unknown. Default: all tools. */
  readonly tools?: readonly string[] | undefined;
  /**
   * MCP servers whose tools are published as `mcp__server__tool`. They are connected at the same time. A server that
   * cannot be connected is a process warning with the code `HANDRAIL_MCP`. Default: none.
   */
  readonly mcpServers?: readonly McpServerOptions[] | undefined;
  /**
   * Milliseconds that `createToolkit` waits for its MCP servers. The tools of a slower server are published when it is
   * ready, and `on('tools', ...)` tells it; after 30 s a server is given up. Default: 5,000. Range: 0 to 60,000.
   */
  readonly mcpReadyMs?: number | undefined;
  /**
   * The lock file with the approved tools of MCP servers, outside of every root that is written to: `true` for `mcp.lock`
   * beside the list of trusted settings files (`~/.config/handrail`). A server is offered while its tools are those that
   * were approved, with `handrail mcp approve` or `mcp.approve()`. Default: none, and the first tools of a server in
   * this process count as approved.
   */
  readonly mcpLock?: string | true | undefined;
  /** Options of the redactor, or a redactor of your own. Default: the built-in rules. */
  readonly redaction?: RedactorOptions | Redactor | undefined;
  /**
   * Gets a record of each call, like a listener of `on('call', ...)`; or the file to which each record is added as a
   * line of JSON, readable by its owner only. The file lies outside of every root, and `handrail audit FILE` reads it.
   * Each line also names what stands before it, by its SHA-256, and `handrail audit verify FILE` finds what was changed.
   * Default: none.
   */
  readonly audit?: AuditListener | AuditFileOptions | undefined;
  /**
   * Tells OpenTelemetry of each call, by the package `@opentelemetry/api` and what the host has registered with it: a span
   * `execute_tool NAME`, and the figures of calls, denials, masks and durations. They hold no secret, no output, and arguments
   * only where they are asked for. Default: false. Without the package: `ERR_PEER_MISSING`.
   */
  readonly telemetry?: boolean | TelemetryOptions | undefined;
  /** Limits for every tool. Default: that of each limit. */
  readonly limits?: ToolkitLimits | undefined;
  /**
   * Whether a person may attach to a session that the host offers (`Session.attachment()`): `'read'` to look on,
   * `'keyboard'` to type as well. Default: nobody may.
   */
  readonly attach?: AttachMode | undefined;
  /** Asked about commands that the policy leaves open. Default: none, and these commands are denied. */
  readonly approve?: Approve | undefined;
}

/** Checked options of a toolkit. */
export interface CheckedToolkitOptions {
  /** Undefined where no preset is used. */
  readonly project: Project | undefined;
  /** What its presets say about the network. Undefined where no preset is used. */
  readonly projectNetwork: ProjectNetwork | undefined;
  readonly terminal: TerminalOptions & { readonly roots: readonly Root[]; readonly redactor: Redactor };
  readonly files: FilesOptions;
  /** Where commands, jobs and sessions write. */
  readonly changes: 'direct' | 'staged';
  /** Undefined where there is no `chat_send`. */
  readonly chat: ChatHost | undefined;
  /** Names of tools that are published. */
  readonly tools: readonly string[];
  /** Whether `tools` was given: then it has to name tools of MCP servers too. */
  readonly namesTools: boolean;
  readonly customTools: readonly CheckedCustomTool[];
  readonly mcpServers: readonly CheckedMcpServer[];
  readonly mcpReadyMs: number;
  /** The lock file, or true for the one of the user. Undefined for none. */
  readonly mcpLock: string | true | undefined;
  readonly redactor: Redactor;
  readonly audit: AuditListener | AuditFileOptions | undefined;
  readonly telemetry: TelemetryOptions | undefined;
  readonly attach: AttachMode | undefined;
  readonly resultChars: number;
  readonly resultTokens: number;
  readonly readTokens: number;
  readonly maxSessions: number;
  readonly maxServices: number;
  readonly maxJobs: number;
  readonly jobMs: number;
  readonly spillTotalBytes: number | undefined;
}

const KEYS = [
  ...[
    'workspace',
    'roots',
    'project',
    'changes',
    'terminal',
    'files',
    'bus',
    'chat',
    'tools',
    'customTools',
    'mcpServers',
    'redaction',
    'audit',
    'limits',
  ],
  ...['mcpReadyMs', 'mcpLock', 'attach', 'approve', 'telemetry'],
] as const;

const CHARS_RANGE = { min: MIN_RESULT_CHARS, max: MAX_RESULT_CHARS, unit: 'characters' };
const TOKENS_RANGE = { min: MIN_RESULT_TOKENS, max: MAX_EXCERPT_TOKENS, unit: 'tokens' };
const PROGRAMS_RANGE = { min: 0, max: MAX_LIVE_PROGRAMS, unit: 'programs' };

const LIMIT_CHECKS = {
  resultChars: integer(CHARS_RANGE, DEFAULT_RESULT_CHARS),
  resultTokens: integer(TOKENS_RANGE, DEFAULT_RESULT_TOKENS),
  readTokens: integer(TOKENS_RANGE, DEFAULT_READ_TOKENS),
  sessions: integer(PROGRAMS_RANGE, DEFAULT_MAX_SESSIONS),
  jobs: integer(PROGRAMS_RANGE, DEFAULT_MAX_JOBS),
  jobMs: integer(JOB_LIFE_RANGE, DEFAULT_JOB_MS),
  services: integer(PROGRAMS_RANGE, DEFAULT_MAX_SERVICES),
  spillTotalBytes: spillTotalOption,
};

/** Names of tools for jobs begin so. */
const JOB_PREFIX = 'job_';

const WAIT_TOOL = 'job_wait';

const ATTACH_MODES = ['read', 'keyboard'] as const;

const SET_BY_TOOLKIT = ['roots', 'redactor', 'approve'] as const;

const READY_RANGE = { min: 0, max: MAX_READY_MS, unit: 'milliseconds' };

/** The options of the toolkit that are given instead. */
const TOOLKIT_OPTIONS = { roots: 'roots', redactor: 'redaction', approve: 'approve' } as const;

/** Share of the kept bytes of an output that comes from its beginning. */
const HEAD_SHARE = 0.3;

/** Characters reserved for the status line, the notes and the line with the omitted counts. */
const RESERVED_CHARS = 400;

/** Share of a small result that its output gets at least. */
const MIN_OUTPUT_SHARE = 0.5;

/** How many bytes of an output are kept: as many as fit into a result, so that an output is cut only once. */
function keptBytes(resultChars: number): { readonly headBytes: number; readonly tailBytes: number } {
  const totalBytes = Math.floor(Math.max(resultChars - RESERVED_CHARS, resultChars * MIN_OUTPUT_SHARE));
  const headBytes = Math.floor(totalBytes * HEAD_SHARE);
  return { headBytes, tailBytes: totalBytes - headBytes };
}

/** Checks the options of a toolkit; those of its terminal are checked by the terminal. */
export function checkToolkitOptions(options: unknown): CheckedToolkitOptions {
  // The redactor comes first, because it masks the errors about the other options.
  const redaction = typeof options === 'object' && options !== null && 'redaction' in options;
  const redactor = redactorOf(redaction ? options.redaction : undefined);
  return withMaskedErrors(redactor, () => checkWithRedactor(options, redactor));
}

function checkWithRedactor(options: unknown, redactor: Redactor): CheckedToolkitOptions {
  const givenOptions = optionsObject(options, 'options', KEYS);
  const limits = checkedOptions(
    givenOptions['limits'] === undefined ? {} : givenOptions['limits'],
    'limits',
    LIMIT_CHECKS,
  );
  const { resultChars, resultTokens } = limits;
  const givenRoots = rootsOf(givenOptions);
  const rootPaths = givenRoots.map((root) => path.resolve(typeof root === 'string' ? root : root.path));
  const project = projectOption(givenOptions['project'], rootPaths[0] ?? '');
  const givenTerminal = terminalOptions(givenOptions['terminal']);
  const terminal = project === undefined ? givenTerminal : withPresets(givenTerminal, project);
  const roots = project === undefined ? givenRoots : rootsOfFiles(givenRoots, project);
  const commandRoots = project === undefined ? givenRoots : rootsOfCommands(givenRoots, project);
  const chat = chatOptions(givenOptions['bus'], givenOptions['chat']);
  const customTools = customToolsOption(givenOptions['customTools']);
  const mcpServers = mcpServersOption(givenOptions['mcpServers'], 'mcpServers');
  const audit = auditOption(givenOptions['audit'], terminal);
  const approve = functionOption<Approve>(givenOptions['approve'], 'approve');
  const files = keptChanges(guardOptions(givenOptions['files']));
  const changes = nameOption(givenOptions['changes'], 'changes', CHANGES_MODES) ?? 'direct';
  if (changes === 'staged' && files.changes === false) {
    const message = "`changes: 'staged'` keeps what it replaces: it does not go with `files: { changes: false }`";
    throw new HandrailError('ERR_INVALID_ARGUMENT', message, { data: { name: 'changes' } });
  }
  return Object.freeze({
    project,
    projectNetwork: project && projectNetwork(project, givenTerminal.confine, rootPaths),
    terminal: {
      ...withUnreadChanges(terminal, files, rootPaths),
      output: { ...keptBytes(resultChars), excerptTokens: resultTokens, ...terminal.output },
      roots: commandRoots,
      redactor,
      ...(approve === undefined ? {} : { approve }),
    },
    files: { ...files, roots, redactor },
    changes,
    chat,
    tools: publishedTools(
      givenOptions['tools'],
      { hasChat: chat !== undefined, hasJobs: limits.jobs > 0 },
      customTools,
      mcpServers,
    ),
    customTools,
    namesTools: givenOptions['tools'] !== undefined,
    mcpServers,
    mcpReadyMs: integerOption(givenOptions['mcpReadyMs'], 'mcpReadyMs', READY_RANGE, DEFAULT_READY_MS),
    mcpLock: lockOption(givenOptions['mcpLock'], terminal),
    redactor,
    audit,
    telemetry: telemetryOption(givenOptions['telemetry']),
    attach: nameOption(givenOptions['attach'], 'attach', ATTACH_MODES),
    resultChars,
    resultTokens,
    readTokens: limits.readTokens,
    maxSessions: limits.sessions,
    maxServices: limits.services,
    maxJobs: limits.jobs,
    jobMs: limits.jobMs,
    spillTotalBytes: limits.spillTotalBytes,
  });
}

/** Checks `audit`. A file is opened when the roots are. */
function auditOption(value: unknown, { confine }: ToolkitTerminalOptions): CheckedToolkitOptions['audit'] {
  if (typeof value !== 'object' || value === null) return functionOption<AuditListener>(value, 'audit');
  const file = textValue(optionsObject(value, 'audit', ['file'])['file'], 'audit.file');
  assertHeldBack('audit.file', confine);
  return { file };
}

/** Checks `mcpLock`. The file is read when the roots are open. */
function lockOption(value: unknown, { confine }: ToolkitTerminalOptions): string | true | undefined {
  if (value === undefined) return undefined;
  const file = value === true || textValue(value, 'mcpLock');
  assertHeldBack('mcpLock', confine);
  return file;
}

/** Refuses a file of the host where commands write everywhere. */
function assertHeldBack(name: string, confine: ToolkitTerminalOptions['confine']): void {
  if (confine?.writes !== 'any') return;
  throw new HandrailError(
    'ERR_INVALID_ARGUMENT',
    `\`${name}\` does not go with \`confine: { writes: 'any' }\`: commands could write the file too`,
    { data: { name } },
  );
}

/** Refuses options that the toolkit sets. The terminal checks the others. */
function terminalOptions(value: unknown): ToolkitTerminalOptions {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidArgument('terminal', 'an object', value);
  }
  const misplaced = SET_BY_TOOLKIT.find((key) => key in value);
  if (misplaced === undefined) return value;
  throw new HandrailError(
    'ERR_INVALID_ARGUMENT',
    `\`terminal.${misplaced}\` is decided for all tools: give \`${TOOLKIT_OPTIONS[misplaced]}\` of the toolkit instead`,
    { data: { name: `terminal.${misplaced}` } },
  );
}

/** Checks the keys. The file engine checks the values. */
function guardOptions(value: unknown): FileGuardOptions {
  return value === undefined ? {} : optionsObject(value, 'files', GUARD_KEYS);
}

/** The files of a toolkit keep what changes replace unless the host says otherwise. */
function keptChanges(options: FileGuardOptions): FileGuardOptions {
  return { ...options, changes: options.changes ?? {} };
}

/** The names of the tools that are published. */
function publishedTools(
  value: unknown,
  { hasChat, hasJobs }: { readonly hasChat: boolean; readonly hasJobs: boolean },
  customTools: readonly CheckedCustomTool[],
  servers: readonly CheckedMcpServer[],
): readonly string[] {
  const names = listOption(value, 'tools', MAX_LIST_ENTRIES, textValue);
  const known = [...CATALOGUE, ...customTools].map(({ name }) => name);
  const need = (name: string): string | undefined => {
    if (name === CHAT_TOOL && !hasChat) return '`bus` or `chat`';
    return name.startsWith(JOB_PREFIX) && !hasJobs ? '`limits.jobs` above 0' : undefined;
  };
  if (names === undefined) return known.filter((name) => need(name) === undefined);
  for (const name of names) {
    const needed = need(name);
    if (needed === undefined) continue;
    throw new HandrailError('ERR_INVALID_ARGUMENT', `\`tools\` names ${name}, which needs ${needed}`, {
      data: { name: 'tools' },
    });
  }
  for (const [index, name] of names.entries()) {
    if (known.includes(name)) continue;
    // Whether a server has the tool is known only when it is connected.
    if (servers.some((server) => name.startsWith(`${MCP_PREFIX}${server.name}__`))) continue;
    const knownNames = known.join(', ');
    throw new HandrailError(
      'ERR_UNKNOWN_TOOL',
      `There is no tool of the name in \`tools[${index}]\`; there are ${knownNames}`,
      {
        data: { name: `tools[${index}]` },
      },
    );
  }
  // The other tools for jobs are of no use without the one that waits.
  const isJobTool = (name: string): boolean =>
    name.startsWith(JOB_PREFIX) && CATALOGUE.some((tool) => tool.name === name);
  return names.includes(WAIT_TOOL) ? names : names.filter((name) => !isJobTool(name));
}

function redactorOf(value: unknown): Redactor {
  if (Redactor.isRedactor(value)) return value;
  return new Redactor(value === undefined ? {} : (value as RedactorOptions));
}

function rootsOf(given: Record<string, unknown>): readonly Root[] {
  const workspace = textOption(given['workspace'], 'workspace');
  if ((workspace === undefined) === (given['roots'] === undefined)) {
    throw new HandrailError('ERR_INVALID_ARGUMENT', 'Give either `workspace` or `roots`', {
      data: { name: 'workspace' },
    });
  }
  if (workspace !== undefined) {
    assertDirectory(workspace, 'workspace');
    return [{ path: path.resolve(workspace), mode: 'rw' }];
  }
  const roots = given['roots'] as readonly Root[];
  if (!Array.isArray(roots) || roots.length === 0) {
    throw new HandrailError('ERR_INVALID_ARGUMENT', 'Expected `roots` to be an array with at least one root', {
      data: { name: 'roots' },
    });
  }
  for (const [index, root] of roots.entries()) {
    const name = `roots[${index}]`;
    assertDirectory(textValue(typeof root === 'string' ? root : root?.path, `${name}.path`), name);
  }
  return roots;
}

/** Fails early with a clear message. Access is checked when the directory is opened. */
function assertDirectory(directory: string, name: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new HandrailError('ERR_INVALID_ARGUMENT', `\`${name}\` does not name a directory that exists`, {
    data: { name },
  });
}
