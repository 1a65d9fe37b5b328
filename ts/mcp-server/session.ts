import { isHandrailError } from '../errors.js';
import type { Toolkit } from '../tools/toolkit.js';
import { VERSION } from '../version.js';
import { MAX_CALLS, PROGRESS_MS } from './limits.js';
import {
  isObject,
  isRequestId,
  negotiatedVersion,
  type RequestId,
  RPC_CODES,
  RpcError,
  readMessage,
} from './protocol.js';

type Params = Readonly<Record<string, unknown>>;

/** A call that was not answered yet. */
interface OpenCall {
  readonly end: AbortController;
}

/** The connection of one client: reads its messages, calls the tools of a toolkit and sends answers. */
export class McpSession {
  readonly #toolkit: Toolkit;
  readonly #send: (message: object) => void;
  readonly #calls = new Map<RequestId, OpenCall>();
  readonly #announceTools = (): void => this.#send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });

  /** @param send Sends a message to the client. Never called after `close()`. */
  constructor(toolkit: Toolkit, send: (message: object) => void) {
    this.#toolkit = toolkit;
    this.#send = send;
  }

  /** Handles one message of the client. Never throws. */
  handle(line: string): void {
    if (line.trim() === '') return;
    const message = readMessage(line);
    switch (message.kind) {
      case 'request':
        this.#request(message.id, message.method, message.params);
        return;
      case 'notification':
        if (message.method === 'notifications/cancelled') this.#cancel(message.params['requestId']);
        return;
      case 'mistake':
        this.refuse(message.id, new RpcError(message.code, message.message));
        return;
      case 'answer':
        return;
    }
  }

  /** Answers a request with an error. */
  refuse(id: RequestId | null, { code, message }: RpcError): void {
    this.#send({ jsonrpc: '2.0', id, error: { code, message } });
  }

  /** Cancels every call. None is answered any more. */
  close(): void {
    this.#toolkit.off('tools', this.#announceTools);
    for (const id of [...this.#calls.keys()]) this.#cancel(id);
  }

  #request(id: RequestId, method: string, params: Params): void {
    try {
      if (this.#calls.has(id))
        throw new RpcError(RPC_CODES.invalidRequest, 'Invalid request: a call with this id is open');
      if (method === 'tools/call') this.#open(id, params);
      else this.#answer(id, this.#resultOf(method, params));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      this.refuse(id, error);
    }
  }

  #resultOf(method: string, params: Params): object {
    switch (method) {
      case 'initialize':
        this.#toolkit.on('tools', this.#announceTools);
        return {
          protocolVersion: negotiatedVersion(params['protocolVersion']),
          // Only the tools of other MCP servers can change.
          capabilities: { tools: this.#toolkit.mcp === undefined ? {} : { listChanged: true } },
          serverInfo: { name: 'handrail', title: 'Handrail', version: VERSION },
        };
      case 'ping':
        return {};
      case 'tools/list':
        if (params['cursor'] === undefined) return { tools: this.#tools() };
        throw new RpcError(RPC_CODES.invalidParams, 'Invalid params: there is one page of tools, and no cursor');
      default:
        throw new RpcError(RPC_CODES.methodNotFound, 'Method not found');
    }
  }

  #tools(): object[] {
    return this.#toolkit.definitions().map(({ name, description, parameters, annotations }) => ({
      name,
      title: annotations.title,
      description,
      inputSchema: parameters,
      annotations,
    }));
  }

  #open(id: RequestId, { name, arguments: args = {}, _meta: meta }: Params): void {
    if (typeof name !== 'string') throw new RpcError(RPC_CODES.invalidParams, 'Invalid params: name has to be a text');
    if (this.#calls.size >= MAX_CALLS) {
      this.#answer(id, textResult(`busy: ${MAX_CALLS} calls are open; try again when one was answered`, true));
      return;
    }
    const open: OpenCall = { end: new AbortController() };
    this.#calls.set(id, open);
    const stop = this.#reportProgress(meta, id, open);
    void this.#outcomeOf(name, args, id, open.end.signal).then((answer) => {
      stop();
      if (!this.#isOpen(id, open)) return;
      this.#calls.delete(id);
      answer();
    });
  }

  /** Calls a tool and returns a function that sends the answer. Never rejects. */
  async #outcomeOf(name: string, args: unknown, id: RequestId, signal: AbortSignal): Promise<() => void> {
    try {
      const { content, isError, data } = await this.#toolkit.execute(name, args, { signal, callId: String(id) });
      // An unknown tool is an error of the protocol, although the call was recorded.
      const isUnknown = data.kind === 'refusal' && data.refused === 'unknown_tool';
      if (isUnknown) return () => this.refuse(id, new RpcError(RPC_CODES.invalidParams, content));
      return () => this.#answer(id, textResult(content, isError));
    } catch (error) {
      return () => this.refuse(id, rpcErrorOf(error));
    }
  }

  /** Reports the seconds since the call to a client that asked for progress. Returns a function that ends the reports. */
  #reportProgress(meta: unknown, id: RequestId, open: OpenCall): () => void {
    const progressToken = isObject(meta) ? meta['progressToken'] : undefined;
    if (!isRequestId(progressToken)) return () => undefined;
    const started = performance.now();
    const timer = setInterval(() => {
      if (!this.#isOpen(id, open)) return;
      const progress = Math.round((performance.now() - started) / 1_000);
      this.#send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } });
    }, PROGRESS_MS);
    return () => clearInterval(timer);
  }

  /** Whether this call is not answered yet. Another call may have the same id by now. */
  #isOpen(id: RequestId, open: OpenCall): boolean {
    return this.#calls.get(id) === open;
  }

  /** Ends a call and everything that it started. Does nothing for a call that was answered already. */
  #cancel(id: unknown): void {
    if (!isRequestId(id)) return;
    const open = this.#calls.get(id);
    this.#calls.delete(id);
    open?.end.abort();
  }

  #answer(id: RequestId, result: object): void {
    this.#send({ jsonrpc: '2.0', id, result });
  }
}

function textResult(text: string, isError: boolean): object {
  return { content: [{ type: 'text', text }], isError };
}

/** The error for a client when a call threw. Messages of Handrail hold no secret; those of other errors are not repeated. */
function rpcErrorOf(error: unknown): RpcError {
  const message = isHandrailError(error) ? `${error.message} (${error.code})` : 'The tool failed';
  return new RpcError(RPC_CODES.internalError, message);
}
