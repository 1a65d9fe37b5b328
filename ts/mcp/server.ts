import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { HandrailError, isHandrailError } from '../errors.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Decision } from '../report/decision.js';
import type { Failure } from '../report/end.js';
import type { Services } from '../service/service.js';
import { AbortWatch } from '../terminal/abort.js';
import { reasonText } from './clean.js';
import { ConnectError, Connection } from './connection.js';
import type { McpData, McpStatus } from './data.js';
import { connectFailure, endText, failureIn, stderrQuote } from './end-text.js';
import { FailureCount } from './failures.js';
import { HttpLink } from './http-link.js';
import { CONNECT_TIMEOUT_MS, MAX_CALLS_PER_SERVER, MAX_LIST_PROBLEMS, MAX_QUEUED_CALLS } from './limits.js';
import type { Link, TransportEnd } from './link.js';
import type { McpSdk } from './peer.js';
import { pinnedServer } from './pinned-server.js';
import type { PinnedServer, Pins } from './pins.js';
import { answerOf, type McpAnswer } from './result.js';
import type { McpServerState } from './server-info.js';
import type { CheckedMcpServer } from './server-options.js';
import { Slots } from './slots.js';
import type { McpTool } from './tool.js';
import { readToolList, type ToolList } from './tool-list.js';
import { changeOf, type McpToolsChange, type ToolSet } from './tool-set.js';
import { ServiceTransport } from './transport.js';

/** The parts of a router that its servers need. */
export interface McpServerParts {
  readonly sdk: McpSdk;
  readonly services: Services;
  readonly redactor: Redactor;
  /** Working directory of the server. */
  readonly cwd: string;
  /** The approved tools of servers. */
  readonly pins: Pins;
  /** Called after the tools were listed, with whether they, or what is not approved of them, have changed. */
  readonly onTools: (areOthers: boolean) => void;
  /** Gets warnings that belong to no call, as sentences without secrets. */
  readonly onWarning: (message: string) => void;
}

const NO_ANSWER: McpAnswer = Object.freeze({
  text: '',
  blocks: Object.freeze([]),
  bytes: 0,
  redactions: 0,
  truncated: false,
});

const NOT_APPROVED = 'nobody has approved its tools yet';
const OTHER_TOOLS = 'it has other tools than were approved';
/** The decision about a call that came to the server. Who asks for one judges it before. */
const ALLOWED: Decision = Object.freeze({ decision: 'allow', reasons: Object.freeze([]) });

const CANCELLED_TEXT = 'The call was cancelled.';
const UNKNOWN_OUTCOME_TEXT = 'whether it did something is unknown. Check before you call it again.';

/** How long to wait for the end of a server that takes no more input, in milliseconds. */
const MAX_WAIT_FOR_END_MS = 2_000;
/** Time between two looks at whether it has ended, in milliseconds. */
const END_CHECK_MS = 5;

/** One server. After its end it is started again with the next call, and after repeated failures only after a pause. */
export class McpServer {
  readonly options: CheckedMcpServer;
  /** The tools, sorted by published names. While the server is down, these are the tools from before. */
  tools: readonly McpTool[] = [];
  /** The parts of the list of tools that were left out, and why. */
  problems: readonly string[] = [];
  /** What has to be approved before any of its tools is offered. */
  unapproved: McpToolsChange | undefined;
  /** The tools that the server listed last, offered or not. */
  #listed: ToolList | undefined;
  readonly #pinned: PinnedServer;
  readonly #parts: McpServerParts;
  readonly #slots = new Slots(MAX_CALLS_PER_SERVER, MAX_QUEUED_CALLS);
  readonly #failures = new FailureCount();
  readonly #aborts = new AbortWatch();
  #connection: Connection | undefined;
  #connecting: Promise<Connection> | undefined;
  readonly #closing = new AbortController();

  constructor(options: CheckedMcpServer, parts: McpServerParts) {
    this.options = options;
    this.#parts = parts;
    this.#pinned = pinnedServer(options, parts);
    addHeaderSecrets(options, parts.redactor);
  }

  get state(): McpServerState {
    if (this.#closing.signal.aborted) return 'closed';
    if (this.#connecting !== undefined) return 'connecting';
    if (this.#connection !== undefined) return 'ready';
    return this.#failures.isCircuitOpen ? 'resting' : 'down';
  }

  /** The reason of the last failure; empty when there was none. */
  get reason(): string {
    return this.#failures.reason;
  }

  /**
   * The connection to the running server, or to the server started again.
   *
   * @throws Error with the reason as its message, free of secrets.
   */
  connect(): Promise<Connection> {
    if (this.#connection !== undefined) return Promise.resolve(this.#connection);
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Calls a tool. Failures are results, except for too many calls at once. */
  async call(tool: McpTool, args: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<McpData> {
    // A new signal: the SDK sends the reason of a cancellation to the server, and the host's reason is not for it.
    const giveUp = new AbortController();
    const stop = signal === undefined ? undefined : this.#aborts.watch(signal, () => giveUp.abort('cancelled'));
    if (signal?.aborted === true) giveUp.abort();
    try {
      const data = await this.#slots.run(() => this.#call(tool, args, giveUp.signal), giveUp.signal);
      return data ?? this.#failed(tool, 'cancelled', CANCELLED_TEXT, false);
    } finally {
      stop?.();
    }
  }

  /** Ends the server and everything that it started. It is not started again. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connecting?.catch(() => undefined);
    await this.#connection?.close();
  }

  async #open(): Promise<Connection> {
    const { sdk, redactor } = this.#parts;
    try {
      let openedConnection: Connection | undefined;
      const connection = await Connection.open({
        sdk,
        link: this.#link(),
        // A probe over stdio starts the program once more.
        era: this.options.url === undefined ? 'legacy' : 'auto',
        signal: this.#closing.signal,
        onToolsChanged: () => this.#listToolsAgain(openedConnection),
        onOver: (end) => this.#onEnd(openedConnection, end),
      });
      openedConnection = connection;
      try {
        if (this.#closing.signal.aborted) throw new Error('it was closed');
        await this.#listTools(connection);
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

  #link(): Link {
    const { sdk, services, redactor, cwd } = this.#parts;
    const { name, command, args, env, confine, url, headers, token, maxCallMs } = this.options;
    if (url !== undefined) {
      return new HttpLink(
        sdk,
        { name, url, headers, token, requestMs: Math.max(maxCallMs, CONNECT_TIMEOUT_MS) },
        redactor,
      );
    }
    return new ServiceTransport(sdk, services, { command: command ?? '', args, env: { set: env }, confine, cwd });
  }

  async #listTools(connection: Connection): Promise<void> {
    const { redactor, onTools } = this.#parts;
    const before = { tools: this.tools, digest: this.unapproved?.digest };
    const listed = readToolList(redactor, this.options, await connection.tools());
    this.#listed = listed;
    this.unapproved = this.#changeOf(listed.set);
    this.tools = this.unapproved === undefined ? listed.tools : [];
    this.#reportProblems(listed.problems);
    const now = { tools: this.tools, digest: this.unapproved?.digest };
    if (now.digest !== undefined && now.digest !== before.digest) this.#warn(`is not offered: ${this.#whyWithheld()}`);
    onTools(!isDeepStrictEqual(before, now));
  }

  #whyWithheld(): string {
    return this.unapproved?.isFirst === true ? NOT_APPROVED : OTHER_TOOLS;
  }

  /** What of these tools has to be approved. The first tools count as approved where the pins say so. */
  #changeOf(set: ToolSet): McpToolsChange | undefined {
    const { pins } = this.#parts;
    if (!this.options.pinned) return undefined;
    const approved = pins.approved(this.#pinned);
    if (approved !== undefined || !pins.takesFirst) return changeOf(approved, set);
    pins.approve(this.#pinned, set);
    return undefined;
  }

  /**
   * Approves the tools that were listed last, and offers them.
   *
   * @param digest `digest` of the change that somebody has seen.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` where there is no such change any more.
   */
  approve(digest: string): void {
    if (this.#listed === undefined || this.unapproved?.digest !== digest) {
      throw new HandrailError('ERR_INVALID_ARGUMENT', 'The MCP server has no unapproved change of this digest', {
        data: { name: 'digest' },
      });
    }
    this.#parts.pins.approve(this.#pinned, this.#listed.set);
    this.unapproved = undefined;
    this.tools = this.#listed.tools;
    this.#parts.onTools(true);
  }

  /** Warns of parts of a list that were left out, unless the same was said of the list before. */
  #reportProblems(problems: readonly string[]): void {
    const hiddenCount = problems.length - MAX_LIST_PROBLEMS;
    const reported = [
      ...problems.slice(0, MAX_LIST_PROBLEMS),
      ...(hiddenCount > 0 ? [`${hiddenCount} more like these`] : []),
    ];
    const before = this.problems.join('\n');
    this.problems = Object.freeze(reported);
    if (reported.length > 0 && reported.join('\n') !== before)
      this.#warn(`has tools that are not as they should be:\n${reported.join('\n')}`);
  }

  #listToolsAgain(connection: Connection | undefined): void {
    if (connection === undefined || connection.over !== undefined) return;
    this.#listTools(connection).catch((error: unknown) => {
      if (connection.over === undefined) this.#warn(`did not list its tools again: ${this.#message(error)}`);
    });
  }

  #onEnd(connection: Connection | undefined, end: TransportEnd): void {
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
    if (signal.aborted) return this.#failed(tool, 'cancelled', CANCELLED_TEXT, false);
    // A server that was started again may have other tools by now.
    if (this.unapproved !== undefined) {
      const text = `The MCP server ${tool.server} was not called: ${this.#whyWithheld()}`;
      return this.#failed(tool, 'unavailable', text, false);
    }
    return await this.#callOver(connection, tool, args, signal);
  }

  async #callOver(
    connection: Connection,
    tool: McpTool,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<McpData> {
    const { timeoutMs, maxCallMs } = this.options;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort('late'), maxCallMs);
    const either = AbortSignal.any([signal, limit.signal]);
    try {
      return this.#resultOfAnswer(tool, await connection.call(tool.tool, args, { timeoutMs, signal: either }));
    } catch (error) {
      // The pipe to a server closes before its end is known.
      if (isHandrailError(error) && error.code === 'ERR_CLOSED') await waitForEnd(connection);
      if (limit.signal.aborted && !signal.aborted) {
        const text = `The MCP server ${tool.server} gave no answer within ${maxCallMs} ms: ${UNKNOWN_OUTCOME_TEXT}`;
        return this.#failed(tool, 'timed_out', text, true);
      }
      return this.#resultOfError(tool, connection, error, signal.aborted);
    } finally {
      clearTimeout(timer);
    }
  }

  #resultOfAnswer(tool: McpTool, result: unknown): McpData {
    const { failed, ...answer } = answerOf(this.#parts.redactor, result);
    this.#failures.clear();
    return this.#result(tool, failed ? 'failed' : 'done', false, answer);
  }

  #resultOfError(tool: McpTool, connection: Connection, error: unknown, isCancelled: boolean): McpData {
    const { sdk, redactor } = this.#parts;
    const { server } = tool;
    if (isHandrailError(error) && error.code === 'ERR_BUSY') throw error;
    if (isCancelled)
      return this.#failed(tool, 'cancelled', `${CANCELLED_TEXT.slice(0, -1)}: ${UNKNOWN_OUTCOME_TEXT}`, true);
    if (connection.over !== undefined) {
      const reason = `The MCP server ${server} ended during the call (${endText(connection.over)}): ${UNKNOWN_OUTCOME_TEXT}`;
      const text = reason + stderrQuote(redactor, connection.over);
      return this.#failed(tool, 'interrupted', text, true, connection.over.end?.failure);
    }
    if (isHandrailError(error) && error.code === 'ERR_CLOSED') {
      return this.#failed(tool, 'interrupted', `The MCP server ${server} ended before it took the call`, false);
    }
    if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout) {
      const { timeoutMs } = this.options;
      const text = `The MCP server ${server} gave no answer (it may be silent for ${timeoutMs} ms): ${UNKNOWN_OUTCOME_TEXT}`;
      return this.#failed(tool, 'timed_out', text, true);
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
    return this.#result(tool, status, outcomeUnknown, {
      ...NO_ANSWER,
      text,
      ...(failure === undefined ? {} : { failure }),
    });
  }

  #result(
    { server, tool }: McpTool,
    status: McpStatus,
    outcomeUnknown: boolean,
    answer: McpAnswer & Pick<McpData, 'failure'>,
  ): McpData {
    // Masked and shortened, because the server chose the name.
    const shownTool = reasonText(this.#parts.redactor, tool);
    return Object.freeze({
      kind: 'mcp',
      ok: status === 'done',
      server,
      tool: shownTool,
      status,
      outcomeUnknown,
      decision: ALLOWED,
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

/**
 * Makes the headers of a server known to the redactor.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for a value that cannot be masked, because many texts contain it.
 */
function addHeaderSecrets({ name, headers }: CheckedMcpServer, redactor: Redactor): void {
  for (const [header, value] of Object.entries(headers)) {
    const label = `mcpServers.${name}.headers.${header}`;
    // Behind a scheme such as `Bearer` stands what is repeated elsewhere.
    const [, credentials = value] = value.split(' ');
    redactor.addSecret(label, credentials);
    if (credentials !== value) redactor.addSecret(label, value);
  }
}

/** Waits until the end of a connection is known, for at most `MAX_END_MS`. */
async function waitForEnd(connection: Connection): Promise<void> {
  for (let waited = 0; connection.over === undefined && waited < MAX_WAIT_FOR_END_MS; waited += END_CHECK_MS) {
    await pause(END_CHECK_MS);
  }
}
