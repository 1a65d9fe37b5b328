import { HandrailError } from '../errors.js';
import type {
  NativeCall,
  NativeChunk,
  NativeEngine,
  NativeEvent,
  NativeReply,
  NativeReport,
  NativeResult,
  NativeRoots,
  NativeRunner,
  NativeRunnerConfig,
  NativeStart,
  NativeTextDigest,
} from '../native/binding.js';
import { type Json, read } from '../native/json.js';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';
import { Admission } from './admission.js';
import {
  DEFAULT_MAX_JOBS,
  DEFAULT_MAX_SERVICES,
  DEFAULT_MAX_SESSIONS,
  DEFAULT_SPILL_TOTAL_BYTES,
  MAX_WORKERS,
} from './limits.js';
import { SpillFolders } from './spill-folders.js';
import { stateFolder } from './state-folder.js';
import { isThenable } from './tap.js';

/** The options of an engine. No public option sets those for tests. */
export interface EngineOptions {
  /** Commands that can run at once. Default: `MAX_WORKERS`. */
  readonly maxWorkers?: number;
  /** Sessions at once; one more is refused. Default: `DEFAULT_MAX_SESSIONS`. */
  readonly maxSessions?: number;
  /** Services at once; one more is refused. Default: `DEFAULT_MAX_SERVICES`. */
  readonly maxServices?: number;
  /** Jobs at once; one more is refused. Default: `DEFAULT_MAX_JOBS`. */
  readonly maxJobs?: number;
  /** The total size of all spill files, in bytes. Default: `DEFAULT_SPILL_TOTAL_BYTES`. */
  readonly spillTotalBytes?: number | undefined;
  /** False only in tests that must see what would survive without killing. Default: true. */
  readonly killing?: boolean;
  /** False runs commands without the kernel's confinement. Default: true. */
  readonly confine?: boolean;
  /** Given only in tests that imitate other kernels: the newest ABI of Landlock, and whether there is seccomp, a namespace and a control group. */
  readonly kernel?: {
    readonly landlock: number;
    readonly filters: boolean;
    readonly namespaces: boolean;
    readonly controlGroups?: boolean;
  };
  /** False only in tests that must see what the kernel stops without a judgement. Default: true. */
  readonly judging?: boolean;
  /** Directories agents work in; private folders and spill files are kept out of them. Default: none. */
  readonly roots?: readonly string[];
}

/** A run that the engine has started. */
export interface StartedRun {
  readonly id: number;
  /** Settles when nothing of the run is left; rejects only when the engine itself is lost. */
  readonly done: Promise<NativeResult>;
}

/** The outcome of a request to start a command. */
export interface StartOutcome {
  readonly start: NativeStart;
  /** Undefined when the decision or a failure kept the command from starting. */
  readonly run: StartedRun | undefined;
}

/** Receives the events of one session or service. */
export interface ProgramListener {
  /** A request was answered. */
  onReply(reply: NativeReply, text: string): void;
  /** A piece of a service's standard output came. No more is read until the returned promise settles. */
  onData?(bytes: Uint8Array): unknown;
  /** The program and everything that it started have ended. */
  onEnd(report: NativeReport): void;
  /** The engine is closed or its supervisor lost: no other event comes. */
  onLost(error: HandrailError): void;
}

/** Receives the events of one run before its end. */
export interface RunListener {
  /** Gets each piece of output, in order. The next piece waits until the returned promise settles. */
  readonly onChunk?: ((chunk: NativeChunk) => unknown) | undefined;
  /** A write to its standard input was answered. */
  readonly onWritten?: ((reply: NativeReply) => void) | undefined;
}

interface PendingRun extends RunListener {
  /** Stops keeping the host's process alive for this run. Undefined for a job, which does not keep it alive. */
  readonly release: (() => void) | undefined;
  readonly resolve: (result: NativeResult) => void;
  readonly reject: (error: unknown) => void;
}

interface PendingConnection {
  readonly resolve: (descriptor: number) => void;
  readonly reject: (error: HandrailError) => void;
}

/** Longest delay a Node timer takes; the timer only keeps the process alive. */
const LONGEST_TIMER_MS = 0x7fff_ffff;

/**
 * One supervisor with its workers, shared by everything that a toolkit runs. The supervisor is started with the first
 * run. The host's process stays alive while a run or `close()` is pending, and can end by itself otherwise.
 */
export class Engine {
  /** Whether the kernel confines the programs of this engine. */
  readonly confines: boolean;
  /** Whether commands are judged before they run. */
  readonly judges: boolean;
  /** Where outputs are kept that do not fit results. */
  readonly spills = new SpillFolders();
  readonly #native: NativeEngine;
  readonly #admission = new Admission();
  readonly #pending = new Map<number, PendingRun>();
  readonly #programs = new Map<number, ProgramListener>();
  /** How many callers wait for a run, a session, a service or a job. */
  #waitingCallers = 0;
  /** Connections into network namespaces that were asked for, by the numbers of the requests. */
  readonly #connections = new Map<number, PendingConnection>();
  #nextId = 1;
  #keepAlive: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: EngineOptions = {}) {
    const { binding, supervisorPath } = loadNative();
    const native = {
      supervisorPath,
      stateParent: stateFolder(options.roots ?? []),
      maxWorkers: options.maxWorkers ?? MAX_WORKERS,
      maxSessions: options.maxSessions ?? DEFAULT_MAX_SESSIONS,
      maxServices: options.maxServices ?? DEFAULT_MAX_SERVICES,
      maxJobs: options.maxJobs ?? DEFAULT_MAX_JOBS,
      spillTotalBytes: options.spillTotalBytes ?? DEFAULT_SPILL_TOTAL_BYTES,
      killing: options.killing ?? true,
      confine: options.confine ?? true,
      ...(options.kernel === undefined ? {} : { kernel: options.kernel }),
    };
    this.confines = native.confine;
    this.judges = options.judging ?? true;
    // The binding holds this callback as long as it lives; it must not hold the engine.
    const self = new WeakRef(this);
    this.#native = callNative(
      () =>
        new binding.NativeEngine(native, (event, payload) => {
          const engine = self.deref();
          if (engine !== undefined) engine.#dispatch(read(event), payload ?? []);
        }),
    );
  }

  /** Makes what judges and starts the programs of one owner, whose commands work beneath `roots`. */
  runner(roots: NativeRoots, config: NativeRunnerConfig): NativeRunner {
    const { binding } = loadNative();
    return callNative(() => new binding.NativeRunner(this.#native, roots, config));
  }

  /**
   * Has everything that it starts write into the layer with this folder instead of into the writable ones of `roots`. Nothing
   * may have been started before. `others` are roots that are as they are.
   *
   * @throws HandrailError `ERR_GUARANTEE_UNAVAILABLE` where there is no layer here.
   */
  enterLayer(folder: string, roots: NativeRoots, others: NativeRoots): void {
    callNative(() => {
      this.#native.enterLayer(folder, roots, others);
    });
  }

  /** Keeps the layer of one program from being removed as one that a process has left behind. */
  holdLayer(folder: string): void {
    callNative(() => this.#native.holdLayer(folder));
  }

  /** Such a layer is gone. */
  releaseLayer(folder: string): void {
    callNative(() => this.#native.releaseLayer(folder));
  }

  /** The same roots as its programs find them, where it has a layer. The given ones are closed. */
  inLayer(roots: NativeRoots): NativeRoots {
    const found = callNative(() => roots.inLayer(this.#native));
    roots.close();
    return found;
  }

  /** Calls `start` in this turn of the event loop, or in a later one when this turn has started enough. */
  admit<Value>(start: () => Value): Value | Promise<Value> {
    return this.#admission.admit(start);
  }

  /**
   * Judges `command` and starts it when it may run.
   */
  start(runner: NativeRunner, command: string | string[], call: NativeCall, listener: RunListener): StartOutcome {
    this.#assertOpen();
    const id = this.#nextId;
    this.#nextId += 1;
    const start = read(callNative(() => runner.run(id, command, call)));
    if (!start.started) return { start, run: undefined };
    const done = new Promise<NativeResult>((resolve, reject) => {
      this.#pending.set(id, { ...listener, release: call.job ? undefined : this.keepAlive(), resolve, reject });
    });
    return { start, run: { id, done } };
  }

  /**
   * Starts a session or a service: `open` gets its number and creates the object of the binding.
   *
   * @throws HandrailError `ERR_BUSY` when there are as many as there may be.
   */
  open<Native extends { readonly start: Json<NativeStart> }>(
    open: (id: number) => Native,
    listener: ProgramListener,
  ): { readonly id: number; readonly native: Native; readonly start: NativeStart } {
    this.#assertOpen();
    const id = this.#nextId;
    this.#nextId += 1;
    const native = callNative(() => open(id));
    const start = read(native.start);
    if (start.started) this.#programs.set(id, listener);
    return { id, native, start };
  }

  /**
   * The most telling lines of a masked text for a caller, within so many tokens, and the file with the whole, of at most so many
   * bytes. Undefined for a text that fits.
   */
  async digest(
    text: string,
    tokens: number,
    spillBytes: number,
    caller: string | undefined,
  ): Promise<NativeTextDigest | undefined> {
    const release = this.keepAlive();
    const folder = this.spills.of(caller);
    const digested = await callNative(() => this.#native.digest(text, tokens, spillBytes, folder)).finally(release);
    if (digested === null) return undefined;
    const digest = read(digested);
    if (digest.spill !== undefined) this.spills.add(digest.spill.path);
    return digest;
  }

  /** Keeps the host's process alive until the returned function is called: somebody waits for a program. */
  keepAlive(): () => void {
    this.#waitingCallers += 1;
    this.#keepProcessAlive();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#waitingCallers -= 1;
      this.#letProcessEnd();
    };
  }

  /** Writes to the standard input of a run, whose listener gets the answer. Does nothing for a run that has ended. */
  write(id: number, request: number, bytes: Uint8Array): void {
    if (this.#pending.has(id)) callNative(() => this.#native.write(id, request, bytes));
  }

  /** Ends the standard input of a run. */
  endInput(id: number): void {
    if (this.#pending.has(id)) callNative(() => this.#native.endInput(id));
  }

  /** Whether nothing that it has started runs. */
  get isIdle(): boolean {
    return this.#pending.size === 0 && this.#programs.size === 0;
  }

  /** Ends a program: SIGTERM, the grace, SIGKILL. Does nothing for a program that has ended. */
  cancel(id: number): void {
    if (this.#pending.has(id) || this.#programs.has(id)) callNative(() => this.#native.cancel(id));
  }

  /** Whether a process of a program listens on a TCP port. */
  async listens(id: number, port: number): Promise<boolean> {
    return this.#pending.has(id) && (await callNative(() => this.#native.listens(id, port)));
  }

  /** Whether this machine can give programs a network namespace. */
  hasNetworks(): boolean {
    return callNative(() => this.#native.hasNetworks());
  }

  /** Whether commands will have a view of the file system, with everything that plans ask for. */
  hasViews(): boolean {
    return callNative(() => this.#native.hasViews());
  }

  /** Why no way out of such a network can lead through these proxies of the host, in a sentence. Undefined where one can. */
  proxyProblem(httpsProxy: string, httpProxy: string): string | undefined {
    return callNative(() => this.#native.proxyProblem(httpsProxy, httpProxy)) ?? undefined;
  }

  /**
   * Connects to a port of the loopback that the programs of a runner have for themselves.
   *
   * @returns The descriptor of the connected socket, which the caller closes.
   * @throws HandrailError `ERR_SYSTEM` when nothing answers there.
   */
  async connect(runner: NativeRunner, port: number): Promise<number> {
    this.#assertOpen();
    const id = this.#nextId;
    this.#nextId += 1;
    callNative(() => this.#native.connect(runner, id, port));
    return await new Promise<number>((resolve, reject) => {
      this.#connections.set(id, { resolve, reject });
    });
  }

  /** Kills everything, removes the folders, ends the supervisor. Can be called again. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  #shutDown(): Promise<void> {
    const release = this.keepAlive();
    return new Promise<void>((resolve, reject) => {
      try {
        callNative(() => {
          this.#native.close(resolve);
        });
      } catch (error) {
        reject(error);
      }
    }).finally(() => {
      this.#abandon(new HandrailError('ERR_CLOSED', 'The engine was closed during this run'));
      release();
    });
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) {
      throw new HandrailError('ERR_CLOSED', 'This terminal was closed');
    }
  }

  #dispatch(event: NativeEvent, payload: string[] | Uint8Array): void {
    if (event.kind === 'closed') {
      // After `close()` this is expected: `close()` itself rejects the pending runs.
      if (this.#closing !== undefined) return;
      this.#abandon(new HandrailError('ERR_SUPERVISOR', 'The supervisor ended unexpectedly'));
      return;
    }
    if (event.kind === 'connected') {
      const connection = this.#connections.get(event.id);
      this.#connections.delete(event.id);
      if (event.descriptor === null) {
        connection?.reject(new HandrailError('ERR_SYSTEM', `Nothing answers at that port: ${event.message}`));
      } else {
        connection?.resolve(event.descriptor);
      }
      return;
    }
    const live = this.#programs.get(event.id);
    if (live !== undefined) {
      this.#notify(event, payload, live);
      return;
    }
    const run = this.#pending.get(event.id);
    if (event.kind === 'output') {
      const [text = ''] = payload as string[];
      this.#deliver(event.id, run, { stream: event.stream, text });
      return;
    }
    if (event.kind === 'written') run?.onWritten?.(event.reply);
    if (event.kind !== 'done' || run === undefined) return;
    this.#pending.delete(event.id);
    run.release?.();
    const { spill } = event.report;
    if (spill !== undefined) this.spills.add(spill.path);
    // The binding leaves the combined output out where one of the two is empty.
    const [stdout = '', stderr = '', output = stdout + stderr] = payload as string[];
    run.resolve({ ...event.report, stdout, stderr, output });
  }

  /** Chunks of a run without a listener are acknowledged too: its pipe must not stall. */
  #deliver(id: number, run: PendingRun | undefined, chunk: NativeChunk): void {
    this.#acknowledgeAfter(id, run?.onChunk?.(chunk));
  }

  #acknowledgeAfter(id: number, outcome: unknown): void {
    const acknowledge = (): void => {
      this.#native.acknowledge(id);
    };
    if (isThenable(outcome)) outcome.then(acknowledge, acknowledge);
    else acknowledge();
  }

  #notify(
    event: Exclude<NativeEvent, { kind: 'closed' | 'connected' }>,
    payload: string[] | Uint8Array,
    live: ProgramListener,
  ): void {
    switch (event.kind) {
      case 'answered':
        live.onReply(event.reply, (payload as string[])[0] ?? '');
        break;
      case 'written':
        live.onReply(event.reply, '');
        break;
      case 'data':
        this.#acknowledgeAfter(event.id, live.onData?.(payload as Uint8Array));
        break;
      case 'done':
        this.#programs.delete(event.id);
        live.onEnd(event.report);
        break;
      default:
    }
  }

  #abandon(error: HandrailError): void {
    for (const run of this.#pending.values()) {
      run.reject(error);
      run.release?.();
    }
    this.#pending.clear();
    for (const live of this.#programs.values()) live.onLost(error);
    this.#programs.clear();
    for (const connection of this.#connections.values()) connection.reject(error);
    this.#connections.clear();
  }

  #keepProcessAlive(): void {
    // The argument keeps the engine itself reachable while somebody waits for it.
    this.#keepAlive ??= setInterval((_engine: this) => undefined, LONGEST_TIMER_MS, this);
  }

  #letProcessEnd(): void {
    if (this.#waitingCallers > 0) return;
    clearInterval(this.#keepAlive);
    this.#keepAlive = undefined;
  }
}
