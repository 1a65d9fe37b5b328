import { hostEnvironment } from '../config/host-environment.js';
import { HandrailError } from '../errors.js';
import type { NativeStart, NativeTerminal } from '../native/binding.js';
import { callNative } from '../native/unwrap.js';
import { Redactor } from '../redaction/redactor.js';
import { failureOf, type SandboxReport, StartFailed } from '../report/end.js';
import type { ConfineOptions } from '../terminal/confine.js';
import type { Engine } from '../terminal/engine.js';
import { childEnvironment, type EnvironmentOptions } from '../terminal/environment.js';
import { withMaskedErrors } from '../terminal/masked-errors.js';
import { nativeTerminalConfig } from '../terminal/native-config.js';
import { checkTerminalOptions, type TerminalOptions } from '../terminal/options.js';
import { type OpenRoots, withRoots } from '../terminal/roots.js';
import type { Warrant } from './plan.js';

/** What the commands of an owner are held to. */
export type LivePolicy = Pick<TerminalOptions, 'allow' | 'deny' | 'trustInterpreters' | 'confine'>;

/** The part of an owner's options that makes its plan. */
export function livePolicy({ allow, deny, trustInterpreters, confine }: LivePolicy): LivePolicy {
  return {
    ...(allow === undefined ? {} : { allow }),
    ...(deny === undefined ? {} : { deny }),
    ...(trustInterpreters === undefined ? {} : { trustInterpreters }),
    ...(confine === undefined ? {} : { confine }),
  };
}

/** What sessions and services of one owner have in common. */
export interface LauncherParts {
  readonly engine: Engine;
  /**
   * The directories that programs which a model asked for may start in, and those that plans name; undefined: anywhere.
   * Read only where it counts.
   */
  readonly roots: OpenRoots | undefined;
  readonly redactor: Redactor;
  /** Where they start unless they are told otherwise; absolute. */
  readonly cwd: string;
  /** Folders that programs are found in, beside the system's. */
  readonly path: readonly string[];
  /** What programs are held to that a model asked for. */
  readonly policy: LivePolicy;
}

/** How a program is started. */
export interface Launch {
  readonly env: EnvironmentOptions;
  /** Variables that the kind of program calls for. */
  readonly fixed: Readonly<Record<string, string>>;
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
  readonly #parts: LauncherParts;

  constructor(parts: LauncherParts) {
    this.engine = parts.engine;
    this.redactor = parts.redactor;
    this.#parts = parts;
  }

  /** What the owner chose for its commands. */
  get confine(): ConfineOptions {
    return this.#parts.policy.confine ?? {};
  }

  /** What was in force for a program, as results say it. */
  held(enforced: readonly string[]): SandboxReport {
    return { profile: this.engine.confines ? 'default' : 'off', enforced };
  }

  /** Where a program starts; a relative directory is joined to the owner's. */
  directory(cwd: string | undefined): string {
    if (cwd === undefined) return this.#parts.cwd;
    return cwd.startsWith('/') ? cwd : `${this.#parts.cwd}/${cwd}`;
  }

  /** What starts a program. */
  terminal({ env, fixed, warrant, plan, typed }: Launch): NativeTerminal {
    const { engine, redactor, cwd, path, policy } = this.#parts;
    const confine = warrant === 'host' ? plan : this.confine;
    // Where everything may be written and started, no place counts.
    const isFree = warrant === 'host' && confine.writes === 'any' && confine.exec === 'any';
    const roots = isFree ? undefined : this.#parts.roots;
    const environment = childEnvironment({ ...env, set: { ...fixed, ...env.set } }, hostEnvironment());
    const options = checkTerminalOptions({
      ...policy,
      ...{ confine, path, graceMs: LIVE_GRACE_MS, shell: typed ? 'bash' : 'none' },
    });
    const config = nativeTerminalConfig(options, cwd, environment, Redactor.nativeOf(redactor));
    return withMaskedErrors(redactor, () =>
      roots === undefined
        ? withRoots(undefined, (opened) => engine.terminal(opened, config))
        : engine.terminal(roots, config),
    );
  }

  /** Closes what was held for a start; the program goes on. */
  static done(terminal: NativeTerminal): void {
    callNative(() => {
      terminal.close();
    });
  }
}

/**
 * Why a program did not start, as an error.
 *
 * @param what What it was to be, as in `'session'`.
 */
export function startError(redactor: Redactor, start: NativeStart, what: string): HandrailError {
  const [reason] = start.verdict.reasons;
  const why = start.failure ?? start.refusal;
  const message = redactor.redact(why?.message ?? reason?.message ?? 'it is no plain command');
  const code = why?.code ?? reason?.rule ?? 'refused';
  return new HandrailError('ERR_INVALID_ARGUMENT', `The ${what} was not started: ${message}`, {
    data: { name: 'command', reason: code },
    cause: start.failure === undefined ? undefined : new StartFailed(failureOf(start.failure, redactor)),
  });
}
