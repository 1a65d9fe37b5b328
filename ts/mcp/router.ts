import path from 'node:path';
import { HandrailError } from '../errors.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Services } from '../service/service.js';
import { within } from '../terminal/within.js';
import type { McpData } from './data.js';
import { MAX_MCP_OUTPUT } from './limits.js';
import { byName } from './names.js';
import { loadMcpSdk, type McpSdk } from './peer.js';
import { McpServer } from './server.js';
import type { McpServerInfo } from './server-info.js';
import type { CheckedMcpServer } from './server-options.js';
import type { McpTool } from './tool.js';

/** How a router is made. */
export interface McpRouterOptions {
  /** Masks what servers say. */
  readonly redactor: Redactor;
  /** Where servers run that name no place. */
  readonly cwd: string;
  /** Unicode characters of a result for the model. Default: `MAX_MCP_OUTPUT`. */
  readonly maxChars?: number;
  /** Gets what nobody waits for. Default: a process warning with the code `HANDRAIL_MCP`. */
  readonly onWarning?: (message: string) => void;
  /** Gets a server, as it is then, whenever others of its tools are there than before, and when it could not be connected. */
  readonly onChange?: (server: McpServerInfo) => void;
  /** Loads the SDK. Default: imports the optional peer. */
  readonly loadSdk?: typeof loadMcpSdk;
}

/** Which tool a name means: none, one, or one on each of several servers. */
export type FoundTool =
  | { readonly tool: McpTool; readonly owners?: never }
  | { readonly tool?: never; readonly owners: readonly McpTool[] };

/** The servers of one host: their tools under names of their own, and calls to the right one. */
export class McpRouter {
  /** Servers that are or were connected, by name. */
  readonly clients = new Map<string, McpServerInfo>();
  /** Which server has which tool, by published name, sorted. */
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

  /** Every server, in the order they were given. */
  servers(): readonly McpServerInfo[] {
    return [...this.#servers.values()].map(infoOf);
  }

  /** Whether there is a server of this name, in any case. */
  hasServer(name: string): boolean {
    return this.#names.has(name.toLowerCase());
  }

  /**
   * Connects servers, all at once. One that fails is a warning and keeps no other from its turn.
   *
   * @param readyMs Milliseconds they are waited for; a later one is connected all the same. Default: until each is
   * there or has failed.
   * @throws HandrailError `ERR_PEER_MISSING` without the SDK, `ERR_CLOSED` after `close()`.
   */
  async connect(servers: readonly CheckedMcpServer[], readyMs?: number): Promise<void> {
    if (servers.length === 0) return;
    if (this.#closed !== undefined) throw new HandrailError('ERR_CLOSED', 'The MCP servers were closed');
    // Taken from now on, also while the SDK is loaded.
    for (const { name } of servers) this.#names.add(name.toLowerCase());
    const { loadSdk = loadMcpSdk } = this.#options;
    const sdk = await loadSdk();
    if (this.#closed !== undefined) throw new HandrailError('ERR_CLOSED', 'The MCP servers were closed');
    const made = servers.map((options) => this.#make(options, sdk));
    for (const server of made) this.#servers.set(server.options.name, server);
    const all = Promise.all(made.map((server) => this.#connect(server)));
    if (readyMs === undefined) await all;
    else if ((await within(all, readyMs)) === undefined) this.#tellLate(made, readyMs);
  }

  /** The tool of a published name, or of a name that servers gave it. */
  find(name: string): FoundTool | undefined {
    const published = this.#tools.get(name);
    if (published !== undefined) return { tool: published };
    const owners = this.tools.filter(({ tool }) => tool === name);
    const [only] = owners;
    if (only === undefined) return undefined;
    return owners.length === 1 ? { tool: only } : { owners };
  }

  /**
   * Calls a tool. What its server does is a result.
   *
   * @throws HandrailError `ERR_BUSY` when too many calls wait for its server.
   */
  async call(tool: McpTool, args: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<McpData> {
    const server = this.#servers.get(tool.server);
    if (server === undefined) throw new HandrailError('ERR_CLOSED', 'The MCP server was closed');
    return await server.call(tool, args, signal);
  }

  /** Ends every server and everything it started. What comes later needs a router of its own. */
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

  #make(options: CheckedMcpServer, sdk: McpSdk): McpServer {
    const { cwd, redactor, maxChars = MAX_MCP_OUTPUT } = this.#options;
    const server: McpServer = new McpServer(options, {
      sdk,
      services: this.#services,
      redactor,
      cwd: path.resolve(cwd, options.cwd ?? ''),
      maxChars,
      onTools: (areOthers) => {
        this.#update();
        // Of the first list one is told when its server is ready.
        if (areOthers && this.#connected.has(options.name)) this.#tell(server);
      },
      onWarning: (message) => this.#warn(message),
    });
    return server;
  }

  #tellLate(servers: readonly McpServer[], readyMs: number): void {
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
      this.#tell(server);
    } catch (error) {
      if (this.#closed === undefined) {
        this.#warn(`The MCP server ${name} is not connected: ${(error as Error).message}`);
        this.#tell(server);
      }
    }
  }

  /** No name comes up twice: those of servers are told apart, and a server keeps the first of two. */
  #update(): void {
    if (this.#closed !== undefined) return;
    const tools = [...this.#servers.values()].flatMap((server) => server.tools);
    tools.sort((left, right) => byName(left.name, right.name));
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.toolMap.clear();
    for (const { name, server } of tools) this.toolMap.set(name, server);
  }

  #tell(server: McpServer): void {
    this.#options.onChange?.(Object.freeze({ ...infoOf(server) }));
  }

  #warn(message: string): void {
    const { onWarning = warnProcess } = this.#options;
    onWarning(message);
  }
}

/** A view that stays true. */
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
  };
}

function warnProcess(message: string): void {
  process.emitWarning(message, { type: 'HandrailWarning', code: 'HANDRAIL_MCP' });
}
