import { randomUUID } from 'node:crypto';
import { type AuditListener, AuditListeners } from './audit/listeners.js';
import { type AuditRecord, auditText, REFUSED } from './audit/record.js';
import { invalidArgument } from './config/validate.js';
import { HandrailError } from './errors.js';
import type { Redactor } from './redaction/redactor.js';
import { countChars, firstChars } from './terminal/bounding.js';
import type { CapabilityReport } from './terminal/capabilities.js';
import { DEFAULT_TIMEOUT_MS } from './terminal/limits.js';
import { withMaskedErrors } from './terminal/masked-errors.js';
import { Terminal } from './terminal/terminal.js';
import { checkContext } from './tools/call-context.js';
import type { CallContext, Tool, ToolDefinition, ToolOutcome, ToolResult } from './tools/definition.js';
import { MAX_ECHOED_NAME_CHARS } from './tools/limits.js';
import { describeLists } from './tools/program-lists.js';
import { terminalRunTool } from './tools/terminal-run.js';
import { type CheckedToolkitOptions, checkToolkitOptions, type ToolkitOptions } from './tools/toolkit-options.js';

/** Guarded tools for one agent, with one policy, one redactor and one audit. */
export interface Toolkit extends AsyncDisposable {
  /** The terminal behind `terminal_run`, for the program's own use. */
  readonly terminal: Terminal;
  /** What masks secrets in everything the tools give. */
  readonly redactor: Redactor;

  /** The tools as a model is told about them, in a fixed order. Equal options give equal definitions. */
  definitions(): ToolDefinition[];

  /**
   * Calls a tool with what a model sent.
   *
   * @param name Name of a tool. An unknown one gives a result that says so.
   * @param args The model's arguments, unchecked. Wrong ones give a result that says what is wrong.
   * @param context See `CallContext`.
   * @returns The result, also when the call was denied, failed, ran out of time or was cancelled.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong `name` or `context`, `ERR_CLOSED`
   * after `close()`, `ERR_SUPERVISOR` when the supervisor cannot be started. What `onOutput` or
   * `approve` throws is thrown on.
   */
  execute(name: string, args: unknown, context?: CallContext): Promise<ToolResult>;

  /** What this machine can enforce. */
  capabilities(): CapabilityReport;

  /** Tells `listener` about each call when its result is there; see `AuditListener` for one that throws. */
  on(event: 'call', listener: AuditListener): this;

  /** Stops telling `listener`. */
  off(event: 'call', listener: AuditListener): this;

  /** Ends every call, and everything the tools started. Later calls reject with `ERR_CLOSED`. */
  close(): Promise<void>;
}

/**
 * Makes a toolkit: guarded tools for an agent that works in one place.
 *
 * @param options See `ToolkitOptions`.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option, or a directory that
 * does not exist; `ERR_INVALID_PATTERN` for a redaction pattern; `ERR_GUARANTEE_UNAVAILABLE` when
 * `terminal.require` names what this machine cannot enforce; `ERR_NATIVE_MISSING` and its
 * neighbours when the native part cannot be loaded.
 * @example
 * ```ts
 * import { createToolkit } from 'handrail';
 *
 * await using toolkit = await createToolkit({ workspace: process.cwd(), terminal: { allow: ['echo'] } });
 * const result = await toolkit.execute('terminal_run', { command: 'echo hello' });
 * console.log(result.isError, result.content.includes('hello')); // false true
 * ```
 */
export async function createToolkit(options: ToolkitOptions): Promise<Toolkit> {
  const checked = checkToolkitOptions(options);
  const toolkit = withMaskedErrors(checked.redactor, () => new GuardedToolkit(checked));
  try {
    await toolkit.terminal.ready();
  } catch (error) {
    await toolkit.close();
    throw error;
  }
  return toolkit;
}

class GuardedToolkit implements Toolkit {
  readonly terminal: Terminal;
  readonly redactor: Redactor;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #listeners = new AuditListeners((error) => this.#warn(error));
  readonly #calls = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(options: CheckedToolkitOptions) {
    this.redactor = options.redactor;
    this.terminal = new Terminal(options.terminal);
    const tools = [
      terminalRunTool({
        terminal: this.terminal,
        redactor: this.redactor,
        lists: describeLists(options.terminal),
        timeoutMs: options.terminal.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        resultChars: options.resultChars,
      }),
    ];
    this.#tools = new Map(tools.map((tool) => [tool.definition.name, tool]));
    if (options.audit !== undefined) this.#listeners.add(options.audit);
  }

  definitions(): ToolDefinition[] {
    return [...this.#tools.values()].map(({ definition }) => definition);
  }

  async execute(name: string, args: unknown, context: CallContext = {}): Promise<ToolResult> {
    if (typeof name !== 'string') throw invalidArgument('name', 'a string', name);
    const checked = checkContext(context);
    if (this.#closed !== undefined) throw new HandrailError('ERR_CLOSED', 'This toolkit was closed');
    const call = this.#run(name, args, checked);
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  capabilities(): CapabilityReport {
    return this.terminal.capabilities();
  }

  on(event: 'call', listener: AuditListener): this {
    this.#listeners.add(checkListener(event, listener));
    return this;
  }

  off(event: 'call', listener: AuditListener): this {
    this.#listeners.remove(checkListener(event, listener));
    return this;
  }

  close(): Promise<void> {
    this.#closed ??= this.terminal.close().then(async () => {
      await Promise.allSettled(this.#calls);
    });
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(name: string, args: unknown, context: CallContext): Promise<ToolResult> {
    const startedAt = new Date();
    const started = performance.now();
    const tool = this.#tools.get(name);
    const shownName = firstChars(this.redactor.redact(name), MAX_ECHOED_NAME_CHARS);
    const { result, facts } = tool === undefined ? unknownTool(shownName) : await tool.call(args, context);
    const record: AuditRecord = Object.freeze({
      id: randomUUID(),
      ...(context.callId === undefined ? {} : { callId: auditText(this.redactor, context.callId) }),
      tool: shownName,
      startedAt: startedAt.toISOString(),
      durationMs: performance.now() - started,
      isError: result.isError,
      contentChars: countChars(result.content),
      ...facts,
    });
    this.#listeners.tell(record);
    return result;
  }

  #warn(error: unknown): void {
    const message = auditText(this.redactor, error instanceof Error ? error.message : typeof error);
    process.emitWarning(`An audit listener failed: ${message}`, { type: 'HandrailWarning', code: 'HANDRAIL_AUDIT' });
  }
}

function checkListener(event: unknown, listener: unknown): AuditListener {
  if (event !== 'call') throw invalidArgument('event', "'call'", event);
  if (typeof listener !== 'function') throw invalidArgument('listener', 'a function', listener);
  return listener as AuditListener;
}

function unknownTool(shownName: string): ToolOutcome {
  const content = `Unknown tool: ${shownName}`;
  return {
    result: { content, isError: true, data: { refused: 'unknown_tool', problems: [content] } },
    facts: { ...REFUSED, reasons: ['unknown_tool'] },
  };
}
