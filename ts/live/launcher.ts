import { hostEnvironment } from '../config/host-environment.js';
import { HandrailError } from '../errors.js';
import type { NativeOpenCall, NativeStart, NativeTerminal } from '../native/binding.js';
import type { Json } from '../native/json.js';
import type { Redactor } from '../redaction/redactor.js';
import { failureOf, type SandboxReport, StartError } from '../report/end.js';
import type { ConfineOptions } from '../terminal/confine.js';
import type { Engine, ProgramListener } from '../terminal/engine.js';
import { type EnvironmentOptions, joinedEnvironment } from '../terminal/environment.js';
import { nativeConfine } from '../terminal/native-config.js';
import type { Runner } from '../terminal/runner.js';
import type { Warrant } from './plan.js';

/** Who starts sessions and services. */
export interface LiveOwner {
  readonly engine: Engine;
  readonly redactor: Redactor;
  /** Where they start unless they are told otherwise; absolute. */
  readonly cwd: string;
  /** What the owner chose for its commands. */
  readonly confine: ConfineOptions;
  /**
   * What starts them. Asked for with every start.
   *
   * @param isFree Whether the plan names no place: roots do not count.
   */
  runner(isFree: boolean): Runner;
}

/** How a program is started. */
export interface Launch {
  /** A relative directory is joined to the owner's. */
  readonly cwd: string | undefined;
  readonly env: EnvironmentOptions;
  /** Variables that the kind of program calls for. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly graceMs: number;
  readonly warrant: Warrant;
  /** What the kernel holds it to where the host names it. */
  readonly plan: ConfineOptions;
  /** Whether it is a shell whose lines are judged. */
  readonly typed: boolean;
}

/** How long a program that lives gets from the polite signal to the final one, in milliseconds. */
export const LIVE_GRACE_MS = 300;

/**
 * Starts programs that the host names: no list is asked. What a model asks for is judged before it
 * comes here, and held to the plan of commands.
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

  /** One that starts everything with this runner. */
  static of(runner: Runner): Launcher {
    const { engine, redactor, cwd, options } = runner;
    return new Launcher({ engine, redactor, cwd, confine: options.confine, runner: () => runner });
  }

  /** What the owner chose for its commands. */
  get confine(): ConfineOptions {
    return this.#owner.confine;
  }

  /** What was in force for a program, as results say it. */
  sandboxReport(enforced: readonly string[]): SandboxReport {
    return { profile: this.engine.confines ? 'default' : 'off', enforced };
  }

  /**
   * Starts a program with what `open` makes of it.
   *
   * @param what What it is to be, as in `'session'`.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when it cannot be started, `ERR_BUSY` when there are as many as there may be.
   */
  open<Native extends { readonly start: Json<NativeStart> }>(
    what: string,
    launch: Launch,
    open: (native: NativeTerminal, id: number, call: NativeOpenCall) => Native,
    listener: ProgramListener,
  ): { readonly id: number; readonly native: Native } {
    const { plan, warrant } = launch;
    const isFree = warrant === 'host' && plan.writes === 'any' && plan.exec === 'any';
    const call = this.#call(launch);
    const opened = this.#owner.runner(isFree).open((native, id) => open(native, id, call), listener);
    if (!opened.start.started) throw startError(this.redactor, opened.start, what);
    return opened;
  }

  #call({ cwd, env, fixed, graceMs, warrant, plan, typed }: Launch): NativeOpenCall {
    return {
      cwd: this.#directory(cwd),
      graceMs,
      warrant,
      ...joinedEnvironment({ ...env, set: { ...fixed, ...env.set } }, hostEnvironment()),
      ...(warrant === 'host' ? { confine: nativeConfine(plan) } : {}),
      typed,
    };
  }

  #directory(cwd: string | undefined): string {
    if (cwd === undefined) return this.#owner.cwd;
    return cwd.startsWith('/') ? cwd : `${this.#owner.cwd}/${cwd}`;
  }
}

/** Why a program did not start, as an error. */
function startError(redactor: Redactor, start: NativeStart, what: string): HandrailError {
  const [reason] = start.decision.reasons;
  const { message = 'it is no plain command' } = start.failure ?? start.denial ?? reason ?? {};
  const code = start.failure?.code ?? start.denial?.rule ?? reason?.rule ?? 'refused';
  return new HandrailError('ERR_INVALID_ARGUMENT', `The ${what} was not started: ${redactor.redact(message)}`, {
    data: { name: 'command', reason: code },
    cause: start.failure === undefined ? undefined : new StartError(failureOf(start.failure, redactor)),
  });
}
