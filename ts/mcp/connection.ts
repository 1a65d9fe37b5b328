import type { Client } from '@modelcontextprotocol/client';
import { VERSION } from '../version.js';
import { CONNECT_TIMEOUT_MS, LIST_CHANGED_DEBOUNCE_MS, LIST_TIMEOUT_MS, MAX_TOOL_PAGES } from './limits.js';
import type { Link, TransportEnd } from './link.js';
import type { McpSdk } from './peer.js';
import { isObject } from './schema-shape.js';

/** A schema for the SDK that accepts every result: this code checks the parts of a result by itself. */
const UNCHECKED_RESULT = {
  '~standard': { version: 1, vendor: 'handrail', validate: (value: unknown) => ({ value }) },
} as const;

/** The parameters of a connection. */
export interface ConnectionParts {
  readonly sdk: McpSdk;
  /** The way to the server. */
  readonly link: Link;
  /** Which eras of the protocol the server is asked for. */
  readonly era: 'legacy' | 'auto';
  /** Ends the attempt to connect when it fires. */
  readonly signal: AbortSignal;
  /** Called when the server says that its tools have changed. */
  readonly onToolsChanged: () => void;
  /** Called when an established connection has ended. */
  readonly onOver: (end: TransportEnd) => void;
}

/** The error of a server that could not be connected. */
export class ConnectError extends Error {
  /** How its process ended. Undefined when it has not ended. */
  readonly end: TransportEnd | undefined;

  constructor(cause: unknown, end: TransportEnd | undefined) {
    super(cause instanceof Error ? cause.message : 'unknown', { cause });
    this.end = end;
  }

  /** Whether the server did not answer in time. */
  get isLate(): boolean {
    const { cause } = this;
    return cause instanceof Error && (cause as { code?: unknown }).code === 'REQUEST_TIMEOUT';
  }
}

/** The connection to one process of a server, with the SDK's client for it. A restarted server gets a new connection. */
export class Connection {
  readonly #client: Client;
  readonly #link: Link;

  private constructor(client: Client, link: Link) {
    this.#client = client;
    this.#link = link;
  }

  /**
   * Starts a server and does the handshake.
   *
   * @throws ConnectError when it does not answer in time, ends, or cannot be started. No process of it is left then.
   */
  static async open(parts: ConnectionParts): Promise<Connection> {
    const { sdk, link, era, signal, onToolsChanged, onOver } = parts;
    const client = new sdk.Client(
      { name: 'handrail', version: VERSION },
      {
        versionNegotiation: { mode: era },
        listChanged: {
          tools: { autoRefresh: false, debounceMs: LIST_CHANGED_DEBOUNCE_MS, onChanged: onToolsChanged },
        },
      },
    );
    // Servers may write lines that are no messages. They are ignored.
    client.onerror = () => undefined;
    const giveUp = (): void => void link.close();
    signal.addEventListener('abort', giveUp);
    try {
      await client.connect(link.transport, { timeout: CONNECT_TIMEOUT_MS });
    } catch (error) {
      await link.close();
      throw new ConnectError(error, link.over);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
    client.onclose = () => {
      if (link.over !== undefined) onOver(link.over);
    };
    if (link.over !== undefined) throw new ConnectError(new Error('Connection closed'), link.over);
    return new Connection(client, link);
  }

  /** How the connection ended; undefined while it lives. */
  get over(): TransportEnd | undefined {
    return this.#link.over;
  }

  /**
   * The entries of all pages of the server's list of tools. They are not checked yet. The SDK would refuse the whole
   * list for one wrong entry.
   */
  async tools(): Promise<{ readonly entries: readonly unknown[]; readonly isWhole: boolean }> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return { entries: [], isWhole: true };
    const options = { timeout: LIST_TIMEOUT_MS, signal: AbortSignal.timeout(LIST_TIMEOUT_MS) };
    let entries: readonly unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_TOOL_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await this.#client.request({ method: 'tools/list', params }, UNCHECKED_RESULT, options);
      const { tools, nextCursor } = isObject(result) ? result : {};
      if (!Array.isArray(tools)) throw new Error('its list of tools is none');
      entries = entries.concat(tools);
      if (typeof nextCursor !== 'string' || nextCursor === cursor) return { entries, isWhole: true };
      cursor = nextCursor;
    }
    return { entries, isWhole: false };
  }

  /** Calls a tool and returns its unchecked result. Rejects with the errors of the SDK. */
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<unknown> {
    return this.#client.request({ method: 'tools/call', params: { name: tool, arguments: args } }, UNCHECKED_RESULT, {
      signal,
      timeout: timeoutMs,
      resetTimeoutOnProgress: true,
      // Without this listener the SDK would not ask the server to report progress.
      onprogress: () => undefined,
    });
  }

  /** Ends the server and everything that it started. Can be called again. */
  close(): Promise<void> {
    return this.#link.close();
  }
}
