import type { Client } from '@modelcontextprotocol/client';
import type { ServiceOptions, Services } from '../service/service.js';
import { VERSION } from '../version.js';
import { CONNECT_TIMEOUT_MS, LIST_CHANGED_DEBOUNCE_MS, LIST_TIMEOUT_MS, MAX_TOOL_PAGES } from './limits.js';
import type { McpSdk } from './peer.js';
import { isObject } from './schema-shape.js';
import { ServiceTransport, type TransportEnd } from './transport.js';

/** The schema of a result that is looked at here, part by part. */
const AS_IT_IS = {
  '~standard': { version: 1, vendor: 'handrail', validate: (value: unknown) => ({ value }) },
} as const;

/** What a connection needs. */
export interface ConnectionParts {
  readonly sdk: McpSdk;
  readonly services: Services;
  readonly service: Omit<ServiceOptions, 'onOutput'>;
  /** Gives it up while it is being established. */
  readonly signal: AbortSignal;
  /** The server says that it has other tools now. */
  readonly onToolsChanged: () => void;
  /** The connection is over; not called for one that was never established. */
  readonly onOver: (end: TransportEnd) => void;
}

/** A server could not be reached. */
export class ConnectError extends Error {
  /** How its process ended, if it did. */
  readonly end: TransportEnd | undefined;

  constructor(cause: unknown, end: TransportEnd | undefined) {
    super(cause instanceof Error ? cause.message : 'unknown', { cause });
    this.end = end;
  }

  /** Whether it was silent for too long. */
  get isLate(): boolean {
    const { cause } = this;
    return cause instanceof Error && (cause as { code?: unknown }).code === 'REQUEST_TIMEOUT';
  }
}

/** One life of a server: a process, and the SDK's client that speaks with it. Neither is ever used again. */
export class Connection {
  readonly #client: Client;
  readonly #transport: ServiceTransport;

  private constructor(client: Client, transport: ServiceTransport) {
    this.#client = client;
    this.#transport = transport;
  }

  /**
   * Starts a server and greets it.
   *
   * @throws ConnectError when it does not answer in time, ends, or cannot be started. Nothing of it is left then.
   */
  static async open(parts: ConnectionParts): Promise<Connection> {
    const { sdk, services, service, signal, onToolsChanged, onOver } = parts;
    const transport = new ServiceTransport(sdk, services, service);
    const client = new sdk.Client(
      { name: 'handrail', version: VERSION },
      {
        listChanged: {
          tools: { autoRefresh: false, debounceMs: LIST_CHANGED_DEBOUNCE_MS, onChanged: onToolsChanged },
        },
      },
    );
    // What a server writes beside messages is its own business.
    client.onerror = () => undefined;
    const giveUp = (): void => void transport.close();
    signal.addEventListener('abort', giveUp);
    try {
      await client.connect(transport, { timeout: CONNECT_TIMEOUT_MS });
    } catch (error) {
      await transport.close();
      throw new ConnectError(error, transport.over);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
    client.onclose = () => {
      if (transport.over !== undefined) onOver(transport.over);
    };
    if (transport.over !== undefined) throw new ConnectError(new Error('Connection closed'), transport.over);
    return new Connection(client, transport);
  }

  /** How it ended; undefined while it lives. */
  get over(): TransportEnd | undefined {
    return this.#transport.over;
  }

  /**
   * The entries of every page of the server's list of tools. Each may be anything: one that is wrong must not
   * take the others with it, as it does where the SDK checks the list.
   */
  async tools(): Promise<{ readonly entries: readonly unknown[]; readonly isWhole: boolean }> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return { entries: [], isWhole: true };
    const options = { timeout: LIST_TIMEOUT_MS, signal: AbortSignal.timeout(LIST_TIMEOUT_MS) };
    let entries: readonly unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_TOOL_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const given = await this.#client.request({ method: 'tools/list', params }, AS_IT_IS, options);
      const { tools, nextCursor } = isObject(given) ? given : {};
      if (!Array.isArray(tools)) throw new Error('its list of tools is none');
      entries = entries.concat(tools);
      if (typeof nextCursor !== 'string' || nextCursor === cursor) return { entries, isWhole: true };
      cursor = nextCursor;
    }
    return { entries, isWhole: false };
  }

  /** Calls a tool, and gives what comes, which may be anything. Rejects with what the SDK throws. */
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<unknown> {
    return this.#client.request({ method: 'tools/call', params: { name: tool, arguments: args } }, AS_IT_IS, {
      signal,
      timeout: timeoutMs,
      resetTimeoutOnProgress: true,
      // Without a listener the server is not asked to report.
      onprogress: () => undefined,
    });
  }

  /** Ends the server and everything it started. Can be called again. */
  close(): Promise<void> {
    return this.#transport.close();
  }
}
