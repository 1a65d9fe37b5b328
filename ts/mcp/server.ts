import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isHandrailError } from '../errors.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Failure } from '../report/end.js';
import type { ServiceOptions, Services } from '../service/service.js';
import { AbortWatch } from '../terminal/abort.js';
import { reasonText } from './clean.js';
import { ConnectError, Connection } from './connection.js';
import type { McpData, McpStatus } from './data.js';
import { connectFailure, endText, failureIn, stderrQuote } from './end-text.js';
import { Failures } from './failures.js';
import {
  MAX_CALLS_PER_SERVER,
  MAX_LIST_PROBLEMS,
  MAX_QUEUED_CALLS,
  MAX_TOOL_PAGES,
  MAX_TOOLS_PER_SERVER,
} from './limits.js';
import { byName } from './names.js';
import type { McpSdk } from './peer.js';
import { answerOf, type McpAnswer } from './result.js';
import { isObject } from './schema-shape.js';
import type { McpServerState } from './server-info.js';
import type { CheckedMcpServer } from './server-options.js';
import { Slots } from './slots.js';
import { type McpTool, readTool } from './tool.js';
import type { TransportEnd } from './transport.js';

/** What a server of a router needs. */
export interface McpServerParts {
  readonly sdk: McpSdk;
  readonly services: Services;
  readonly redactor: Redactor;
  /** Where it runs. */
  readonly cwd: string;
  /** Unicode characters of a result for the model. */
  readonly maxChars: number;
  /** Its tools were listed; they may be other ones now. */
  readonly onTools: (areOthers: boolean) => void;
  /** Gets what nobody waits for, as a sentence without secrets. */
  readonly onWarning: (message: string) => void;
}

const NO_ANSWER: McpAnswer = Object.freeze({
  text: '',
  blocks: Object.freeze([]),
  bytes: 0,
  redactions: 0,
  truncated: false,
});

const CANCELLED = 'The call was cancelled.';
const UNKNOWN_OUTCOME = 'whether it did something is unknown. Check before you call it again.';

/** How much later than that a server takes nothing any more its end may become known, in milliseconds. */
const MAX_END_MS = 2_000;
const END_STEP_MS = 5;

/** One server: started with the first call after it ended, left alone for a while when that keeps failing. */
export class McpServer {
  readonly options: CheckedMcpServer;
  /** Sorted by their published names; those of the last life while it is down. */
  tools: readonly McpTool[] = [];
  /** What was left out of the list of its tools, and why. */
  problems: readonly string[] = [];
  readonly #parts: McpServerParts;
  readonly #slots = new Slots(MAX_CALLS_PER_SERVER, MAX_QUEUED_CALLS);
  readonly #failures = new Failures();
  readonly #aborts = new AbortWatch();
  #connection: Connection | undefined;
  #connecting: Promise<Connection> | undefined;
  readonly #closing = new AbortController();

  constructor(options: CheckedMcpServer, parts: McpServerParts) {
    this.options = options;
    this.#parts = parts;
  }

  get state(): McpServerState {
    if (this.#closing.signal.aborted) return 'closed';
    if (this.#connecting !== undefined) return 'connecting';
    if (this.#connection !== undefined) return 'ready';
    return this.#failures.isCircuitOpen ? 'resting' : 'down';
  }

  /** What went wrong last; empty when nothing did. */
  get reason(): string {
    return this.#failures.reason;
  }

  /**
   * The server as it lives now, or in a new life.
   *
   * @throws Error with the reason, free of secrets, as its message.
   */
  connect(): Promise<Connection> {
    if (this.#connection !== undefined) return Promise.resolve(this.#connection);
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Calls a tool. What goes wrong is a result, but for too many calls at once. */
  async call(tool: McpTool, args: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<McpData> {
    // The host's reason for giving up is none of the server's business.
    const giveUp = new AbortController();
    const stop = signal === undefined ? undefined : this.#aborts.watch(signal, () => giveUp.abort('cancelled'));
    if (signal?.aborted === true) giveUp.abort();
    try {
      const data = await this.#slots.run(() => this.#call(tool, args, giveUp.signal), giveUp.signal);
      return data ?? this.#failed(tool, 'cancelled', CANCELLED, false);
    } finally {
      stop?.();
    }
  }

  /** Ends it and everything it started. It is not started again. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connecting?.catch(() => undefined);
    await this.#connection?.close();
  }

  async #open(): Promise<Connection> {
    const { sdk, services, redactor } = this.#parts;
    try {
      let opened: Connection | undefined;
      const connection = await Connection.open({
        sdk,
        services,
        service: this.#service(),
        signal: this.#closing.signal,
        onToolsChanged: () => this.#relist(opened),
        onOver: (end) => this.#over(opened, end),
      });
      opened = connection;
      try {
        if (this.#closing.signal.aborted) throw new Error('it was closed');
        await this.#list(connection);
      } catch (error) {
        const end = connection.over;
        await connection.close();
        throw new ConnectError(error, end);
      }
      this.#connection = connection;
      return connection;
    } catch (error) {
      const reason = connectFailure(redactor, error);
      this.#failures.add(reason, failureIn(error));
      const quote = stderrQuote(redactor, error instanceof ConnectError ? error.end : undefined);
      throw new Error(reason + quote, { cause: error });
    }
  }

  #service(): Omit<ServiceOptions, 'onOutput'> {
    const { command, args, env, confine } = this.options;
    return { command, args, env: { set: env }, confine, cwd: this.#parts.cwd };
  }

  async #list(connection: Connection): Promise<void> {
    const wanted = this.options.tools;
    const isWanted = (entry: unknown): boolean =>
      wanted === undefined || (isObject(entry) && wanted.includes(entry['name'] as string));
    const tools = new Map<string, McpTool>();
    const problems: string[] = [];
    const { entries, isWhole } = await connection.tools();
    for (const entry of entries.filter(isWanted)) {
      const { tool, problem } = readTool(this.#parts.redactor, this.options.name, entry);
      if (problem !== undefined) problems.push(problem);
      if (tool === undefined) continue;
      if (tools.has(tool.name)) problems.push(`${tool.name} is listed twice: the first counts`);
      else tools.set(tool.name, tool);
    }
    const sorted = [...tools.values()].sort((left, right) => byName(left.name, right.name));
    const before = this.tools;
    this.tools = Object.freeze(sorted.slice(0, MAX_TOOLS_PER_SERVER));
    if (sorted.length > MAX_TOOLS_PER_SERVER) {
      problems.unshift(`of ${sorted.length} tools the first ${MAX_TOOLS_PER_SERVER} are published`);
    }
    if (!isWhole) problems.unshift(`what its list has behind ${MAX_TOOL_PAGES} pages is left out`);
    this.#tell(problems);
    this.#parts.onTools(!isDeepStrictEqual(before, this.tools));
  }

  /** Says what was left out of a list, where that is not what was said of the one before. */
  #tell(all: readonly string[]): void {
    const rest = all.length - MAX_LIST_PROBLEMS;
    const told = [...all.slice(0, MAX_LIST_PROBLEMS), ...(rest > 0 ? [`${rest} more like these`] : [])];
    const before = this.problems.join('\n');
    this.problems = Object.freeze(told);
    if (told.length > 0 && told.join('\n') !== before)
      this.#warn(`has tools that are not as they should be:\n${told.join('\n')}`);
  }

  #relist(connection: Connection | undefined): void {
    if (connection === undefined || connection.over !== undefined) return;
    this.#list(connection).catch((error: unknown) => {
      if (connection.over === undefined) this.#warn(`did not list its tools again: ${this.#message(error)}`);
    });
  }

  #over(connection: Connection | undefined, end: TransportEnd): void {
    if (this.#closing.signal.aborted || connection === undefined || this.#connection !== connection) return;
    this.#connection = undefined;
    this.#failures.add(endText(end), end.end?.failure);
  }

  async #call(tool: McpTool, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpData> {
    if (this.#closing.signal.aborted) return this.#unavailable(tool, 'it was closed');
    const wait = this.#failures.waitMs;
    if (this.#connection === undefined && this.#connecting === undefined && wait > 0) {
      const { reason, failure } = this.#failures;
      return this.#unavailable(tool, `${reason}; it is started again in ${Math.ceil(wait / 1_000)} s`, failure);
    }
    let connection: Connection;
    try {
      connection = await this.connect();
    } catch (error) {
      return this.#unavailable(tool, (error as Error).message, failureIn((error as Error).cause));
    }
    if (signal.aborted) return this.#failed(tool, 'cancelled', CANCELLED, false);
    const { timeoutMs, maxCallMs } = this.options;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort('late'), maxCallMs);
    const either = AbortSignal.any([signal, limit.signal]);
    try {
      return this.#answered(tool, await connection.call(tool.tool, args, { timeoutMs, signal: either }));
    } catch (error) {
      // What it was written to is gone before its end is known.
      if (isHandrailError(error) && error.code === 'ERR_CLOSED') await overSoon(connection);
      if (limit.signal.aborted && !signal.aborted) {
        const how = `The MCP server ${tool.server} gave no answer within ${maxCallMs} ms: ${UNKNOWN_OUTCOME}`;
        return this.#failed(tool, 'timed_out', how, true);
      }
      return this.#interrupted(tool, connection, error, signal.aborted);
    } finally {
      clearTimeout(timer);
    }
  }

  #answered(tool: McpTool, result: unknown): McpData {
    const { failed, ...answer } = answerOf(this.#parts.redactor, result, this.#parts.maxChars);
    this.#failures.clear();
    return this.#data(tool, failed ? 'failed' : 'done', false, answer);
  }

  #interrupted(tool: McpTool, connection: Connection, error: unknown, isCancelled: boolean): McpData {
    const { sdk, redactor } = this.#parts;
    const { server } = tool;
    if (isHandrailError(error) && error.code === 'ERR_BUSY') throw error;
    if (isCancelled) return this.#failed(tool, 'cancelled', `${CANCELLED.slice(0, -1)}: ${UNKNOWN_OUTCOME}`, true);
    if (connection.over !== undefined) {
      const how = `The MCP server ${server} ended during the call (${endText(connection.over)}): ${UNKNOWN_OUTCOME}`;
      const text = how + stderrQuote(redactor, connection.over);
      return this.#failed(tool, 'interrupted', text, true, connection.over.end?.failure);
    }
    if (isHandrailError(error) && error.code === 'ERR_CLOSED') {
      return this.#failed(tool, 'interrupted', `The MCP server ${server} ended before it took the call`, false);
    }
    if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout) {
      const { timeoutMs } = this.options;
      const how = `The MCP server ${server} gave no answer (it may be silent for ${timeoutMs} ms): ${UNKNOWN_OUTCOME}`;
      return this.#failed(tool, 'timed_out', how, true);
    }
    const message = this.#message(error);
    if (error instanceof sdk.ProtocolError) {
      const text = `The MCP server ${server} answered with error ${error.code}: ${message}`;
      return { ...this.#failed(tool, 'protocol_error', text, false), error: { code: error.code, message } };
    }
    return this.#failed(tool, 'protocol_error', `The MCP server ${server} gave no valid answer: ${message}`, true);
  }

  #unavailable(tool: McpTool, reason: string, failure?: Failure): McpData {
    const text = `The MCP server ${tool.server} is not running: ${reason}`;
    return this.#failed(tool, 'unavailable', text, false, failure);
  }

  #failed(tool: McpTool, status: McpStatus, text: string, outcomeUnknown: boolean, failure?: Failure): McpData {
    return this.#data(tool, status, outcomeUnknown, {
      ...NO_ANSWER,
      text,
      ...(failure === undefined ? {} : { failure }),
    });
  }

  #data(
    { server, tool }: McpTool,
    status: McpStatus,
    outcomeUnknown: boolean,
    answer: McpAnswer & Pick<McpData, 'failure'>,
  ): McpData {
    // The server chose that name.
    const shown = reasonText(this.#parts.redactor, tool);
    return Object.freeze({
      kind: 'mcp',
      ok: status === 'done',
      server,
      tool: shown,
      status,
      outcomeUnknown,
      ...answer,
    });
  }

  #message(error: unknown): string {
    return reasonText(this.#parts.redactor, error instanceof Error ? error.message : 'no reason is known');
  }

  #warn(message: string): void {
    this.#parts.onWarning(`The MCP server ${this.options.name} ${message}`);
  }
}

/** Returns when the end of a connection is known, or does not become known in time. */
async function overSoon(connection: Connection): Promise<void> {
  for (let waited = 0; connection.over === undefined && waited < MAX_END_MS; waited += END_STEP_MS) {
    await pause(END_STEP_MS);
  }
}
