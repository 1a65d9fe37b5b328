import { type AuditListener, AuditListeners } from '../audit/listeners.js';
import { auditText } from '../audit/record.js';
import { invalidArgument } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import { Files } from '../files/files.js';
import { writeGuards } from '../files/options.js';
import { McpRouter } from '../mcp/router.js';
import type { Redactor } from '../redaction/redactor.js';
import { openServices } from '../service/open-services.js';
import type { Services } from '../service/service.js';
import type { CapabilityReport } from '../terminal/capabilities.js';
import { Engine } from '../terminal/engine.js';
import { DEFAULT_TIMEOUT_MS } from '../terminal/limits.js';
import { rootsOption } from '../terminal/options.js';
import { type OpenRoots, openRoots } from '../terminal/roots.js';
import { Terminal } from '../terminal/terminal.js';
import { checkContext } from './call-context.js';
import { CATALOGUE } from './catalogue.js';
import type { CallContext, ToolDefinition, ToolResult } from './definition.js';
import { ToolCalls } from './executor.js';
import { mcpTools } from './mcp-tools.js';
import { describeLists } from './program-lists.js';
import type { Toolkit, ToolkitMcp } from './toolkit.js';
import type { CheckedToolkitOptions } from './toolkit-options.js';

/** A toolkit of checked options. Loaded with the first one: importing Handrail does not pay for it. */
export class GuardedToolkit implements Toolkit {
  readonly terminal: Terminal;
  readonly files: Files;
  readonly mcp: ToolkitMcp | undefined;
  readonly redactor: Redactor;
  /** One for everything that runs programs; closed here. */
  readonly #engine: Engine;
  /** Opened once, for commands and files. */
  readonly #roots: OpenRoots;
  readonly #servers: CheckedToolkitOptions['mcpServers'];
  readonly #router: McpRouter | undefined;
  readonly #tools: ToolCalls;
  readonly #listeners = new AuditListeners((error) => this.#warn(error));
  readonly #calls = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(options: CheckedToolkitOptions, services: Services = openServices()) {
    this.redactor = options.redactor;
    const paths = options.terminal.roots.map((root) => (typeof root === 'string' ? root : root.path));
    this.#engine = new Engine({ confine: options.terminal.sandbox !== 'off', roots: paths });
    this.#roots = openRoots(rootsOption(options.terminal.roots));
    const shared = { engine: this.#engine, roots: this.#roots, guards: writeGuards(options.files) };
    this.terminal = new Terminal(options.terminal, shared);
    this.files = new Files(options.files, this.#roots);
    this.#servers = options.mcpServers;
    this.#router = this.#makeRouter(options, services);
    const router = this.#router;
    this.mcp = router && {
      get servers() {
        return router.servers();
      },
    };
    const isPublished = (name: string): boolean => !options.namesTools || options.tools.includes(name);
    const published = CATALOGUE.filter(({ name }) => options.tools.includes(name));
    this.#tools = new ToolCalls(
      published,
      {
        terminal: this.terminal,
        files: this.files,
        redactor: this.redactor,
        lists: describeLists(options.terminal),
        shell: options.terminal.shell ?? 'none',
        timeoutMs: options.terminal.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        resultChars: options.resultChars,
      },
      router && mcpTools(router, isPublished),
    );
    if (options.audit !== undefined) this.#listeners.add(options.audit);
  }

  /** Makes ready what the first call should not wait for. */
  async ready(): Promise<void> {
    await this.terminal.ready();
    await this.#router?.connect(this.#servers);
  }

  definitions(): ToolDefinition[] {
    return this.#tools.definitions();
  }

  async execute(name: string, args: unknown, context: CallContext = {}): Promise<ToolResult> {
    if (typeof name !== 'string') throw invalidArgument('name', 'a string', name);
    const checked = checkContext(context);
    if (this.#closed !== undefined) throw new HandrailError('ERR_CLOSED', 'This toolkit was closed');
    const call = this.#tools.call(name, args, checked);
    this.#calls.add(call);
    try {
      const { result, record } = await call;
      this.#listeners.tell(record);
      return result;
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
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  async #shutDown(): Promise<void> {
    const ended = Promise.all([this.terminal.close(), this.#router?.close()]);
    // What runs does not get its grace: the whole engine goes.
    await this.#engine.close();
    await ended;
    await Promise.allSettled(this.#calls);
    await this.files.close();
    this.#roots.close();
  }

  #makeRouter({ mcpServers, terminal, resultChars }: CheckedToolkitOptions, services: Services): McpRouter | undefined {
    if (mcpServers.length === 0) return undefined;
    const [first] = terminal.roots;
    const cwd = typeof first === 'string' ? first : (first?.path ?? '');
    return new McpRouter(services, { redactor: this.redactor, cwd, maxChars: resultChars });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
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
