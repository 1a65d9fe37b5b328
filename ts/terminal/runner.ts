import path from 'node:path';

import { hostEnvironment } from '../config/host-environment.js';
import type {
  NativeCall,
  NativeCapability,
  NativeJudged,
  NativePlan,
  NativeStart,
  NativeTerminal,
} from '../native/binding.js';
import { type Json, read } from '../native/json.js';
import { callNative } from '../native/unwrap.js';
import { Redactor } from '../redaction/redactor.js';
import { type Decision, decisionOf } from '../report/decision.js';
import type { Engine, LiveListener, RunListener, StartOutcome } from './engine.js';
import { childEnvironment } from './environment.js';
import { withMaskedErrors } from './masked-errors.js';
import { nativeTerminalConfig, type WriteGuards } from './native-config.js';
import type { CheckedTerminalOptions } from './options.js';
import { type OpenRoots, withRoots } from './roots.js';

/** What a runner is given beside its options. */
export interface RunnerParts {
  readonly engine: Engine;
  /** The roots of the options, open already. Default: they are opened for it. */
  readonly roots?: OpenRoots | undefined;
  /** What redirections of scripts may not write to. Default: the whole list of protected places. */
  readonly guards?: WriteGuards | undefined;
}

/** A command that was judged and may be started as it was. */
export interface Judged {
  readonly decision: Decision;
  readonly native: NativeJudged;
  /** Whether it is a shell that may start because each line typed into it will be judged. */
  readonly typed: boolean;
}

/**
 * What a host lets start, decided once: lists, plan, roots, folders of programs, environment. The runs, sessions and services
 * of one owner are judged and started with it.
 */
export class Runner {
  readonly engine: Engine;
  readonly options: CheckedTerminalOptions;
  readonly redactor: Redactor;
  /** Where programs start unless they are told otherwise; absolute. */
  readonly cwd: string;
  /** Names of the host's variables that commands do not see, sorted. */
  readonly withheld: readonly string[];
  readonly #native: NativeTerminal;

  constructor(options: CheckedTerminalOptions, { engine, roots, guards }: RunnerParts) {
    this.engine = engine;
    this.options = options;
    this.redactor = options.redactor ?? new Redactor();
    this.cwd = path.resolve(options.roots?.[0]?.path ?? process.cwd(), options.cwd ?? '');
    const environment = childEnvironment(options.env, hostEnvironment());
    this.withheld = environment.withheld;
    const redactor = Redactor.nativeOf(this.redactor);
    const config = nativeTerminalConfig(options, this.cwd, environment, redactor, guards, engine.judges);
    this.#native = withMaskedErrors(this.redactor, () =>
      roots === undefined
        ? withRoots(options.roots, (opened) => engine.terminal(opened, config))
        : engine.terminal(roots, config),
    );
  }

  /** What the policy says of a command; nothing is run. */
  explain(command: string | string[], cwd?: string): Decision {
    return decisionOf(read(callNative(() => this.#native.explain(command, cwd))));
  }

  /**
   * What the policy says of a line that is typed into a shell in this directory.
   *
   * @param editsLines Whether the program may edit lines and expand history itself.
   */
  explainTyped(line: string, editsLines: boolean, cwd: string): Decision {
    return decisionOf(read(callNative(() => this.#native.explainTyped(line, editsLines, cwd))));
  }

  /** Whether a command is a bash that takes what it runs from its terminal, and nothing else. */
  isLineShell(command: string | string[]): boolean {
    return callNative(() => this.#native.isLineShell(command));
  }

  /** Judges a session: one plain command, or a shell whose lines will be judged. */
  judge(command: string, cwd: string): Judged {
    const native = callNative(() => this.#native.judge(command, cwd));
    return { native, decision: decisionOf(read(native.decision)), typed: native.typed };
  }

  /** Judges a command and starts it when it may run. */
  start(command: string | string[], call: NativeCall, listener: RunListener): StartOutcome {
    return this.engine.start(this.#native, command, call, listener);
  }

  /** Starts a session or a service with what `open` makes of its number. */
  open<Native extends { readonly start: Json<NativeStart> }>(
    open: (native: NativeTerminal, id: number) => Native,
    listener: LiveListener,
  ): { readonly id: number; readonly native: Native; readonly start: NativeStart } {
    return this.engine.open((id) => open(this.#native, id), listener);
  }

  /** What this machine enforces for its commands; starts the supervisor. */
  capabilities(): NativeCapability[] {
    return read(callNative(() => this.#native.capabilities()));
  }

  /** What the kernel holds its commands to. */
  plan(): NativePlan {
    return read(callNative(() => this.#native.plan()));
  }

  /** Gives back the directories it holds; nothing can be started any more. */
  close(): void {
    callNative(() => {
      this.#native.close();
    });
  }
}
