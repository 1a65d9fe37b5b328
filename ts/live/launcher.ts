import { hostEnvironment } from '../config/host-environment.js';
import { HandrailError } from '../errors.js';
import type { NativeOpenCall, NativeRunner, NativeStart } from '../native/binding.js';
import type { Json } from '../native/json.js';
import type { Redactor } from '../redaction/redactor.js';
import { failureOf, type SandboxReport, StartError } from '../report/end.js';
import type { ConfineOptions } from '../terminal/confine.js';
import type { Engine, ProgramListener } from '../terminal/engine.js';
import { type EnvironmentOptions, joinedEnvironment } from '../terminal/environment.js';
import { NO_HOOKS } from '../terminal/git-settings.js';
import { nativeConfine } from '../terminal/native-config.js';
import type { ProgramLayer } from '../terminal/program-layer.js';
import type { Runner } from '../terminal/runner.js';
import { wayOutVariables } from '../terminal/way-out.js';
import type { Warrant } from './plan.js';

/** The owner of sessions and services. */
export interface LiveOwner {
  readonly engine: Engine;
  readonly redactor: Redactor;
  /** The default working directory; absolute. */
  readonly cwd: string;
  /** The confinement of the commands of the owner. */
  readonly confine: ConfineOptions;
  /**
   * Gives the runner that starts a program. Called for each start.
   *
   * @param isFree Whether the plan of the program limits neither writes nor programs, so that roots do not matter.
   */
  runner(isFree: boolean): Runner;
}

/** How a program is started. */
export interface Launch {
  /** A relative directory is joined to the owner's. */
  readonly cwd: string | undefined;
  readonly env: EnvironmentOptions;
  /** Variables that every program of its kind gets. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly graceMs: number;
  readonly warrant: Warrant;
  /** Whether it is a server of tools, which gets nothing of the host's by itself. */
  readonly isServer: boolean;
  /** The confinement of a program that the host names. */
  readonly plan: ConfineOptions;
  /** Whether it is a shell whose lines are judged. */
  readonly typed: boolean;
  /** Whose spill files it sees. Default: those of callers without a name. */
  readonly caller?: string | undefined;
  /** The layer that it writes into. Default: none. */
  readonly layer?: ProgramLayer | undefined;
}

/** The time from SIGTERM to SIGKILL when a session or a service is ended, in milliseconds. */
export const LIVE_GRACE_MS = 300;

/**
 * Starts sessions and services. A program that the host names is asked of no list. A program that a model names was judged
 * before, and runs under the plan of commands.
 */
export class Launcher {
  readonly engine: Engine;
  readonly redactor: Redactor;
  readonly #owner: LiveOwner;

  constructor(owner: LiveOwner) {
    this.engine = owner.engine;
    this.redactor = owner.redactor;
    this.#owner = owner;
  }

  /** A launcher that starts all programs with this runner. */
  static of(runner: Runner): Launcher {
    const { engine, redactor, cwd, options } = runner;
    return new Launcher({ engine, redactor, cwd, confine: options.confine, runner: () => runner });
  }

  /** The confinement of the commands of the owner. */
  get confine(): ConfineOptions {
    return this.#owner.confine;
  }

  /** The report on what was enforced on a program. */
  sandboxReport(enforced: readonly string[]): SandboxReport {
    return { profile: this.engine.confines ? 'default' : 'off', enforced };
  }

  /**
   * Starts a program by calling `open`.
   *
   * @param what The kind of program for messages, such as `'session'`.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when it cannot be started, `ERR_BUSY` when there are as many as there may be.
   */
  open<Native extends { readonly start: Json<NativeStart> }>(
    what: string,
    launch: Launch,
    open: (native: NativeRunner, id: number, call: NativeOpenCall) => Native,
    listener: ProgramListener,
  ): { readonly id: number; readonly native: Native } {
    const { plan, warrant } = launch;
    const isFree = warrant === 'host' && plan.writes === 'any' && plan.exec === 'any';
    const runner = this.#owner.runner(isFree);
    const call = this.#call(launch, runner);
    const opened = runner.open((native, id) => open(native, id, call), listener);
    if (!opened.start.started) throw startError(this.redactor, opened.start, what);
    return opened;
  }

  #call(launch: Launch, runner: Runner): NativeOpenCall {
    const { cwd, env, fixed, graceMs, warrant, isServer, plan, typed, caller, layer } = launch;
    const ofHost = isServer ? [] : runner.hostVariables;
    const hooksPath = isServer ? NO_HOOKS : runner.hooks.path;
    const spill = this.engine.spills.of(caller);
    const { network } = warrant === 'host' ? plan : runner.options.confine;
    return {
      cwd: this.#directory(cwd),
      graceMs,
      warrant,
      ...joinedEnvironment(
        { ...env, set: { ...fixed, ...env.set } },
        hostEnvironment(),
        ofHost,
        hooksPath,
        this.engine.confines ? wayOutVariables(network) : [],
      ),
      homeFiles: !isServer && env.identity !== false,
      ...(warrant === 'host' ? { confine: nativeConfine(plan) } : {}),
      typed,
      ...(spill === undefined ? {} : { spill }),
      ...(layer === undefined ? {} : { layer: layer.folder }),
    };
  }

  #directory(cwd: string | undefined): string {
    if (cwd === undefined) return this.#owner.cwd;
    return cwd.startsWith('/') ? cwd : `${this.#owner.cwd}/${cwd}`;
  }
}

/** The error for a program that did not start. */
function startError(redactor: Redactor, start: NativeStart, what: string): HandrailError {
  const [reason] = start.decision.reasons;
  const { message = 'it is no plain command' } = start.failure ?? start.denial ?? reason ?? {};
  const code = start.failure?.code ?? start.denial?.rule ?? reason?.rule ?? 'refused';
  return new HandrailError('ERR_INVALID_ARGUMENT', `The ${what} was not started: ${redactor.redact(message)}`, {
    data: { name: 'command', reason: code },
    cause: start.failure === undefined ? undefined : new StartError(failureOf(start.failure, redactor)),
  });
}
