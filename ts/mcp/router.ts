import path from 'node:path';
import { HandrailError } from '../errors.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Decision } from '../report/decision.js';
import type { Services } from '../service/service.js';
import { within } from '../terminal/within.js';
import type { McpData } from './data.js';
import { byName } from './names.js';
import { loadMcpSdk, type McpSdk } from './peer.js';
import { type Pins, PROCESS_PINS } from './pins.js';
import { judgeTool } from './rules.js';
import { McpServer } from './server.js';
import type { McpServerInfo } from './server-info.js';
import type { CheckedMcpServer } from './server-options.js';
import type { McpTool } from './tool.js';

/** The options of a router. */
export interface McpRouterOptions {
  /** Masks texts of servers. */
  readonly redactor: Redactor;
  /** The working directory of servers without one of their own. */
  readonly cwd: string;
  /** Gets warnings that belong to no call. Default: a process warning with the code `HANDRAIL_MCP`. */
  readonly onWarning?: (message: string) => void;
  /** Gets the state of a server when its tools have changed, and when it could not be connected. */
  readonly onChange?: (server: McpServerInfo) => void;
  /** The approved tools of servers. Default: those of this process, where the first tools count as approved. */
  readonly pins?: Pins;
  /** Loads the SDK. Default: imports the optional peer dependency. */
  readonly loadSdk?: typeof loadMcpSdk;
}

/** The tool of a name, or the tools of several servers with the same name. */
export type FoundTool =
  | { readonly tool: McpTool; readonly candidates?: never }
  | { readonly tool?: never; readonly candidates: readonly McpTool[] };

/** The servers of one host. It publishes their tools under unique names and routes calls to the right server. */
export class McpRouter {
  /** Servers that are or were connected, by name. */
  readonly clients = new Map<string, McpServerInfo>();
  /** The server of each tool, by published name, sorted. */
  readonly toolMap = new Map<string, string>();
  readonly #services: Services;
  readonly #options: McpRouterOptions;
  readonly #servers = new Map<string, McpServer>();
  /** Names of servers in lower case. */
  readonly #names = new Set<string>();
  /** Names of servers that are or were connected. */
  readonly #connected = new Set<string>();
  #tools: ReadonlyMap<string, McpTool> = new Map();
  #closed: Promise<void> | undefined;

  /** @param services Starts the servers' processes. */
  constructor(services: Services, options: McpRouterOptions) {
    this.#services = services;
    this.#options = options;
  }

  /** Every tool of every server, sorted by name. */
  get tools(): readonly McpTool[] {
    return [...this.#tools.values()];
  }

  /** Every server in the given order. */
  servers(): readonly McpServerInfo[] {
    return [...this.#servers.values()].map(infoOf);
  }

  /** Whether there is a server of this name, ignoring upper and lower case. */
  hasServer(name: string): boolean {
    return this.#names.has(name.toLowerCase());
  }

  /**
   * Connects servers, all at the same time. A server that fails is a warning and does not affect the others.
   *
   * @param readyMs Milliseconds to wait for the servers. Slower servers are still connected later. Default: until each
   * is connected or has failed.
   * @throws HandrailError `ERR_PEER_MISSING` without the SDK, `ERR_CLOSED` after `close()`.
   */
  async connect(servers: readonly CheckedMcpServer[], readyMs?: number): Promise<void> {
    if (servers.length === 0) return;
    if (this.#closed !== undefined) throw new HandrailError('ERR_CLOSED', 'The MCP servers were closed');
    // The names are taken from now on, also while the SDK is loaded.
    for (const { name } of servers) this.#names.add(name.toLowerCase());
    const { loadSdk = loadMcpSdk } = this.#options;
    const sdk = await loadSdk();
    if (this.#closed !== undefined) throw new HandrailError('ERR_CLOSED', 'The MCP servers were closed');
    const newServers = servers.map((options) => this.#createServer(options, sdk));
    for (const server of newServers) this.#servers.set(server.options.name, server);
    const allConnected = Promise.all(newServers.map((server) => this.#connect(server)));
    if (readyMs === undefined) await allConnected;
    else if ((await within(allConnected, readyMs)) === undefined) this.#warnOfLate(newServers, readyMs);
  }

  /** The tool with this published name, or with this name on its server. */
  find(name: string): FoundTool | undefined {
    const published = this.#tools.get(name);
    if (published !== undefined) return { tool: published };
    const owners = this.tools.filter(({ tool }) => tool === name);
    const [only] = owners;
    if (only === undefined) return undefined;
    return owners.length === 1 ? { tool: only } : { candidates: owners };
  }

  /** Judges a call of a tool by the rules of its server. */
  judge(tool: McpTool): Decision {
    return judgeTool(this.#servers.get(tool.server)?.options ?? { allow: [] }, tool);
  }

  /**
   * Calls a tool. Failures of its server are results.
   *
   * @throws HandrailError `ERR_BUSY` when too many calls wait for its server.
   */
  async call(tool: McpTool, args: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<McpData> {
    const server = this.#servers.get(tool.server);
    if (server === undefined) throw new HandrailError('ERR_CLOSED', 'The MCP server was closed');
    return await server.call(tool, args, signal);
  }

  /**
   * Approves the tools that a server listed last.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` where there is no such server, or no such change of it.
   */
  approve(name: string, digest: string): void {
    const server = this.#servers.get(name);
    if (server === undefined) {
      throw new HandrailError('ERR_INVALID_ARGUMENT', 'There is no MCP server of this name', {
        data: { name: 'server' },
      });
    }
    server.approve(digest);
  }

  /** Ends every server and everything that it started. The router cannot be used afterwards. */
  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  async #shutDown(): Promise<void> {
    this.clients.clear();
    this.toolMap.clear();
    this.#tools = new Map();
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  #createServer(options: CheckedMcpServer, sdk: McpSdk): McpServer {
    const { cwd, redactor } = this.#options;
    const server: McpServer = new McpServer(options, {
      sdk,
      services: this.#services,
      redactor,
      pins: this.#options.pins ?? PROCESS_PINS,
      cwd: path.resolve(cwd, options.cwd ?? ''),
      onTools: (areOthers) => {
        this.#collectTools();
        // The first list of a server is reported when the server is ready.
        if (areOthers && this.#connected.has(options.name)) this.#reportChange(server);
      },
      onWarning: (message) => this.#warn(message),
    });
    return server;
  }

  #warnOfLate(servers: readonly McpServer[], readyMs: number): void {
    for (const { options, state } of servers) {
      if (state !== 'connecting') continue;
      this.#warn(`The MCP server ${options.name} is not ready after ${readyMs} ms: its tools come when it is`);
    }
  }

  async #connect(server: McpServer): Promise<void> {
    const { name } = server.options;
    try {
      await server.connect();
      if (this.#closed !== undefined) return;
      this.#connected.add(name);
      this.clients.clear();
      for (const [known, other] of this.#servers)
        if (this.#connected.has(known)) this.clients.set(known, infoOf(other));
      this.#reportChange(server);
    } catch (error) {
      if (this.#closed === undefined) {
        this.#warn(`The MCP server ${name} is not connected: ${(error as Error).message}`);
        this.#reportChange(server);
      }
    }
  }

  /**
   * Collects the tools of all servers. Published names are unique: they have the server's name, and a server drops
   * duplicates.
   */
  #collectTools(): void {
    if (this.#closed !== undefined) return;
    const tools = [...this.#servers.values()].flatMap((server) => server.tools);
    tools.sort((left, right) => byName(left.name, right.name));
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.toolMap.clear();
    for (const { name, server } of tools) this.toolMap.set(name, server);
  }

  #reportChange(server: McpServer): void {
    this.#options.onChange?.(Object.freeze({ ...infoOf(server) }));
  }

  #warn(message: string): void {
    const { onWarning = warnProcess } = this.#options;
    onWarning(message);
  }
}

/** A live view of a server's state. */
function infoOf(server: McpServer): McpServerInfo {
  return {
    name: server.options.name,
    get state() {
      return server.state;
    },
    get tools() {
      return server.tools.map(({ name }) => name);
    },
    get reason() {
      return server.reason;
    },
    get problems() {
      return server.problems;
    },
    get unapproved() {
      return server.unapproved;
    },
  };
}

function warnProcess(message: string): void {
  process.emitWarning(message, { type: 'HandrailWarning', code: 'HANDRAIL_MCP' });
}
