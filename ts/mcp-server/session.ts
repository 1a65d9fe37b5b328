import { GuardedToolkit } from '../tools/guarded-toolkit.js';
import type { Toolkit } from '../tools/toolkit.js';
import { LIST_TTL_MS, MAX_ANSWER_MS, MAX_BATCH, MAX_CALLS, MAX_SUBSCRIPTIONS, PROGRESS_MS } from './limits.js';
import {
  BATCH_VERSION,
  type ClientMessage,
  canAsk,
  isObject,
  isRequestId,
  META,
  NO_JSON,
  negotiatedVersion,
  PROTOCOL_VERSIONS,
  parseLine,
  type RequestId,
  RPC_CODES,
  RpcError,
  readMessage,
  STATELESS_VERSIONS,
} from './protocol.js';
import { SERVER_INFO, ServedTools } from './served-tools.js';

type Params = Readonly<Record<string, unknown>>;

/** Sends the answer to one request. */
type Respond = (message: object) => void;

/** What calls change is not kept by clients. */
const NOT_KEPT = Object.freeze({ ttlMs: 0, cacheScope: 'private' });

/** A call that was not answered yet. */
interface OpenCall {
  readonly end: AbortController;
}

/** The connection of one client: reads its messages, calls the tools of a toolkit and sends answers. */
export class McpSession {
  readonly #toolkit: Toolkit;
  readonly #tools: ServedTools;
  readonly #send: (message: object) => void;
  readonly #calls = new Map<RequestId, OpenCall>();
  /** The requests of clients of the stateless revision to be told of changes, with the functions that answer them. */
  readonly #subscriptions = new Map<RequestId, Respond>();
  /** The questions to the client that it has not answered. */
  readonly #questions = new Map<string, (result: unknown) => void>();
  #questionCount = 0;
  #version: string | undefined;
  /** Whether a client that began with `initialize` can ask a person. */
  #asks = false;
  #isInitialized = false;
  readonly #announceTools = (): void => {
    const method = 'notifications/tools/list_changed';
    if (this.#isInitialized) this.#send({ jsonrpc: '2.0', method });
    for (const id of this.#subscriptions.keys()) this.#tell(id, method);
  };

  /** @param send Sends a message to the client. Never called after `close()`. */
  constructor(toolkit: Toolkit, send: (message: object) => void) {
    this.#toolkit = toolkit;
    this.#tools = new ServedTools(toolkit, GuardedToolkit.hasApprover(toolkit));
    this.#send = send;
    toolkit.on('tools', this.#announceTools);
  }

  /** Handles one line of the client. Never throws. */
  handle(line: string): void {
    if (line.trim() === '') return;
    const parsed = parseLine(line);
    if (parsed === undefined) this.#handle(NO_JSON, this.#send);
    else if (Array.isArray(parsed.value) && this.#version === BATCH_VERSION) this.#handleBatch(parsed.value);
    else this.#handle(readMessage(parsed.value), this.#send);
  }

  /** Answers a request with an error. */
  refuse(id: RequestId | null, error: RpcError): void {
    refuse(this.#send, id, error);
  }

  /** Cancels every call. None is answered any more, but who waits for changes is told that there are none to come. */
  close(): void {
    this.#toolkit.off('tools', this.#announceTools);
    for (const [id, respond] of this.#subscriptions) respond(subscriptionEnd(id));
    this.#subscriptions.clear();
    for (const id of [...this.#calls.keys()]) this.#cancel(id);
  }

  #handle(message: ClientMessage, respond: Respond): void {
    switch (message.kind) {
      case 'request':
        this.#request(message.id, message.method, message.params, respond);
        return;
      case 'notification':
        if (message.method === 'notifications/cancelled') this.#cancel(message.params['requestId']);
        return;
      case 'mistake':
        refuse(respond, message.id, new RpcError(message.code, message.message));
        return;
      case 'answer':
        if (typeof message.id === 'string') this.#questions.get(message.id)?.(message.result);
        return;
    }
  }

  /** Answers the messages of a list with one list, once every request in it is answered. */
  #handleBatch(values: readonly unknown[]): void {
    if (values.length === 0 || values.length > MAX_BATCH) {
      this.refuse(
        null,
        new RpcError(RPC_CODES.invalidRequest, `Invalid request: a batch has 1 to ${MAX_BATCH} messages`),
      );
      return;
    }
    const messages = values.map(readMessage);
    const expected = messages.filter(({ kind }) => kind === 'request' || kind === 'mistake').length;
    const answers: object[] = [];
    const respond: Respond = (answer) => {
      if (answers.push(answer) === expected) this.#send(answers);
    };
    for (const message of messages) this.#handle(message, respond);
  }

  #request(id: RequestId, method: string, params: Params, respond: Respond): void {
    try {
      if (this.#calls.has(id) || this.#subscriptions.has(id))
        throw new RpcError(RPC_CODES.invalidRequest, 'Invalid request: a call with this id is open');
      const meta = isObject(params['_meta']) ? params['_meta'] : {};
      if (META.protocolVersion in meta) this.#stateless(id, method, params, meta, respond);
      else if (method === 'tools/call') this.#open(id, params, respond, undefined);
      else if (method === 'resources/read') this.#read(id, params, respond, (result) => result);
      else answer(respond, id, this.#resultOf(method, params));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      refuse(respond, id, error);
    }
  }

  #resultOf(method: string, params: Params): object {
    switch (method) {
      case 'initialize':
        this.#isInitialized = true;
        this.#version = negotiatedVersion(params['protocolVersion']);
        this.#asks = canAsk(params['capabilities']);
        return { protocolVersion: this.#version, capabilities: this.#tools.capabilities(), serverInfo: SERVER_INFO };
      case 'ping':
        return {};
      case 'tools/list':
      case 'resources/list':
      case 'resources/templates/list':
        return this.#list(method, params);
      default:
        throw new RpcError(RPC_CODES.methodNotFound, 'Method not found');
    }
  }

  #list(method: 'tools/list' | 'resources/list' | 'resources/templates/list', params: Params): object {
    if (params['cursor'] !== undefined)
      throw new RpcError(RPC_CODES.invalidParams, 'Invalid params: there is one page, and no cursor');
    switch (method) {
      case 'tools/list':
        return { tools: this.#tools.list() };
      case 'resources/list':
        return { resources: this.#tools.resources.list('') };
      case 'resources/templates/list':
        return { resourceTemplates: [] };
    }
  }

  #read(id: RequestId, params: Params, respond: Respond, shaped: (result: object) => object): void {
    void this.#tools.resources.read('', params['uri']).then(
      (result) => answer(respond, id, shaped(result)),
      (error: unknown) => refuse(respond, id, error instanceof RpcError ? error : unexpected()),
    );
  }

  /** Answers a request that says itself which revision it speaks. Nothing of an earlier one counts. */
  #stateless(id: RequestId, method: string, params: Params, meta: Params, respond: Respond): void {
    const requested = meta[META.protocolVersion];
    const capabilities = meta[META.clientCapabilities];
    if (typeof requested !== 'string' || !isObject(capabilities)) {
      const keys = `${META.protocolVersion}, a text, and ${META.clientCapabilities}, an object`;
      throw new RpcError(RPC_CODES.invalidParams, `Invalid params: _meta has to have ${keys}`);
    }
    if (!STATELESS_VERSIONS.includes(requested)) {
      const data = { supported: [...STATELESS_VERSIONS, ...PROTOCOL_VERSIONS], requested };
      throw new RpcError(RPC_CODES.unsupportedVersion, 'Unsupported protocol version', data);
    }
    const complete = (result: object) => answer(respond, id, completed(result));
    const kept = { ...NOT_KEPT, ttlMs: LIST_TTL_MS };
    switch (method) {
      case 'server/discover':
        complete({ supportedVersions: STATELESS_VERSIONS, capabilities: this.#tools.capabilities(), ...kept });
        return;
      case 'tools/list':
        complete({ ...this.#list(method, params), ...kept });
        return;
      case 'resources/list':
      case 'resources/templates/list':
        complete({ ...this.#list(method, params), ...NOT_KEPT });
        return;
      case 'resources/read':
        this.#read(id, params, respond, (result) => completed({ ...result, ...NOT_KEPT }));
        return;
      case 'tools/call':
        this.#open(id, params, respond, { asks: canAsk(capabilities) });
        return;
      case 'subscriptions/listen':
        this.#subscribe(id, params, respond);
        return;
      default:
        throw new RpcError(RPC_CODES.methodNotFound, 'Method not found');
    }
  }

  /** @param stateless What the request says of its client. Undefined where `initialize` has said it. */
  #open(id: RequestId, params: Params, respond: Respond, stateless: { readonly asks: boolean } | undefined): void {
    if (this.#calls.size >= MAX_CALLS) {
      const text = `busy: ${MAX_CALLS} calls are open; try again when one was answered`;
      const result = { content: [{ type: 'text', text }], isError: true };
      answer(respond, id, stateless === undefined ? result : completed(result));
      return;
    }
    const open: OpenCall = { end: new AbortController() };
    this.#calls.set(id, open);
    const stop = this.#reportProgress(params['_meta'], id, open);
    const call = { signal: open.end.signal, callId: String(id), meta: params['_meta'] };
    const result =
      stateless === undefined
        ? this.#tools.call(params, call, this.#asks ? (asked, signal) => this.#ask(asked, signal) : undefined)
        : this.#tools.callStateless(params, call, stateless.asks).then(completed);
    void result
      .then(
        (value) => () => answer(respond, id, value),
        (error: unknown) => () => refuse(respond, id, error instanceof RpcError ? error : unexpected()),
      )
      .then((send) => {
        stop();
        if (this.#calls.get(id) !== open) return;
        this.#calls.delete(id);
        send();
      });
  }

  /** Asks a person through the client. Undefined when no answer comes. */
  #ask(params: object, signal: AbortSignal): Promise<unknown> {
    this.#questionCount += 1;
    const id = `handrail-${this.#questionCount}`;
    return new Promise((resolve) => {
      const end = (result: unknown): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.#questions.delete(id);
        resolve(result);
      };
      const giveUp = (): void => end(undefined);
      const timer = setTimeout(giveUp, MAX_ANSWER_MS);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#questions.set(id, end);
      this.#send({ jsonrpc: '2.0', id, method: 'elicitation/create', params });
    });
  }

  /** Tells the client of changes from now on. The request is answered when there will be none any more. */
  #subscribe(id: RequestId, params: Params, respond: Respond): void {
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS)
      throw new RpcError(RPC_CODES.internalError, `${MAX_SUBSCRIPTIONS} subscriptions are open`);
    const wanted = isObject(params['notifications']) ? params['notifications'] : {};
    const tools = wanted['toolsListChanged'] === true && this.#toolkit.mcp !== undefined;
    this.#tell(id, 'notifications/subscriptions/acknowledged', {
      notifications: tools ? { toolsListChanged: true } : {},
    });
    this.#subscriptions.set(id, respond);
  }

  #tell(id: RequestId, method: string, params: object = {}): void {
    this.#send({ jsonrpc: '2.0', method, params: { ...params, _meta: { [META.subscriptionId]: id } } });
  }

  /** Reports the seconds since the call to a client that asked for progress. Returns a function that ends the reports. */
  #reportProgress(meta: unknown, id: RequestId, open: OpenCall): () => void {
    const progressToken = isObject(meta) ? meta['progressToken'] : undefined;
    if (!isRequestId(progressToken)) return () => undefined;
    const started = performance.now();
    const timer = setInterval(() => {
      if (this.#calls.get(id) !== open) return;
      const progress = Math.round((performance.now() - started) / 1_000);
      this.#send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } });
    }, PROGRESS_MS);
    return () => clearInterval(timer);
  }

  /** Ends a call and everything that it started. Does nothing for a call that was answered already. */
  #cancel(id: unknown): void {
    if (!isRequestId(id)) return;
    this.#subscriptions.delete(id);
    const open = this.#calls.get(id);
    this.#calls.delete(id);
    open?.end.abort();
  }
}

function answer(respond: Respond, id: RequestId, result: object): void {
  respond({ jsonrpc: '2.0', id, result });
}

function refuse(respond: Respond, id: RequestId | null, { code, message, data }: RpcError): void {
  respond({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });
}

/** A result as the stateless revision has it, with what the server is. */
function completed(result: object): object {
  return { resultType: 'complete', ...result, _meta: { [META.serverInfo]: SERVER_INFO } };
}

function subscriptionEnd(id: RequestId): object {
  return { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta: { [META.subscriptionId]: id } } };
}

function unexpected(): RpcError {
  return new RpcError(RPC_CODES.internalError, 'The tool failed');
}
