import type { AuditListener } from '../audit/listeners.js';
import type { Bus } from '../bus/bus.js';
import type { CommittedLayer, LayerChanges } from '../files/answers.js';
import type { HistoryOptions, UndoOptions } from '../files/call.js';
import type { Files } from '../files/files.js';
import type { FileAnswer, FileHistoryData, FileUndoData } from '../files/results.js';
import type { TransactionChangesOptions, TransactionCommitOptions } from '../files/transaction-options.js';
import type { Job } from '../jobs/job.js';
import type { Jobs } from '../jobs/jobs.js';
import type { McpServerInfo } from '../mcp/server-info.js';
import type { Project } from '../presets/project.js';
import type { Redactor } from '../redaction/redactor.js';
import type { SessionQuestion } from '../session/questions.js';
import type { Sessions } from '../session/sessions.js';
import type { CapabilityReport } from '../terminal/capabilities.js';
import type { ForwardedPort, ForwardOptions } from '../terminal/forward.js';
import type { Terminal } from '../terminal/terminal.js';
import type { CallContext, CallDecision, ToolDefinition, ToolResult } from './definition.js';

export type { TransactionChangesOptions, TransactionCommitOptions } from '../files/transaction-options.js';

/**
 * Gets the state of an MCP server when its tools have changed, and when it could not be connected. An error that the
 * listener throws, or with which its promise rejects, is a process warning with the code `HANDRAIL_AUDIT`.
 */
export type ToolsListener = (server: McpServerInfo) => void;

/** Gets each job that has ended. An error of the listener is a process warning, as for `ToolsListener`. */
export type JobListener = (job: Job) => void;

/**
 * Gets each question of a program that reads a line, such as a password, without echo. An error of the listener is a process
 * warning, as for `ToolsListener`.
 */
export type QuestionListener = (question: SessionQuestion) => void;

/** The MCP servers of a toolkit. */
export interface ToolkitMcp {
  /** Every server in the order of `mcpServers`, including those that could not be connected. */
  readonly servers: readonly McpServerInfo[];

  /**
   * Approves the tools that a server listed last, in `mcpLock` or for this process, and offers them. For hosts that show
   * `unapproved` of the server to a person, in the place of `handrail mcp approve`.
   *
   * @param server Name of the server.
   * @param digest `unapproved.digest` of what the person saw.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` where the server has no such change any more, and where the lock file
   * cannot be written; `ERR_INVALID_CONFIG` where it cannot be read.
   */
  approve(server: string, digest: string): void;
}

/**
 * Tools that write into a layer over the writable roots of a toolkit. Nothing beneath the roots changes; what others change
 * there meanwhile is seen where the layer has no file of its own.
 *
 * It is over with `commit()` or `discard()`, and when its toolkit is closed. When the host is killed, nothing of it is left but its files,
 * which the next transaction removes.
 */
export interface Transaction extends AsyncDisposable {
  /**
   * The tools, under the policy of the toolkit that they came from. Their calls are recorded there too. They have no history:
   * the transaction is what takes them back. The servers of `mcpServers` are not among them.
   */
  readonly toolkit: Toolkit;

  /**
   * Lists what was written so far: each file, link and folder that was created, changed or removed, and what would stand against
   * a commit. Secrets in paths masked.
   *
   * @returns The changes, or why they cannot be read.
   * @throws HandrailError `ERR_CLOSED` when it is over, `ERR_INVALID_ARGUMENT` for a wrong option.
   */
  changes(options?: TransactionChangesOptions): Promise<FileAnswer<LayerChanges>>;

  /**
   * Ends everything that runs in it and brings over what was written: all of it or nothing, also when the host is killed
   * meanwhile. `toolkit.undo(id)` takes it back. A place that somebody else has changed since the transaction began is a
   * conflict: then `committed` is false, nothing is changed, and the transaction keeps what it has.
   *
   * @returns What was brought over, or what stands against it.
   * @throws HandrailError `ERR_CLOSED` when it is over, `ERR_INVALID_ARGUMENT` for a wrong option.
   * @example
   * ```ts
   * import { createToolkit } from 'handrail';
   *
   * await using toolkit = await createToolkit({ workspace: '.' });
   * await using tried = await toolkit.transaction();
   * await tried.toolkit.files.write('kept.txt', 'kept');
   * const done = await tried.commit();
   * console.log(done.ok && done.committed, (await toolkit.files.stat('kept.txt')).ok); // true true
   * ```
   */
  commit(options?: TransactionCommitOptions): Promise<FileAnswer<CommittedLayer>>;

  /**
   * Ends everything that runs in it, and drops what was written. Can be called again, waits for a commit that is running, and does
   * nothing after one.
   */
  discard(): Promise<void>;
}

/** Changes of a command, a job or a session that wait for a decision, with `changes: 'staged'` of the toolkit. */
export interface StagedLayer {
  /** Its name in this toolkit, such as `c1`. */
  readonly id: string;
  /** What wrote them. */
  readonly kind: 'run' | 'job' | 'session';
  /** The command that did, secrets masked. */
  readonly command: string;
  /** Whose it is, where a model asked for it. Secrets masked. */
  readonly caller?: string;

  /**
   * Lists them, and what stands against a commit. Secrets in paths masked.
   *
   * @returns The changes, or why they cannot be read.
   * @throws HandrailError `ERR_CLOSED` when they were decided about, `ERR_INVALID_ARGUMENT` for a wrong option.
   */
  changes(options?: TransactionChangesOptions): Promise<FileAnswer<LayerChanges>>;

  /**
   * Brings them over: all or nothing, and with `partly` everything but the conflicts. Where nothing is brought over, they go on
   * waiting.
   *
   * @returns What was brought over, or what stands against it.
   * @throws HandrailError As `changes()`.
   */
  commit(options?: TransactionCommitOptions): Promise<FileAnswer<CommittedLayer>>;

  /** Drops them. Does nothing when they were decided about. */
  discard(): Promise<void>;
}

/** Guarded tools for one agent, with one policy, one redactor and one audit. */
export interface Toolkit extends AsyncDisposable {
  /** The terminal that `terminal_run` uses, for the program's own use. */
  readonly terminal: Terminal;
  /** The file engine that the `file_…` tools use, for the program's own use. */
  readonly files: Files;
  /** The sessions of the toolkit, for the program's own use; those of `session_start` are among them. */
  readonly sessions: Sessions;
  /** The jobs of the toolkit, for the program's own use; those of `terminal_run` are among them. */
  readonly jobs: Jobs;
  /** The bus that `chat_send` uses; you close it. Absent where neither `bus` nor `chat` was given. */
  readonly bus?: Bus;
  /** The state of the MCP servers. Undefined when there are none. */
  readonly mcp: ToolkitMcp | undefined;
  /** What `project` came to. Undefined when it was not given. */
  readonly project: Project | undefined;
  /** The redactor, which masks secrets in every result. */
  readonly redactor: Redactor;

  /**
   * The definitions of the tools for a model, in a fixed order: Handrail's own, then those of MCP servers by name.
   * Equal options and servers give equal definitions. The tools of servers may change while the toolkit lives:
   * `on('tools', ...)` tells it.
   */
  definitions(): ToolDefinition[];

  /**
   * Returns the decision of the policy about a call. Nothing is done, nobody is asked, nothing is recorded.
   *
   * @param name Name of a tool.
   * @param args The model's arguments, unchecked.
   * @returns `deny` also for an unknown tool and wrong arguments, with the reason `unknown_tool` or
   * `invalid_arguments`.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a `name` that is no string, `ERR_CLOSED` after `close()`.
   * @example
   * ```ts
   * import { createToolkit } from 'handrail';
   *
   * await using toolkit = await createToolkit({ workspace: '.', terminal: { allow: ['node'] } });
   * const { decision, question } = toolkit.explain('terminal_run', { command: 'node -p 1+1' });
   * console.log(decision, question?.rendering); // ask node -p 1+1
   * ```
   */
  explain(name: string, args: unknown): CallDecision;

  /**
   * Calls a tool with what a model sent.
   *
   * @param name Name of a tool. For an unknown name the result says that there is no such tool.
   * @param args The model's arguments, unchecked. For wrong arguments the result says what is wrong.
   * @param context See `CallContext`.
   * @returns The result, also of a call that was denied, failed, ran out of time or was cancelled.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong `name` or `context`, `ERR_CLOSED`
   * after `close()`, `ERR_SUPERVISOR` when the supervisor cannot be started. Errors of `onOutput` and `approve` pass
   * through.
   */
  execute(name: string, args: unknown, context?: CallContext): Promise<ToolResult>;

  /**
   * Gives the host a port of its loopback that leads to a port of the toolkit's programs, see `Terminal.forward()`. It
   * ends with the toolkit.
   *
   * @throws HandrailError As `Terminal.forward()`.
   */
  forward(port: number, options?: ForwardOptions): Promise<ForwardedPort>;

  /**
   * Lists the calls of file tools that changed files, newest first, whoever made them through this toolkit. What commands
   * changed is among them with `changes: 'staged'` only. See `Files.history`.
   *
   * @throws HandrailError As `Files.history()`.
   */
  history(options?: HistoryOptions): Promise<FileHistoryData>;

  /**
   * Takes such calls back, all or none. See `Files.undo`.
   *
   * @param what Id of a call, or how many of the last ones, or `UndoOptions`: `{ since: id }` takes back everything after a
   * call. Default: the last call.
   * @returns What became of each file, or why nothing was changed.
   * @throws HandrailError As `Files.undo()`.
   * @example
   * ```ts
   * import { createToolkit } from 'handrail';
   *
   * await using toolkit = await createToolkit({ workspace: '.' });
   * await toolkit.execute('file_write', { path: 'plan.md', content: 'draft' });
   * const undone = await toolkit.undo();
   * console.log(undone.ok && undone.files); // [ { path: 'plan.md', operation: 'delete', bytesBefore: 5 } ]
   * ```
   */
  undo(what?: string | number | UndoOptions): Promise<FileUndoData>;

  /**
   * Begins a transaction: the same tools under the same policy, whose commands, sessions, jobs and file tools write into a layer
   * over the writable roots. Nothing beneath the roots changes.
   *
   * @throws HandrailError `ERR_GUARANTEE_UNAVAILABLE` where there is no such layer: without a namespace of its own, where the
   * file system of a root or of the user's folder for state carries no overlay, and where something is mounted beneath a root.
   * `ERR_NOT_SUPPORTED` in a transaction and with options that let commands write anywhere (`sandbox: 'off'`, `writes: 'any'`),
   * `ERR_SYSTEM` where its folder cannot be made, `ERR_CLOSED` after `close()`.
   * @example
   * ```ts
   * import { createToolkit } from 'handrail';
   *
   * await using toolkit = await createToolkit({ workspace: '.', terminal: { allow: ['touch'] } });
   * await using tried = await toolkit.transaction();
   * await tried.toolkit.execute('terminal_run', { command: 'touch tried.txt' });
   * const [inside, outside] = [await tried.toolkit.files.stat('tried.txt'), await toolkit.files.stat('tried.txt')];
   * console.log(inside.ok, outside.ok); // true false
   * ```
   */
  transaction(): Promise<Transaction>;

  /**
   * The changes that wait for a decision, oldest first, with `changes: 'staged'`: those of commands that have run, and that could
   * not be brought over because somebody else had changed the same place. They are dropped when the toolkit is closed.
   */
  staged(): readonly StagedLayer[];

  /** What this machine can enforce for the commands of this toolkit. */
  capabilities(): CapabilityReport;

  /**
   * Calls `listener` with a record after each call; see `AuditListener` for listeners that throw.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for another event or a listener that is no function.
   */
  on(event: 'call', listener: AuditListener): this;
  /**
   * Calls `listener` with each MCP server whose tools have changed: a server that was ready later than `mcpReadyMs`,
   * one that has announced other tools, or one that could not be connected after all. `definitions()` has the new tools
   * then. Make anything that was made from earlier definitions, such as `agentTools(toolkit)`, again.
   *
   * @throws HandrailError As above.
   */
  on(event: 'tools', listener: ToolsListener): this;
  /**
   * Calls `listener` with each job that has ended, whoever started it.
   *
   * @throws HandrailError As above.
   */
  on(event: 'job', listener: JobListener): this;
  /**
   * Calls `listener` when an answer of a session finds that a program reads a line with the echo of its terminal turned off:
   * a password, which `question.session.sendSecret(question.id, …)` types. A model does not see it, and `session_send` types
   * nothing while the question stands. Add the listener before the sessions are opened: only then do their terminals echo, so
   * that turning it off shows.
   *
   * @throws HandrailError As above.
   * @example
   * ```ts
   * import { createToolkit } from 'handrail';
   *
   * await using toolkit = await createToolkit({ workspace: '.' });
   * const askPerson = async () => 'what somebody typed';
   * toolkit.on('question', ({ id, session }) => session.sendSecret(id, askPerson));
   * const shell = await toolkit.sessions.open('bash');
   * await shell.read();
   * await shell.send('read -sp "Password: " word; echo; echo "got $word"');
   * console.log((await shell.read()).text.trim().split('\n')[0]); // got [REDACTED]
   * ```
   */
  on(event: 'question', listener: QuestionListener): this;

  /**
   * Stops calling `listener`. Does nothing for a function that is not a listener.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for another event or a listener that is no function.
   */
  off(event: 'call', listener: AuditListener): this;
  /** Stops calling a listener of MCP servers. */
  off(event: 'tools', listener: ToolsListener): this;
  /** Stops calling a listener of jobs. */
  off(event: 'job', listener: JobListener): this;
  /** Stops calling a listener of questions. */
  off(event: 'question', listener: QuestionListener): this;

  /**
   * Ends every call and everything that the tools started, and waits until no process of them is left, at most as long
   * as `Terminal.close()`. MCP servers get the end of their input first, SIGTERM after 2 s, and SIGKILL after 2 s more:
   * with them closing may take up to 5 s longer. Can be called again; later calls of tools reject with `ERR_CLOSED`.
   */
  close(): Promise<void>;
}
