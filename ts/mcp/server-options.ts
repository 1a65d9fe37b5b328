import {
  booleanOption,
  type Checked,
  checkedOptions,
  functionOption,
  integer,
  invalidArgument,
  list,
  listOption,
  textOption,
  textValue,
} from '../config/validate.js';
import { HandrailError } from '../errors.js';
import { type ConfineOptions, confineOption } from '../terminal/confine.js';
import { environmentOption } from '../terminal/environment.js';
import { MAX_LIST_ENTRIES } from '../terminal/limits.js';
import { isHeaderText } from './http-link.js';
import {
  DEFAULT_CALL_TIMEOUT_MS,
  DEFAULT_MAX_CALL_MS,
  MAX_CALL_MS,
  MAX_CALL_TIMEOUT_MS,
  MAX_HEADERS,
  MAX_MCP_SERVERS,
  MAX_SERVER_NAME_CHARS,
  MAX_TOOLS_PER_SERVER,
  MIN_CALL_TIMEOUT_MS,
} from './limits.js';
import { isServerName } from './names.js';

/**
 * An MCP server: a program that is started and communicates over its standard input and output (`command`), or one that is
 * called over HTTP (`url`).
 */
export interface McpServerOptions {
  /** The name that its tools are published under: letters, digits, `-` and single `_` inside, at most 32 characters. */
  readonly name: string;
  /** The program. The host chooses it, so no list judges it. Either this or `url` is given. */
  readonly command?: string | undefined;
  /**
   * The address of a server of Streamable HTTP, without a user and a password. With `http:` it has to be on the loopback, or
   * get neither `headers` nor `token`. `args`, `cwd`, `env` and `confine` do not go with it. Default: none.
   */
  readonly url?: string | undefined;
  /**
   * Headers of each request to `url`. Their values are known secrets of the redactor from then on, so that one that many texts
   * contain is refused. Default: none.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Gives the token that a request to `url` is sent with (`Authorization: Bearer …`), such as one of OAuth. Asked before each
   * request, within 30 s; a token is a known secret of the redactor before it is sent. Default: none.
   */
  readonly token?: (() => string | Promise<string>) | undefined;
  /** The arguments of the program. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** The working directory, relative to the workspace. Default: the workspace. */
  readonly cwd?: string | undefined;
  /**
   * The environment variables that it gets in addition to the fixed ones of `EnvironmentOptions`. It gets none of the
   * host's variables unless they are given here. Default: none.
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * What the kernel enforces on it and everything that it starts. The terminal's `confine` does not apply, because a
   * server is a program of the host with its own folders. With `writes: 'roots'` it writes beneath the roots of the
   * toolkit; with `exec: 'listed'` its own program may run, and the programs in `allow` of the terminal.
   * Default: `{ writes: 'any', exec: 'any', network: 'any', remove: 'yes' }`.
   */
  readonly confine?: ConfineOptions | undefined;
  /**
   * A call ends after this many milliseconds without a message of the server. Each report of progress starts the time
   * anew, up to `maxCallMs` in all. Default: 60,000. Range: 1 to 600,000.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * A call ends after this many milliseconds, whatever its server reports. Default: 300,000, or `timeoutMs` if that is
   * more. Range: 1 to 3,600,000.
   */
  readonly maxCallMs?: number | undefined;
  /** The tools that are published, by the server's names. Default: all tools. */
  readonly tools?: readonly string[] | undefined;
  /**
   * The tools that may be called, by the server's names; `'get_*'` stands for all that begin so, `'*'` for all. Others are
   * denied. Default: all tools.
   */
  readonly allow?: readonly string[] | undefined;
  /** The tools about which `approve` is asked, in the same way; this counts before `allow`. Default: none. */
  readonly ask?: readonly string[] | undefined;
  /** The tools that are denied, in the same way; this counts before `ask`. Default: none. */
  readonly deny?: readonly string[] | undefined;
  /**
   * Whether its tools are pinned: where they are others than were approved (`mcpLock`), or than when this process first saw
   * them, none is offered until somebody approves the change. With false whatever it lists is offered. Default: true.
   */
  readonly pinned?: boolean | undefined;
}

const TIMEOUT_RANGE = { min: MIN_CALL_TIMEOUT_MS, max: MAX_CALL_TIMEOUT_MS, unit: 'milliseconds' };
const MAX_CALL_RANGE = { ...TIMEOUT_RANGE, max: MAX_CALL_MS };

const HTTP_ONLY = ['headers', 'token'] as const;
const PROGRAM_ONLY = ['args', 'cwd', 'env', 'confine'] as const;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
/** Set by the protocol, or by what sends the request. */
const RESERVED_HEADERS: readonly string[] = [
  'accept',
  'connection',
  'content-length',
  'content-type',
  'host',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
];

const CHECKS = {
  name: textValue,
  command: textOption,
  url: urlOption,
  headers: headersOption,
  token: functionOption<() => string | Promise<string>>,
  args: (value: unknown, name: string) => listOption(value, name, MAX_LIST_ENTRIES, argument) ?? [],
  cwd: textOption,
  env: (value: unknown) => environmentOption(value === undefined ? {} : { set: value }).set ?? {},
  confine: confineOption,
  timeoutMs: integer(TIMEOUT_RANGE, DEFAULT_CALL_TIMEOUT_MS),
  maxCallMs: integer(MAX_CALL_RANGE, DEFAULT_MAX_CALL_MS),
  tools: list(MAX_TOOLS_PER_SERVER, textValue),
  allow: list(MAX_TOOLS_PER_SERVER, textValue),
  ask: list(MAX_TOOLS_PER_SERVER, textValue),
  deny: list(MAX_TOOLS_PER_SERVER, textValue),
  pinned: (value: unknown, name: string) => booleanOption(value, name, true),
};

/** Checked options of a server. */
export type CheckedMcpServer = Checked<typeof CHECKS>;

/**
 * Checks a list of servers.
 *
 * @param isTaken Names that are in use.
 */
export function mcpServersOption(
  value: unknown,
  name: string,
  isTaken: (server: string) => boolean = () => false,
): readonly CheckedMcpServer[] {
  const seenNames = new Set<string>();
  const servers = listOption(value, name, MAX_MCP_SERVERS, (entry, place) => {
    const server = checkedServer(entry, place);
    // Names that differ only in upper and lower case would be confused.
    const key = server.name.toLowerCase();
    if (seenNames.has(key) || isTaken(server.name)) {
      throw wrongName(place, `There is an MCP server of the name in \`${place}.name\` already`);
    }
    seenNames.add(key);
    return server;
  });
  return servers ?? [];
}

function checkedServer(value: unknown, place: string): CheckedMcpServer {
  const server = checkedOptions(value, place, CHECKS);
  if (!isServerName(server.name)) {
    throw wrongName(
      place,
      `Expected \`${place}.name\` to be at most ${MAX_SERVER_NAME_CHARS} letters, digits, - and single _ inside`,
    );
  }
  checkWay(server, value as McpServerOptions, place);
  const isMaxGiven = (value as McpServerOptions).maxCallMs !== undefined;
  return isMaxGiven ? server : { ...server, maxCallMs: Math.max(server.maxCallMs, server.timeoutMs) };
}

/** Checks that a server is started or called, and that a secret goes to nobody who listens on the way. */
function checkWay({ command, url, headers, token }: CheckedMcpServer, given: McpServerOptions, place: string): void {
  const invalid = (name: string, message: string): HandrailError =>
    new HandrailError('ERR_INVALID_ARGUMENT', message, { data: { name } });
  if ((command === undefined) === (url === undefined)) {
    throw invalid(place, `Give either \`${place}.command\` or \`${place}.url\``);
  }
  const others = url === undefined ? HTTP_ONLY : PROGRAM_ONLY;
  const misplaced = others.find((key) => given[key] !== undefined);
  if (misplaced !== undefined) {
    const way = url === undefined ? 'a program' : 'a server that is called';
    throw invalid(`${place}.${misplaced}`, `\`${place}.${misplaced}\` does not go with ${way}`);
  }
  const isSecret = token !== undefined || Object.keys(headers).length > 0;
  if (url !== undefined && isSecret && !isSafeFromListeners(new URL(url))) {
    throw invalid(`${place}.url`, `\`${place}.url\` has to begin with https:, because it is sent headers or a token`);
  }
}

function isSafeFromListeners({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || LOOPBACK.test(hostname);
}

/** Checks the address of a server. The message does not repeat it. */
function urlOption(value: unknown, name: string): string | undefined {
  const text = textOption(value, name);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalidArgument(name, 'an address that begins with https: or http:', value);
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidArgument(
      name,
      'an address without a user and a password (`headers` and `token` are for these)',
      value,
    );
  }
  return url.href;
}

/** Checks headers. The message does not repeat them. */
function headersOption(value: unknown, name: string): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidArgument(name, 'an object', value);
  const entries: [string, unknown][] = Object.entries(value);
  if (entries.length > MAX_HEADERS) throw invalidArgument(name, `an object with at most ${MAX_HEADERS} headers`, value);
  for (const [header, text] of entries) {
    if (!HEADER_NAME.test(header) || RESERVED_HEADERS.includes(header.toLowerCase())) {
      throw invalidArgument(name, 'an object whose keys are names of headers, none of them of the protocol', value);
    }
    if (typeof text !== 'string' || !isHeaderText(text))
      throw invalidArgument(name, 'an object of printable texts', value);
  }
  return Object.freeze(Object.fromEntries(entries) as Record<string, string>);
}

/** Checks an argument of a program, which may be empty. */
function argument(value: unknown, name: string): string {
  return value === '' ? '' : textValue(value, name);
}

function wrongName(place: string, message: string): HandrailError {
  return new HandrailError('ERR_INVALID_ARGUMENT', message, { data: { name: `${place}.name` } });
}
