import { HandrailError } from '../errors.js';
import type { NativeFoundFolder, NativeReply } from '../native/binding.js';
import type { Redactor } from '../redaction/redactor.js';
import { type Decision, decisionOf, denyFor } from '../report/decision.js';
import {
  type CommandResult,
  cancelledResult,
  deniedResult,
  type ResultContext,
  resultOfRun,
} from '../report/result.js';
import { ABORTED, AbortWatch } from './abort.js';
import type { ApprovalQuestion } from './approval.js';
import { askApprover, CHANGED_RULE, NO_APPROVER_MESSAGE, questionOf } from './ask.js';
import { type KernelPlan, refusalsOfRun } from './blocked.js';
import { type CheckedCall, checkCall, isAborted, nativeCall, type RunOptions, type StreamOptions } from './call.js';
import { assertGuarantees, type CapabilityReport, capabilityReport } from './capabilities.js';
import { checkCommand } from './command.js';
import { Engine, type StartedRun } from './engine.js';
import { assertOwnLoopback, type ForwardedPort, ForwardedPorts, type ForwardOptions } from './forward.js';
import { HeldPlans } from './held-plans.js';
import { InputFeed } from './input.js';
import { type NamedFiles, NamedFilesRecorder } from './named.js';
import { type CheckedTerminalOptions, checkTerminalOptions, type TerminalOptions } from './options.js';
import { FORCED_END, type ProgramLayer, type Staging, startInLayer } from './program-layer.js';
import { resultOfNoStart, type StartedOrNot, wholeSpan } from './refusal.js';
import { type JudgedCommand, Runner } from './runner.js';
import type { SharedParts } from './shared-parts.js';
import { CommandStream } from './stream.js';
import { OutputTap } from './tap.js';
import { isTemplate, type TemplateValue, templateCommand } from './template.js';

/**
 * Runs commands. Each is judged before it starts, confined while it runs, and killed for certain when its time is over.
 * Its output is redacted before anyone reads it.
 *
 * A string is one plain command, or with `shell: 'bash'` a script; an array is an argv that no shell sees. Whatever a
 * command did, its result has the same shape; only mistakes of the caller reject.
 *
 * A terminal that is not part of a toolkit starts one small supervisor process with its first run and keeps it until
 * `close()`. An idle terminal does not keep the host's process alive.
 *
 * @example
 * ```ts
 * import { Terminal } from 'handrail';
 *
 * await using terminal = new Terminal({ allow: ['echo'] });
 * const result = await terminal.run(['echo', 'password=hunter2']);
 * console.log(result.ok, result.output); // true password=[REDACTED]
 *
 * const refused = await terminal.run('rm -rf .');
 * console.log(refused.status, refused.decision.reasons[0]?.rule); // denied list.not_allowed
 * ```
 */
export class Terminal {
  readonly #options: CheckedTerminalOptions;
  readonly #redactor: Redactor;
  readonly #cwd: string;
  readonly #engine: Engine;
  readonly #ownsEngine: boolean;
  readonly #runner: Runner;
  readonly #ownsRunner: boolean;
  readonly #context: ResultContext;
  /** Runs of this terminal, which may share its engine with others. */
  readonly #running = new Map<number, Promise<unknown>>();
  readonly #aborts = new AbortWatch();
  readonly #recorder: NamedFilesRecorder;
  readonly #forwarded: ForwardedPorts;
  readonly #staging: Staging | undefined;
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;
  #hasCheckedGuarantees = false;
  readonly #plans: HeldPlans;

  /**
   * @param options See `TerminalOptions`; every default is there.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option,
   * `ERR_NATIVE_MISSING`, `ERR_NATIVE_VERSION` or `ERR_NOT_SUPPORTED` when the native part cannot be loaded.
   */
  constructor(options?: TerminalOptions);
  /**
   * @param shared Parts that a toolkit shares with its terminal, and closes itself.
   * @internal
   */
  constructor(options: TerminalOptions, shared?: SharedParts);
  constructor(options: TerminalOptions = {}, shared: SharedParts = {}) {
    this.#options = shared.runner?.options ?? checkTerminalOptions(options);
    const { spillTotalBytes } = this.#options.output;
    const confine = this.#options.sandbox !== 'off';
    const roots = this.#options.roots?.map((root) => root.path) ?? [];
    const sharedEngine = shared.runner?.engine ?? shared.engine;
    this.#ownsEngine = sharedEngine === undefined;
    this.#engine = sharedEngine ?? new Engine({ confine, roots, spillTotalBytes });
    if (this.#engine.confines !== confine) {
      throw new HandrailError('ERR_INVALID_ARGUMENT', 'Terminals that share an engine share its `sandbox`');
    }
    if (!this.#ownsEngine && spillTotalBytes !== undefined) {
      throw new HandrailError(
        'ERR_INVALID_ARGUMENT',
        '`output.spillTotalBytes` is decided for all tools: give `limits.spillTotalBytes` of the toolkit instead',
        { data: { name: 'output.spillTotalBytes' } },
      );
    }
    this.#ownsRunner = shared.runner === undefined;
    this.#runner = shared.runner ?? new Runner(this.#options, { ...shared, engine: this.#engine });
    this.#redactor = this.#runner.redactor;
    this.#cwd = this.#runner.cwd;
    this.#forwarded = new ForwardedPorts((port) => this.#runner.connect(port));
    this.#recorder = new NamedFilesRecorder(this.#cwd, (file) => this.#runner.realPath(file));
    this.#plans = new HeldPlans(this.#runner);
    this.#staging = shared.staging;
    this.#context = { redactor: this.#redactor, profile: this.#options.sandbox };
  }

  /** The path by which commands know an absolute path. @internal */
  shownPath(place: string): string {
    return this.#runner.shownPath(place);
  }

  /** Names of the host's variables that commands do not see, sorted. */
  get withheld(): readonly string[] {
    return this.#runner.withheld;
  }

  /**
   * Judges a command without running it.
   *
   * @param command One plain command, with `shell: 'bash'` a script, or an argv.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for anything but a string or an array of strings.
   * @example
   * ```ts
   * import { Terminal } from 'handrail';
   *
   * const decision = new Terminal({ allow: ['git'] }).explain('curl example.com');
   * console.log(decision.decision); // deny
   * ```
   */
  explain(command: string | readonly string[]): Decision {
    return this.#runner.explain(checkCommand(command));
  }

  /**
   * Runs a command to its end.
   *
   * @param command One plain command, with `shell: 'bash'` a script, or an argv that no shell sees.
   * @param options See `RunOptions`.
   * @returns The result, also of a command that was denied, failed, ran out of time or was cancelled. It comes at the
   * latest when `timeoutMs` and the terminal's `graceMs` have passed, and the time that the kernel takes to end killed
   * processes: at most about 0.9 s, after which `survivors` names the processes that still live. Where the worker of
   * the run does not answer, for example because a control group froze it, the result comes about 2.2 s later, with the
   * failure `worker_lost`.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_CLOSED` after `close()`,
   * `ERR_GUARANTEE_UNAVAILABLE` when `require` cannot be met, `ERR_SUPERVISOR` when the supervisor
   * cannot be started. An error of `onOutput` or `approve` passes through.
   * @example
   * ```ts
   * import { Terminal } from 'handrail';
   *
   * await using terminal = new Terminal({ allow: ['node'] });
   * const result = await terminal.run(['node', '--version'], { timeoutMs: 10_000 });
   * if (result.ok) console.log(result.stdout.trim());
   * ```
   */
  run(command: string | readonly string[], options?: RunOptions): Promise<CommandResult>;
  /**
   * Runs a command that is written as a template: white space divides words, `${value}` is one argument whatever is in
   * it, and an array is several arguments. No shell sees it, and there are no quotes.
   *
   * @param strings The text of the template.
   * @param values The inserted values.
   * @returns As above.
   * @throws HandrailError As above; `ERR_INVALID_ARGUMENT` too for a value that is no string, number or array of these.
   * @example
   * ```ts
   * import { Terminal } from 'handrail';
   *
   * await using terminal = new Terminal({ allow: ['ls'] });
   * const folder = 'my documents';
   * const result = await terminal.run`ls -l ${folder}`;
   * ```
   */
  run(strings: TemplateStringsArray, ...values: readonly TemplateValue[]): Promise<CommandResult>;
  async run(command: string | readonly string[], ...furtherArguments: readonly unknown[]): Promise<CommandResult> {
    const [given = {}] = furtherArguments;
    const [words, options] = isTemplate(command) ? [templateCommand(command, furtherArguments), {}] : [command, given];
    return await this.#run(this.#checkedCall(words, options));
  }

  /**
   * Runs a command, or a job, of a caller.
   *
   * @internal
   */
  async runFor(
    command: string | readonly string[],
    options: RunOptions,
    parts: Pick<CheckedCall, 'caller' | 'onStart' | 'layer' | 'isWantedEnd'>,
  ): Promise<CommandResult> {
    return await this.#run({ ...this.#checkedCall(command, options), ...parts });
  }

  async #run(call: CheckedCall): Promise<CommandResult> {
    this.#assertReady();
    if (isAborted(call)) return cancelledResult(this.#runner.explain(call.command), this.#context);
    const first = await this.#attempt(call);
    if ('status' in first) return first;

    const approve = call.approve ?? this.#options.approve;
    if (approve === undefined) return this.#notApproved(call, first, 'no_approver', NO_APPROVER_MESSAGE);
    const signals = [call.signal, this.#closing.signal];
    const namedFiles = this.#recorder.record(call);
    const answer = await askApprover(approve, call, first, namedFiles, this.#aborts, signals);
    if (answer === ABORTED) return cancelledResult(first, this.#context);
    if (!answer.approved) return this.#notApproved(call, first, 'not_approved', answer.reason);
    const second = await this.#attempt(call, namedFiles);
    return 'status' in second ? second : this.#notApproved(call, second, 'not_approved');
  }

  /**
   * A command whose output is read in a loop, and whose result comes afterwards.
   *
   * @param command As for `run()`.
   * @param options As for `run()`, without `onOutput`: the loop takes the pieces, which are the same.
   * @returns See `CommandStream`. Nothing starts before it is iterated; leaving the loop ends the command.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for wrong arguments. The loop rejects with the other errors of
   * `run()`.
   * @example
   * ```ts
   * import { Terminal } from 'handrail';
   *
   * await using terminal = new Terminal({ allow: ['seq'] });
   * const counting = terminal.stream('seq 1 3');
   * for await (const { stream, text } of counting) console.log(stream, text.length); // stdout 6
   * console.log((await counting.result()).ok); // true
   * ```
   */
  stream(command: string | readonly string[], options: StreamOptions = {}): CommandStream {
    const { signal, onOutput: other } = this.#checkedCall(command, options);
    if (other !== undefined) {
      throw new HandrailError('ERR_INVALID_ARGUMENT', '`stream` takes no `onOutput`: the loop gets the pieces', {
        data: { name: 'onOutput' },
      });
    }
    return new CommandStream((onOutput, stop) =>
      this.run(command, {
        ...options,
        onOutput,
        signal: signal === undefined ? stop : AbortSignal.any([signal, stop]),
      }),
    );
  }

  #checkedCall(command: unknown, options: unknown): CheckedCall {
    return checkCall(command, options, { cwd: this.#cwd, timeoutMs: this.#options.timeoutMs });
  }

  /**
   * Judges a command, or the program of a session, in the directory in which it would run, and adds the question that an
   * approver would get. Nobody is asked.
   *
   * @internal
   */
  explainCall(
    command: string,
    options: Pick<RunOptions, 'cwd'>,
    kind: 'run' | 'session' = 'run',
  ): Decision & { readonly question?: ApprovalQuestion } {
    this.#assertOpen();
    const call = this.#checkedCall(command, options);
    const runner = this.#runner;
    const decision = kind === 'run' ? runner.explain(call.command, call.cwd) : runner.judge(command, call.cwd).decision;
    if (decision.decision !== 'ask') return decision;
    return { ...decision, question: questionOf(call, decision, this.#recorder.record(call)) };
  }

  /**
   * Judges the program of a session, and asks `approve` where the policy leaves it open.
   *
   * @returns The program with its decision, `allow` when it may start, and whether the approver allowed it.
   * @internal
   */
  async judge(
    command: string,
    options: Pick<RunOptions, 'cwd' | 'signal' | 'approve'>,
  ): Promise<JudgedCommand & { readonly approved: boolean }> {
    const call = this.#checkedCall(command, options);
    this.#assertReady();
    const judged = this.#runner.judge(command, call.cwd);
    const { decision } = judged;
    const denied = (rule: string, message?: string) => ({
      ...judged,
      decision: this.#denied(call, decision, rule, message),
      approved: false,
    });
    if (decision.decision !== 'ask') return { ...judged, approved: false };
    const approve = call.approve ?? this.#options.approve;
    if (approve === undefined) return denied('no_approver', NO_APPROVER_MESSAGE);
    const namedFiles = this.#recorder.record(call);
    const signals = [call.signal, this.#closing.signal];
    const answer = await askApprover(approve, call, decision, namedFiles, this.#aborts, signals);
    if (answer === ABORTED) return denied('not_approved');
    if (!answer.approved) return denied('not_approved', answer.reason);
    const changed = namedFiles.describeChange();
    if (changed !== undefined) return denied(CHANGED_RULE, changed);
    return { ...judged, decision: { ...decision, decision: 'allow' }, approved: true };
  }

  /**
   * Checks that this machine can enforce the guarantees of `require`. `run()` checks this by itself.
   *
   * @throws HandrailError `ERR_GUARANTEE_UNAVAILABLE`, `ERR_CLOSED`.
   */
  ready(): Promise<void> {
    return new Promise((resolve) => {
      this.#assertReady();
      resolve();
    });
  }

  /**
   * What this machine can enforce for the commands of this terminal.
   *
   * @example
   * ```ts
   * import { Terminal } from 'handrail';
   *
   * for (const { feature, level } of new Terminal().capabilities().features) {
   *   console.log(feature, level);
   * }
   * ```
   */
  capabilities(): CapabilityReport {
    return capabilityReport(this.#runner.capabilities(), this.withheld, this.#runner.registries);
  }

  /**
   * Gives the host a port of its loopback that leads to a port of commands: to what a program of this terminal, or of
   * its toolkit, listens on at `127.0.0.1` or `::1` with `confine.network: 'loopback'`. Every user of this machine can
   * connect to it. It ends with the terminal, and does not keep the host's process alive.
   *
   * @param port The port of commands, from 1 to 65,535. Until something listens there, connections are reset.
   * @throws HandrailError `ERR_INVALID_ARGUMENT`, also where `confine.network` gives commands no loopback of their own,
   * `ERR_CLOSED`, `ERR_SYSTEM` when the port of the host is taken.
   */
  async forward(port: number, options?: ForwardOptions): Promise<ForwardedPort> {
    this.#assertOpen();
    assertOwnLoopback(this.#runner.options.confine.network);
    return await this.#forwarded.open(port, options);
  }

  /** The hosts that `approve` agreed to, with `network: 'ask'`: entries for `confine.network.allow`. */
  get approvedHosts(): readonly string[] {
    return this.#runner.approvedHosts();
  }

  /** The folders that programs are found in, and those that were left out with the reason. @internal */
  searchPath(): NativeFoundFolder[] {
    return this.#runner.searchPath();
  }

  /**
   * Ends every run of this terminal and waits until no process of them is left. Removes its temporary folders and spill
   * files, and ends the supervisor when the terminal has its own. Settles within about 4 seconds and the time that
   * removing folders takes, even when a process cannot be ended now: a process in a frozen control group dies as soon
   * as the group is thawed, and the result of its run has a failure or names it as a survivor. Can be called again;
   * later runs reject with `ERR_CLOSED`.
   */
  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  /** The same as `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #shutDown(): Promise<void> {
    this.#closing.abort();
    const forwarded = this.#forwarded.close();
    if (this.#ownsEngine) {
      await this.#engine.close();
    } else {
      for (const id of this.#running.keys()) this.#engine.cancel(id);
    }
    await Promise.allSettled([forwarded, ...this.#running.values()]);
    if (this.#ownsRunner) this.#runner.close();
  }

  /** Starts the command when it may start, and returns its result; else the decision that an approver has to be asked about. */
  async #attempt(call: CheckedCall, approved?: NamedFiles): Promise<CommandResult | Decision> {
    const start = (layer?: ProgramLayer) => this.#engine.admit(() => this.#start(call, approved, layer));
    const staging = call.layer === undefined ? this.#staging : undefined;
    const outcome = await (staging === undefined ? start(call.layer) : startInLayer(staging, call, start));
    if (outcome.finished !== undefined) return outcome.finished;
    const decision = decisionOf(outcome.start.decision);
    return resultOfNoStart(outcome.start, call.command, decision, this.#context) ?? decision;
  }

  /** Judges and starts the command within one turn of the event loop. */
  #start(call: CheckedCall, approved: NamedFiles | undefined, layer: ProgramLayer | undefined): StartedOrNot {
    if (isAborted(call)) {
      return { finished: Promise.resolve(cancelledResult(this.#runner.explain(call.command), this.#context)) };
    }
    this.#assertOpen();
    const changed = approved?.describeChange();
    if (changed !== undefined) {
      return {
        finished: Promise.resolve(this.#notApproved(call, this.#runner.explain(call.command), CHANGED_RULE, changed)),
      };
    }
    // Assigned before the first chunk can come: chunks come in later turns of the event loop.
    let run: StartedRun | undefined;
    const cancel = (): void => {
      if (run !== undefined) this.#engine.cancel(run.id);
    };
    const tap = call.onOutput === undefined ? undefined : new OutputTap(call.onOutput, cancel);
    const { stdin } = call;
    const source = stdin === undefined || stdin instanceof Uint8Array ? undefined : stdin;
    const feed = source === undefined ? undefined : InputFeed.of(this.#engine, () => run?.id ?? 0, cancel);
    const listener = { onChunk: tap?.take, onWritten: (reply: NativeReply) => feed?.written(reply) };
    const outcome = this.#runner.start(
      call.command,
      nativeCall(call, approved !== undefined, this.#engine.spills, layer),
      listener,
    );
    run = outcome.run;
    if (run === undefined) return { start: outcome.start };
    call.onStart?.(run.id);
    if (source !== undefined) void feed?.read(source);
    const decision = decisionOf(outcome.start.decision);
    return { finished: this.#finish(call, run, decision, cancel, tap, feed, layer), layer };
  }

  /** Waits for the end of a run. */
  async #finish(
    call: CheckedCall,
    run: StartedRun,
    decision: Decision,
    cancel: () => void,
    tap: OutputTap | undefined,
    feed: InputFeed | undefined,
    layer: ProgramLayer | undefined,
  ): Promise<CommandResult> {
    this.#running.set(run.id, run.done);
    const stopAsking = this.#runner.askingAboutHosts(call.approve);
    const stopWatching = call.signal === undefined ? undefined : this.#aborts.watch(call.signal, cancel);
    try {
      const native = await run.done;
      tap?.rethrow();
      const failure = native.end.failure ?? feed?.failure;
      const ended = failure === undefined ? native : { ...native, end: { ...native.end, failure } };
      const plan = this.#plans.enforcedOn(call.cwd, decision);
      const contacts = this.#runner.contactsOf(run);
      const refusals = refusalsOfRun(ended, call.command, plan, contacts, call.merge, this.#engine.isIdle);
      const hooks = this.#runner.hooks.notRun(ended);
      const result = resultOfRun(ended, decision, this.#context, [...refusals, ...hooks]);
      const staged = await layer?.ended(result, call.isWantedEnd?.());
      return staged === undefined ? result : { ...result, staged };
    } catch (error) {
      // The engine is lost, or the host's own function has failed.
      await layer?.ended(FORCED_END);
      throw error;
    } finally {
      feed?.stop();
      stopWatching?.();
      stopAsking();
      this.#running.delete(run.id);
    }
  }

  /** The kernel plan of a command that somebody approves. Undefined where none is enforced. @internal */
  get approvedPlan(): KernelPlan | undefined {
    return this.#plans.of('ask');
  }

  #notApproved(call: CheckedCall, decision: Decision, rule: string, message?: string): CommandResult {
    return deniedResult(this.#denied(call, decision, rule, message), this.#context);
  }

  #denied(call: CheckedCall, decision: Decision, rule: string, message = 'This command was not approved'): Decision {
    return denyFor(decision, { rule, span: wholeSpan(call.command), message: this.#redactor.redact(message) });
  }

  #assertReady(): void {
    this.#assertOpen();
    if (this.#hasCheckedGuarantees) return;
    if (this.#options.require.length > 0) {
      assertGuarantees(this.#options.require, this.capabilities());
    }
    this.#hasCheckedGuarantees = true;
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new HandrailError('ERR_CLOSED', 'This terminal was closed');
  }
}
