import path from 'node:path';
import { AuditFile } from '../audit/audit-file.js';
import { type AuditListener, Listeners } from '../audit/listeners.js';
import { type AuditRecord, auditText, contactRecord } from '../audit/record.js';
import type { Bus } from '../bus/bus.js';
import { invalidArgument } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { HistoryOptions, UndoOptions } from '../files/call.js';
import { Files } from '../files/files.js';
import { writeGuards } from '../files/options.js';
import type { FileHistoryData, FileUndoData } from '../files/results.js';
import type { Job } from '../jobs/job.js';
import { Jobs } from '../jobs/jobs.js';
import { Launcher } from '../live/launcher.js';
import { LockFile } from '../mcp/lock-file.js';
import { McpRouter } from '../mcp/router.js';
import type { McpServerInfo } from '../mcp/server-info.js';
import type { Project } from '../presets/project.js';
import type { Redactor } from '../redaction/redactor.js';
import type { TextDigest } from '../report/result.js';
import { LaunchedServices, MAX_SERVICES_END_MS } from '../service/service.js';
import type { SessionQuestion } from '../session/questions.js';
import { Sessions } from '../session/sessions.js';
import type { CapabilityReport } from '../terminal/capabilities.js';
import { Engine } from '../terminal/engine.js';
import type { ForwardedPort, ForwardOptions } from '../terminal/forward.js';
import { DEFAULT_TIMEOUT_MS } from '../terminal/limits.js';
import { withMaskedErrors } from '../terminal/masked-errors.js';
import { checkTerminalOptions, rootsOption } from '../terminal/options.js';
import { type OpenRoots, openRoots, rootsOfViews, writableRoots } from '../terminal/roots.js';
import { Runner } from '../terminal/runner.js';
import { isNamed, secondPathOf } from '../terminal/second-path.js';
import { Terminal } from '../terminal/terminal.js';
import { within } from '../terminal/within.js';
import { Attachments } from './attachments.js';
import { checkContext } from './call-context.js';
import { CATALOGUE } from './catalogue.js';
import { customTools } from './custom-tools.js';
import type { CallContext, CallDecision, ToolDefinition, ToolResult } from './definition.js';
import { ToolCalls } from './executor.js';
import { JobBook } from './job-book.js';
import { mcpTools } from './mcp-tools.js';
import { denialOf, describeLists } from './program-lists.js';
import { SessionBook } from './session-book.js';
import { assertLayers, StagedPrograms } from './staged-programs.js';
import { Telemetry } from './telemetry.js';
import type {
  JobListener,
  QuestionListener,
  StagedLayer,
  Toolkit,
  ToolkitMcp,
  ToolsListener,
  Transaction,
} from './toolkit.js';
import type { CheckedToolkitOptions } from './toolkit-options.js';
import { assertHeld, inTransaction, LayerTransaction } from './transaction.js';

type ToolkitEvent = 'call' | 'tools' | 'job' | 'question';
type AnyListener = AuditListener & ToolsListener & JobListener & QuestionListener;

/** A toolkit made from checked options. This file is loaded with the first toolkit, so that importing Handrail stays cheap. */
export class GuardedToolkit implements Toolkit {
  readonly terminal: Terminal;
  readonly files: Files;
  readonly sessions: Sessions;
  readonly jobs: Jobs;
  readonly mcp: ToolkitMcp | undefined;
  readonly project: Project | undefined;
  readonly redactor: Redactor;
  declare readonly bus?: Bus;
  /** Runs every program of the toolkit. */
  readonly #engine: Engine;
  /** The roots, opened once for commands and files. */
  readonly #roots: OpenRoots;
  /** The roots of commands: they may read more than file tools. */
  readonly #commandRoots: OpenRoots;
  /** Judges and starts every program. */
  readonly #runner: Runner;
  readonly #rootPaths: readonly string[];
  readonly #servers: CheckedToolkitOptions['mcpServers'];
  readonly #readyMs: number;
  readonly #router: McpRouter | undefined;
  readonly #tools: ToolCalls;
  readonly #listeners = {
    call: new Listeners<AuditRecord>((error) => this.#warn(error)),
    tools: new Listeners<McpServerInfo>((error) => this.#warn(error)),
    job: new Listeners<Job>((error) => this.#warn(error)),
    question: new Listeners<SessionQuestion>((error) => this.#warn(error)),
  };
  readonly #audit: CheckedToolkitOptions['audit'];
  #auditFile: AuditFile | undefined;
  #telemetry: Telemetry | undefined;
  readonly #options: CheckedToolkitOptions;
  readonly #layer: string | undefined;
  /** The transactions that are not over. */
  readonly #transactions = new Set<Transaction>();
  /** The layers of programs. Undefined where these write into the roots, or into the layer of a transaction. */
  readonly #staged: StagedPrograms | undefined;
  readonly #attachments: Attachments | undefined;
  readonly #jobBook: JobBook | undefined;
  readonly #calls = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  /** @param layer The folder of the layer that everything is written into. Default: none. */
  constructor(options: CheckedToolkitOptions, layer?: string) {
    this.#options = options;
    this.#layer = layer;
    this.project = options.project;
    this.redactor = options.redactor;
    if (options.chat !== undefined) this.bus = options.chat.bus;
    const paths = options.terminal.roots.map((root) => (typeof root === 'string' ? root : root.path));
    this.#rootPaths = paths;
    this.#engine = new Engine({
      confine: options.terminal.sandbox !== 'off',
      roots: paths,
      maxSessions: options.maxSessions,
      maxServices: options.maxServices,
      maxJobs: options.maxJobs,
      spillTotalBytes: options.spillTotalBytes,
    });
    const commandRoots = rootsOfViews(options.terminal.roots, this.#engine);
    const fileRoots = openRoots(rootsOption(options.files.roots && rootsOfViews(options.files.roots, this.#engine)));
    const openedCommandRoots = openRoots(rootsOption(commandRoots));
    if (layer !== undefined) this.#engine.enterLayer(layer, fileRoots, openedCommandRoots);
    this.#roots = layer === undefined ? fileRoots : this.#engine.inLayer(fileRoots);
    this.#commandRoots = layer === undefined ? openedCommandRoots : this.#engine.inLayer(openedCommandRoots);
    const guards = writeGuards(options.files);
    this.#runner = new Runner(checkTerminalOptions({ ...options.terminal, roots: commandRoots }), {
      engine: this.#engine,
      roots: this.#commandRoots,
      guards,
      project: options.projectNetwork,
    });
    this.files = new Files(options.files, this.#roots, this.#engine.spills);
    const layered = { engine: this.#engine, files: this.files, roots: this.#roots.ofLayer(), redactor: this.redactor };
    const staging = StagedPrograms.of(options.changes, layered);
    this.#staged = staging;
    this.terminal = new Terminal(options.terminal, { runner: this.#runner, staging });
    const launcher = Launcher.of(this.#runner);
    this.#attachments =
      options.attach &&
      new Attachments({
        mode: options.attach,
        roots: paths,
        redactor: this.redactor,
        onRecord: (record) => this.#listeners.call.notify(record),
      });
    const questions = this.#listeners.question;
    const people = {
      questions: {
        isAnybody: () => !questions.isEmpty,
        notify: (question: SessionQuestion) => questions.notify(question),
      },
      offer: this.#attachments?.offer,
      echoes: options.attach === 'keyboard',
    };
    this.sessions = new Sessions(launcher, people, paths, staging);
    this.jobs = new Jobs({
      terminal: this.terminal,
      runner: this.#runner,
      jobMs: options.jobMs,
      onEnd: (job) => this.#jobEnded(job),
      staging,
    });
    this.#servers = options.mcpServers;
    this.#readyMs = options.mcpReadyMs;
    this.#router = this.#makeRouter(options, new LaunchedServices(launcher));
    const router = this.#router;
    this.mcp = router && {
      get servers() {
        return router.servers();
      },
      approve: (server, digest) => router.approve(server, digest),
    };
    const isPublished = (name: string): boolean => !options.namesTools || options.tools.includes(name);
    const published = CATALOGUE.filter(({ name }) => options.tools.includes(name));
    const hasJobTools = options.maxJobs > 0 && options.tools.includes('job_wait');
    this.#jobBook = hasJobTools ? new JobBook(this.jobs, this.#runner) : undefined;
    const host = {
      terminal: this.terminal,
      files: this.files,
      sessions: new SessionBook(this.terminal, this.#runner, this.sessions),
      jobs: this.#jobBook,
      ...(options.chat === undefined ? {} : { chat: options.chat }),
      redactor: this.redactor,
      ...(options.terminal.approve === undefined ? {} : { approve: options.terminal.approve }),
      lists: describeLists(options.terminal),
      tools: new Set(options.tools),
      denial: denialOf(options.terminal, this.terminal),
      places: {
        roots: commandRoots
          .filter(isNamed)
          .map((root) => secondPathOf(root) ?? path.resolve(typeof root === 'string' ? root : root.path)),
        isChanged: (options.files.roots ?? []).some(
          (root) => isNamed(root) && (typeof root === 'string' || root.mode !== 'ro'),
        ),
      },
      staged: staging !== undefined,
      shell: options.terminal.shell ?? 'none',
      timeoutMs: options.terminal.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      resultChars: options.resultChars,
      resultTokens: options.resultTokens,
      readTokens: options.readTokens,
      digest: (text: string, keeps = true, caller = '') => this.#digest(text, options.resultTokens, keeps, caller),
      takeContacts: () => this.#runner.takeContacts().map((contact) => contactRecord(this.redactor, contact)),
    };
    const own = options.customTools.filter(({ name }) => isPublished(name));
    this.#tools = new ToolCalls(
      published,
      host,
      customTools(own, host, this.#closing.signal),
      router && mcpTools(router, isPublished, this.#closing.signal),
    );
    this.#audit = options.audit;
  }

  /** Whether the host of a toolkit decides itself about what the policy leaves open. */
  static hasApprover(toolkit: Toolkit): boolean {
    return toolkit instanceof GuardedToolkit && toolkit.#options.terminal.approve !== undefined;
  }

  /** Opens the audit file, checks the guarantees and connects the MCP servers, so that the first call waits for none. */
  async ready(): Promise<void> {
    const { telemetry } = this.#options;
    if (telemetry !== undefined) this.#telemetry = await Telemetry.load(telemetry, this.redactor);
    if (typeof this.#audit === 'object') {
      this.#auditFile = new AuditFile(this.#audit.file, this.#rootPaths, '`audit.file`');
    }
    const listener = this.#auditFile?.add ?? this.#audit;
    if (typeof listener === 'function') this.#listeners.call.add(listener);
    await this.terminal.ready();
    if (this.#staged !== undefined) {
      assertHeld(this.#options, 'layer for commands');
      await assertLayers(this.files, this.#roots, this.#commandRoots);
    }
    await this.#router?.connect(this.#servers, this.#readyMs);
  }

  definitions(): ToolDefinition[] {
    return this.#tools.definitions();
  }

  explain(name: string, args: unknown): CallDecision {
    if (typeof name !== 'string') throw invalidArgument('name', 'a string', name);
    this.#assertOpen();
    return this.#tools.explain(name, args);
  }

  async execute(name: string, args: unknown, context: CallContext = {}): Promise<ToolResult> {
    if (typeof name !== 'string') throw invalidArgument('name', 'a string', name);
    const checkedContext = checkContext(context);
    this.#assertOpen();
    const make = () => this.#tools.call(name, args, checkedContext);
    const call = this.#telemetry?.call(name, args, checkedContext, make) ?? make();
    this.#calls.add(call);
    try {
      const { result, record } = await call;
      this.#listeners.call.notify(record);
      return result;
    } finally {
      this.#calls.delete(call);
    }
  }

  async forward(port: number, options?: ForwardOptions): Promise<ForwardedPort> {
    this.#assertOpen();
    return await this.terminal.forward(port, options);
  }

  history(options?: HistoryOptions): Promise<FileHistoryData> {
    return this.files.history(options);
  }

  undo(what?: string | number | UndoOptions): Promise<FileUndoData> {
    if (typeof what === 'string') return this.files.undo({ ids: [what] });
    return this.files.undo(typeof what === 'number' ? { last: what } : what);
  }

  async transaction(): Promise<Transaction> {
    this.#assertOpen();
    if (this.#layer !== undefined) {
      throw new HandrailError('ERR_NOT_SUPPORTED', 'There is no transaction in a transaction', {
        data: { name: 'transaction' },
      });
    }
    assertHeld(this.#options);
    const transaction = await LayerTransaction.begin(this.#roots.ofLayer(), {
      files: this.files,
      make: (layer) =>
        withMaskedErrors(this.redactor, () => {
          const inside = new GuardedToolkit(inTransaction(this.#options), layer);
          inside.#telemetry = this.#telemetry;
          return inside;
        }),
      onCall: (record) => this.#listeners.call.notify(record),
      onEnd: (ended) => this.#transactions.delete(ended),
    });
    this.#transactions.add(transaction);
    if (this.#closed !== undefined) await transaction.discard();
    this.#assertOpen();
    return transaction;
  }

  staged(): readonly StagedLayer[] {
    return this.#staged?.list() ?? [];
  }

  capabilities(): CapabilityReport {
    return this.terminal.capabilities();
  }

  on(event: ToolkitEvent, listener: AnyListener): this {
    this.#listenersOf(event, listener).add(listener);
    return this;
  }

  off(event: ToolkitEvent, listener: AnyListener): this {
    this.#listenersOf(event, listener).remove(listener);
    return this;
  }

  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  #listenersOf(event: unknown, listener: unknown) {
    if (event !== 'call' && event !== 'tools' && event !== 'job' && event !== 'question') {
      throw invalidArgument('event', "'call', 'tools', 'job' or 'question'", event);
    }
    if (typeof listener !== 'function') throw invalidArgument('listener', 'a function', listener);
    return this.#listeners[event];
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new HandrailError('ERR_CLOSED', 'This toolkit was closed');
  }

  async #shutDown(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#transactions].map((transaction) => transaction.discard()));
    await this.#attachments?.close();
    const servers = this.#router?.close();
    const live = [this.sessions.close(), this.jobs.close()];
    const ended = Promise.all([...live, this.terminal.close(), servers]);
    // MCP servers get time to end by themselves, and so do programs whose changes are brought over at their end. Commands get no
    // grace, because closing the engine kills them.
    const awaited = this.#staged === undefined ? [servers] : [servers, ...live];
    await within(Promise.allSettled(awaited), MAX_SERVICES_END_MS);
    await this.#engine.close();
    await ended;
    await Promise.allSettled(this.#calls);
    await this.#staged?.close();
    await this.files.close();
    this.#runner.close();
    this.#roots.close();
    this.#commandRoots.close();
    this.#auditFile?.[Symbol.dispose]();
  }

  async #digest(text: string, tokens: number, keeps: boolean, caller: string): Promise<TextDigest | undefined> {
    // No text has more than two tokens for a unit of UTF-16: most answers need no look.
    if (2 * text.length <= tokens) return undefined;
    return await this.#engine.digest(text, tokens, keeps ? this.#runner.options.output.spillBytes : 0, caller);
  }

  #makeRouter({ mcpServers, mcpLock, terminal }: CheckedToolkitOptions, services: LaunchedServices) {
    if (mcpServers.length === 0) return;
    const [first] = terminal.roots;
    const cwd = typeof first === 'string' ? first : (first?.path ?? '');
    const onChange = (server: McpServerInfo) => this.#listeners.tools.notify(server);
    if (mcpLock === undefined) return new McpRouter(services, { redactor: this.redactor, cwd, onChange });
    const pins = new LockFile({
      file: mcpLock === true ? undefined : mcpLock,
      writable: writableRoots(rootsOption(terminal.roots)),
      shownOption: '`mcpLock`',
    });
    return new McpRouter(services, { redactor: this.redactor, cwd, onChange, pins });
  }

  #jobEnded(job: Job): void {
    const record = this.#jobBook?.ended(job);
    if (record !== undefined) this.#listeners.call.notify(record);
    this.#listeners.job.notify(job);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #warn(error: unknown): void {
    const message = auditText(this.redactor, error instanceof Error ? error.message : typeof error);
    process.emitWarning(`A listener failed: ${message}`, { type: 'HandrailWarning', code: 'HANDRAIL_AUDIT' });
  }
}
