import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import path from 'node:path';
import {
  booleanOption,
  checkedOptions,
  integerOption,
  invalidArgument,
  list,
  oneOf,
  signalOption,
  textOption,
  textValue,
} from '../config/validate.js';
import { HandrailError } from '../errors.js';
import { MIN_TOKEN_CHARS } from './limits.js';

/** Certificates for TLS, in PEM. */
export interface ServeTlsOptions {
  /** The certificate of the server, with those between it and its authority. */
  readonly cert: string | Uint8Array;
  /** Its private key. */
  readonly key: string | Uint8Array;
  /** The authority of clients: a client without a certificate of it is refused. Default: clients need none. */
  readonly clientCa?: string | Uint8Array | undefined;
}

/** How the tools of a toolkit are served over HTTP. */
export interface ServeMcpHttpOptions {
  /** The address to listen on. Default: `'127.0.0.1'`. */
  readonly host?: string | undefined;
  /** The port. Default: a free one. Range: 0 to 65,535. */
  readonly port?: number | undefined;
  /** Absolute path of a Unix socket, which takes the place of `host` and `port`. It is made for this user alone. Default: none. */
  readonly socket?: string | undefined;
  /** False: nothing is listened on, and the requests come from a server of yours through `handle`. Default: true. */
  readonly listen?: boolean | undefined;
  /**
   * The token of each caller, by the caller's name: at least 16 characters. Each caller has sessions, jobs and spilled outputs
   * of its own. Default: one token that is made, for the caller `default`.
   */
  readonly tokens?: Readonly<Record<string, string>> | undefined;
  /** `'none'`: whoever reaches the server is its caller. Only for a socket or an address of loopback. Default: `'token'`. */
  readonly auth?: 'token' | 'none' | undefined;
  /** Certificates. Default: none, and what lies between a proxy and this server is not encrypted. */
  readonly tls?: ServeTlsOptions | undefined;
  /** Names that requests may have in `Host`, beside the address that is listened on. Default: none. */
  readonly hosts?: readonly string[] | undefined;
  /** What browsers may say in `Origin`. Default: none, so that no page of a browser is answered. */
  readonly origins?: readonly string[] | undefined;
  /** Ends the serving when it fires, as `close()` does. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** A server of MCP over HTTP that is running. */
export interface ServedMcpHttp extends AsyncDisposable {
  /** Where it is reached, with the path. Absent where it does not listen. */
  readonly url: string | undefined;
  /** The token of each caller, by name. Empty with `auth: 'none'`. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Answers a request that a server of yours got. It judges `Host`, `Origin` and token as if it had listened itself. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Takes no further calls, waits for those that are open, cancels the rest and ends. The toolkit stays open.
   *
   * @param options `graceMs`: how long open calls are waited for, in milliseconds. Default: 0.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<void>;
}

/** The caller where there is one token, or none. */
export const ONLY_CALLER = 'default';

const TOKEN_BYTES = 32;
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const ANY_ADDRESS = ['0.0.0.0', '::'];
const MAX_PORT = 65_535;
const MAX_NAMES = 256;

/** Checked options of a server. */
export interface CheckedHttpOptions {
  readonly host: string;
  readonly port: number;
  readonly socket: string | undefined;
  readonly listen: boolean;
  /** Empty where nobody has to show a token. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly tls: ServeTlsOptions | undefined;
  /** In lower case. */
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  readonly signal: AbortSignal | undefined;
}

export function checkHttpOptions(options: ServeMcpHttpOptions): CheckedHttpOptions {
  const checked = checkedOptions(options, 'options', CHECKS);
  const { socket, hosts = [], origins = [], auth, listen, port = 0, tls, signal } = checked;
  const host = checked.host ?? '127.0.0.1';
  const isNear = socket !== undefined || isLoopback(host);
  assertFit(checked, host, isNear);
  const tokens = checked.tokens ?? new Map([[ONLY_CALLER, randomBytes(TOKEN_BYTES).toString('base64url')]]);
  return {
    ...{ host, port, socket, listen, tls, signal },
    tokens: auth === 'none' ? new Map() : tokens,
    hosts: new Set([...(isNear ? LOOPBACK_NAMES : []), isIP(host) === 6 ? `[${host}]` : host, ...hosts].map(lower)),
    origins: new Set(origins.map(lower)),
  };
}

/** Refuses options that do not go together. */
function assertFit(given: ReturnType<typeof checkedOptions<typeof CHECKS>>, host: string, isNear: boolean): void {
  const { socket, hosts = [], auth, listen, tokens } = given;
  const problems: readonly (readonly [boolean, string])[] = [
    [
      socket !== undefined && (given.host !== undefined || given.port !== undefined),
      '`socket` takes the place of `host` and `port`: leave one of them out',
    ],
    [
      auth === 'none' && (!isNear || !listen),
      "`auth: 'none'` is for a socket, or an address of loopback: others need `tokens`",
    ],
    [auth === 'none' && tokens !== undefined, "`tokens` and `auth: 'none'` do not go together"],
    [
      ANY_ADDRESS.includes(host) && hosts.length === 0 && listen,
      '`hosts` has to say which names are those of this server, where it listens on every address',
    ],
  ];
  const problem = problems.find(([isThere]) => isThere);
  if (problem !== undefined) throw unfit(problem[1]);
}

/** Whether an address leads to this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function lower(name: string): string {
  return name.toLowerCase();
}

function unfit(message: string): HandrailError {
  return new HandrailError('ERR_INVALID_ARGUMENT', message);
}

function isPem(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array;
}

const CHECKS = {
  host: textOption,
  port: (value: unknown, name: string) =>
    value === undefined ? undefined : integerOption(value, name, { min: 0, max: MAX_PORT, unit: 'ports' }, 0),
  socket: (value: unknown, name: string) => {
    const socket = textOption(value, name);
    if (socket === undefined || path.isAbsolute(socket)) return socket;
    throw invalidArgument(name, 'an absolute path', value);
  },
  listen: (value: unknown, name: string) => booleanOption(value, name, true),
  tokens: (value: unknown, name: string): ReadonlyMap<string, string> | undefined => {
    if (value === undefined) return;
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    // The value is a secret: no message has it.
    const isToken = ([caller, token]: [string, unknown]) =>
      caller !== '' && typeof token === 'string' && token.length >= MIN_TOKEN_CHARS && /^[\x21-\x7e]+$/.test(token);
    if (entries.length === 0 || !entries.every(isToken))
      throw unfit(`\`${name}\` has for each caller a token of at least ${MIN_TOKEN_CHARS} visible letters of ASCII`);
    const tokens = new Map(entries as [string, string][]);
    if (new Set(tokens.values()).size < tokens.size) throw unfit(`\`${name}\` has one token for two callers`);
    return tokens;
  },
  auth: oneOf(['token', 'none']),
  tls: (value: unknown, name: string): ServeTlsOptions | undefined => {
    if (value === undefined) return;
    const { cert, key, clientCa } = (
      typeof value === 'object' && value !== null ? value : {}
    ) as Partial<ServeTlsOptions>;
    if (!isPem(cert) || !isPem(key) || !(clientCa === undefined || isPem(clientCa)))
      throw unfit(`\`${name}\` has \`cert\` and \`key\`, and may have \`clientCa\`, in PEM`);
    return { cert, key, clientCa };
  },
  hosts: list(MAX_NAMES, textValue),
  origins: list(MAX_NAMES, textValue),
  signal: signalOption,
};
