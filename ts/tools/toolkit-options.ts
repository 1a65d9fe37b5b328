import { statSync } from 'node:fs';
import path from 'node:path';
import type { AuditListener } from '../audit/listeners.js';
import type { Bus } from '../bus/bus.js';
import {
  functionOption,
  integerOption,
  invalidArgument,
  listOption,
  optionsObject,
  textOption,
  textValue,
} from '../config/validate.js';
import { HandrailError } from '../errors.js';
import { type FileGuardOptions, type FilesOptions, GUARD_KEYS } from '../files/options.js';
import { DEFAULT_READY_MS, MAX_READY_MS } from '../mcp/limits.js';
import { MCP_PREFIX } from '../mcp/names.js';
import { type CheckedMcpServer, type McpServerOptions, mcpServersOption } from '../mcp/server-options.js';
import type { RedactorOptions } from '../redaction/options.js';
import { Redactor } from '../redaction/redactor.js';
import { MAX_EXCERPT_TOKENS } from '../redaction/text.js';
import type { Approve } from '../terminal/approval.js';
import { DEFAULT_MAX_SERVICES, DEFAULT_MAX_SESSIONS, MAX_LIST_ENTRIES, MAX_LIVE_PROGRAMS } from '../terminal/limits.js';
import { withMaskedErrors } from '../terminal/masked-errors.js';
import { type Root, spillTotalOption, type TerminalOptions } from '../terminal/options.js';
import { CATALOGUE } from './catalogue.js';
import { CHAT_TOOL, chatOptions, type ToolkitChatOptions } from './chat-options.js';
import type { ChatHost } from './host.js';
import {
  DEFAULT_RESULT_CHARS,
  DEFAULT_RESULT_TOKENS,
  MAX_RESULT_CHARS,
  MIN_RESULT_CHARS,
  MIN_RESULT_TOKENS,
} from './limits.js';

/** A terminal's options, less those a toolkit decides for all of its tools. */
export type ToolkitTerminalOptions = Omit<TerminalOptions, 'roots' | 'redactor' | 'approve'>;

/** What bounds every tool of a toolkit. */
export interface ToolkitLimits {
  /**
   * Unicode characters of a result for the model. Default: 30,000. Range: 200 to 1,000,000.
   */
  readonly resultChars?: number | undefined;
  /**
   * Tokens of the output of a command or session in a result for the model, estimated to within some 15 %. Of a longer output the lines are
   * shown that tell most. Default: 4,000. Range: 100 to 100,000.
   */
  readonly resultTokens?: number | undefined;
  /** Sessions that are open at the same time; one more is refused. Default: 16. Range: 0 to 256. */
  readonly sessions?: number | undefined;
  /** Servers of tools that run at the same time; one more is refused. Default: 16. Range: 0 to 256. */
  readonly services?: number | undefined;
  /**
   * What all spill files take together, in bytes; see `spillTotalBytes` of `OutputOptions`.
   * Default: 256 MiB. Range: 0 to 64 GiB.
   */
  readonly spillTotalBytes?: number | undefined;
}

/** How a toolkit is made. Either `workspace` or `roots` has to be given. */
export interface ToolkitOptions {
  /** The directory the agent works in: the same as one root with mode `rw`. It has to exist, and not be `/`. */
  readonly workspace?: string | undefined;
  /** The directories the agent works in; the first one is where commands start and paths of files. See `Root` for their modes. */
  readonly roots?: readonly Root[] | undefined;
  /** What may run, and how. Default: nothing may. */
  readonly terminal?: ToolkitTerminalOptions | undefined;
  /** What protects files inside of the roots. Default: that of each option. */
  readonly files?: FileGuardOptions | undefined;
  /** Where `chat_send` sends to; closing it stays yours. Default: none, or with `chat` that of `getBus()`. */
  readonly bus?: Bus | undefined;
  /** Lets the agent send messages, and says as whom. Default: no `chat_send` without `bus`. */
  readonly chat?: ToolkitChatOptions | undefined;
  /** Names of the tools that are published; every other is unknown. Default: all of them. */
  readonly tools?: readonly string[] | undefined;
  /**
   * MCP servers whose tools are published as `mcp__server__tool`. They are connected side by side; one that fails is a
   * process warning with the code `HANDRAIL_MCP`. Default: none.
   */
  readonly mcpServers?: readonly McpServerOptions[] | undefined;
  /**
   * Milliseconds that `createToolkit` waits for its MCP servers. The tools of a later one are published when it is
   * ready, which `on('tools', ...)` tells; one is given up after 30 s. Default: 5,000. Range: 0 to 60,000.
   */
  readonly mcpReadyMs?: number | undefined;
  /** What is masked, as options or as a redactor of your own. Default: the built-in rules. */
  readonly redaction?: RedactorOptions | Redactor | undefined;
  /** Gets a record of each call, as `on('call', ...)` does. Default: none. */
  readonly audit?: AuditListener | undefined;
  /** What bounds every tool. Default: that of each limit. */
  readonly limits?: ToolkitLimits | undefined;
  /** Asked about commands the policy leaves open. Default: none, such commands are denied. */
  readonly approve?: Approve | undefined;
}

/** The options, checked. */
export interface CheckedToolkitOptions {
  readonly terminal: TerminalOptions & { readonly roots: readonly Root[]; readonly redactor: Redactor };
  readonly files: FilesOptions;
  /** Undefined where no message can be sent. */
  readonly chat: ChatHost | undefined;
  /** Names of tools that are published. */
  readonly tools: readonly string[];
  /** Whether `tools` were named: then those of MCP servers have to be among them. */
  readonly namesTools: boolean;
  readonly mcpServers: readonly CheckedMcpServer[];
  readonly mcpReadyMs: number;
  readonly redactor: Redactor;
  readonly audit: AuditListener | undefined;
  readonly resultChars: number;
  readonly resultTokens: number;
  readonly maxSessions: number;
  readonly maxServices: number;
  readonly spillTotalBytes: number | undefined;
}

const KEYS = [
  ...['workspace', 'roots', 'terminal', 'files', 'bus', 'chat', 'tools', 'mcpServers', 'redaction', 'audit', 'limits'],
  ...['mcpReadyMs', 'approve'],
] as const;
const LIMIT_KEYS = ['resultChars', 'resultTokens', 'sessions', 'services', 'spillTotalBytes'] as const;
const DECIDED_BY_TOOLKIT = ['roots', 'redactor', 'approve'] as const;

const READY_RANGE = { min: 0, max: MAX_READY_MS, unit: 'milliseconds' };

/** Where those are given instead. */
const PLACES = { roots: 'roots', redactor: 'redaction', approve: 'approve' } as const;

/** Of what is kept of an output, the part that comes from its beginning. */
const HEAD_SHARE = 0.3;

/** Characters of a result left to its status line, its notes and the line with the omitted counts. */
const FRAME_CHARS = 400;

/** Of a small result, the part its output gets at least. */
const MIN_OUTPUT_SHARE = 0.5;

/** What is kept of an output, in bytes: as much as a result has room for, so that it is cut once and counted exactly. */
function keptBytes(resultChars: number): { readonly headBytes: number; readonly tailBytes: number } {
  const kept = Math.floor(Math.max(resultChars - FRAME_CHARS, resultChars * MIN_OUTPUT_SHARE));
  const headBytes = Math.floor(kept * HEAD_SHARE);
  return { headBytes, tailBytes: kept - headBytes };
}

/** Checks the options of a toolkit; those of its terminal are checked by the terminal. */
export function checkToolkitOptions(options: unknown): CheckedToolkitOptions {
  // First: what it knows masks the errors about everything else.
  const redaction = typeof options === 'object' && options !== null && 'redaction' in options;
  const redactor = redactorOf(redaction ? options.redaction : undefined);
  return withMaskedErrors(redactor, () => checkedOptions(options, redactor));
}

function checkedOptions(options: unknown, redactor: Redactor): CheckedToolkitOptions {
  const given = optionsObject(options, 'options', KEYS);
  const limits = given['limits'] === undefined ? {} : optionsObject(given['limits'], 'limits', LIMIT_KEYS);
  const live = { min: 0, max: MAX_LIVE_PROGRAMS, unit: 'programs' };
  const range = { min: MIN_RESULT_CHARS, max: MAX_RESULT_CHARS, unit: 'characters' };
  const resultChars = integerOption(limits['resultChars'], 'limits.resultChars', range, DEFAULT_RESULT_CHARS);
  const tokenRange = { min: MIN_RESULT_TOKENS, max: MAX_EXCERPT_TOKENS, unit: 'tokens' };
  const resultTokens = integerOption(limits['resultTokens'], 'limits.resultTokens', tokenRange, DEFAULT_RESULT_TOKENS);
  const roots = rootsOf(given);
  const terminal = terminalOptions(given['terminal']);
  const chat = chatOptions(given['bus'], given['chat']);
  const mcpServers = mcpServersOption(given['mcpServers'], 'mcpServers');
  const audit = functionOption<AuditListener>(given['audit'], 'audit');
  const approve = functionOption<Approve>(given['approve'], 'approve');
  return Object.freeze({
    terminal: {
      ...terminal,
      output: { ...keptBytes(resultChars), excerptTokens: resultTokens, ...terminal.output },
      roots,
      redactor,
      ...(approve === undefined ? {} : { approve }),
    },
    files: { ...guardOptions(given['files']), roots, redactor },
    chat,
    tools: publishedTools(given['tools'], chat !== undefined, mcpServers),
    namesTools: given['tools'] !== undefined,
    mcpServers,
    mcpReadyMs: integerOption(given['mcpReadyMs'], 'mcpReadyMs', READY_RANGE, DEFAULT_READY_MS),
    redactor,
    audit,
    resultChars,
    resultTokens,
    maxSessions: integerOption(limits['sessions'], 'limits.sessions', live, DEFAULT_MAX_SESSIONS),
    maxServices: integerOption(limits['services'], 'limits.services', live, DEFAULT_MAX_SERVICES),
    spillTotalBytes: spillTotalOption(limits['spillTotalBytes'], 'limits.spillTotalBytes'),
  });
}

/** Its other keys are checked by the terminal that gets them. */
function terminalOptions(value: unknown): ToolkitTerminalOptions {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidArgument('terminal', 'an object', value);
  }
  const misplaced = DECIDED_BY_TOOLKIT.find((key) => key in value);
  if (misplaced === undefined) return value;
  throw new HandrailError(
    'ERR_INVALID_ARGUMENT',
    `\`terminal.${misplaced}\` is decided for all tools: give \`${PLACES[misplaced]}\` of the toolkit instead`,
    { data: { name: `terminal.${misplaced}` } },
  );
}

/** Its values are checked by the file engine that gets them. */
function guardOptions(value: unknown): FileGuardOptions {
  return value === undefined ? {} : optionsObject(value, 'files', GUARD_KEYS);
}

/** The names of the tools that are published. */
function publishedTools(value: unknown, hasChat: boolean, servers: readonly CheckedMcpServer[]): readonly string[] {
  const names = listOption(value, 'tools', MAX_LIST_ENTRIES, textValue);
  if (names === undefined) return CATALOGUE.map(({ name }) => name).filter((name) => hasChat || name !== CHAT_TOOL);
  if (!hasChat && names.includes(CHAT_TOOL)) {
    throw new HandrailError('ERR_INVALID_ARGUMENT', `\`tools\` names ${CHAT_TOOL}, which needs \`bus\` or \`chat\``, {
      data: { name: 'tools' },
    });
  }
  for (const [index, name] of names.entries()) {
    if (CATALOGUE.some((spec) => spec.name === name)) continue;
    // What a server has is known once it is connected.
    if (servers.some((server) => name.startsWith(`${MCP_PREFIX}${server.name}__`))) continue;
    const known = CATALOGUE.map((spec) => spec.name).join(', ');
    throw new HandrailError(
      'ERR_UNKNOWN_TOOL',
      `There is no tool of the name in \`tools[${index}]\`; there are ${known}`,
      {
        data: { name: `tools[${index}]` },
      },
    );
  }
  return names;
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

/** For the message only: directories are opened, and judged, when a command starts in them. */
function assertDirectory(directory: string, name: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new HandrailError('ERR_INVALID_ARGUMENT', `\`${name}\` does not name a directory that exists`, {
    data: { name },
  });
}
