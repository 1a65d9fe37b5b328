import { hostEnvironment } from '../config/host-environment.js';
import { HandrailError } from '../errors.js';
import type { NativeStart, NativeTerminal } from '../native/binding.js';
import { callNative } from '../native/unwrap.js';
import { Redactor } from '../redaction/redactor.js';
import type { Engine } from '../terminal/engine.js';
import { childEnvironment, type EnvironmentOptions } from '../terminal/environment.js';
import { withMaskedErrors } from '../terminal/masked-errors.js';
import { nativeTerminalConfig } from '../terminal/native-config.js';
import { checkTerminalOptions } from '../terminal/options.js';
import { type OpenRoots, withRoots } from '../terminal/roots.js';

/** What sessions and services of one owner have in common. */
export interface LauncherParts {
  readonly engine: Engine;
  /** The directories that programs which a model asked for may start in; undefined: anywhere. */
  readonly roots: OpenRoots | undefined;
  readonly redactor: Redactor;
  /** Where they start unless they are told otherwise; absolute. */
  readonly cwd: string;
  /** Folders that programs are found in, beside the system's. */
  readonly path: readonly string[];
}

/** How long a program that lives gets from the polite signal to the final one, in milliseconds. */
export const LIVE_GRACE_MS = 300;

/**
 * Starts programs that the host names: no list is asked. What a model asks for is judged before it
 * comes here.
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

  /** Where a program starts; a relative directory is joined to the owner's. */
  directory(cwd: string | undefined): string {
    if (cwd === undefined) return this.#parts.cwd;
    return cwd.startsWith('/') ? cwd : `${this.#parts.cwd}/${cwd}`;
  }

  /**
   * What starts programs with this environment.
   *
   * @param fixed Variables that the kind of program calls for.
   * @param anywhere Whether the host says where it starts; else it starts beneath the roots.
   */
  terminal(env: EnvironmentOptions, fixed: Readonly<Record<string, string>>, anywhere: boolean): NativeTerminal {
    const { engine, redactor, cwd, path } = this.#parts;
    const roots = anywhere ? undefined : this.#parts.roots;
    const environment = childEnvironment({ ...env, set: { ...fixed, ...env.set } }, hostEnvironment());
    const options = checkTerminalOptions({ deny: [], path, graceMs: LIVE_GRACE_MS });
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
  const reason = start.refusal ?? start.verdict.reasons[0];
  const message = redactor.redact(reason?.message ?? 'it is no plain command');
  const code = start.refusal?.code ?? start.verdict.reasons[0]?.rule ?? 'refused';
  return new HandrailError('ERR_INVALID_ARGUMENT', `The ${what} was not started: ${message}`, {
    data: { name: 'command', reason: code },
  });
}
