import { Launcher } from '../live/launcher.js';
import type { Redactor } from '../redaction/redactor.js';
import { Engine } from '../terminal/engine.js';
import { MAX_LIVE_PROGRAMS } from '../terminal/limits.js';
import { checkTerminalOptions, type Root, type TerminalOptions } from '../terminal/options.js';
import { Runner } from '../terminal/runner.js';
import { LaunchedServices, type Service, type ServiceOptions, type Services } from './service.js';

/** The roots and lists that `confine` of services refers to. */
export interface OwnLimits {
  /** The directories that services may write beneath with `writes: 'roots'`. Default: none. */
  readonly roots?: readonly Root[];
  /** The allow and deny lists that a service with `confine.exec: 'listed'` is held to. Default: none. */
  readonly policy?: Pick<TerminalOptions, 'allow' | 'deny' | 'trustInterpreters' | 'confine'>;
}

/** Services with an engine of their own, which is created with the first service. */
export class OwnServices implements Services {
  readonly #redactor: Redactor;
  readonly #cwd: string;
  readonly #limits: OwnLimits;
  /** A runner with the roots and one without, by `isFree`. Roots are opened for the first service that is confined to them. */
  readonly #runners = new Map<boolean, Runner>();
  #parts: { readonly engine: Engine; readonly services: LaunchedServices } | undefined;

  /**
   * @param cwd The directory in which services start by default; absolute.
   * @param limits The roots and the allow and deny lists that the `confine` option of a service refers to.
   */
  constructor(redactor: Redactor, cwd: string, limits: OwnLimits = {}) {
    this.#redactor = redactor;
    this.#cwd = cwd;
    this.#limits = limits;
  }

  start(options: ServiceOptions): Promise<Service> {
    this.#parts ??= this.#open();
    return this.#parts.services.start(options);
  }

  /** Ends all services and the engine. */
  async close(): Promise<void> {
    const parts = this.#parts;
    this.#parts = undefined;
    await parts?.services.close();
    await parts?.engine.close();
    for (const runner of this.#runners.values()) runner.close();
    this.#runners.clear();
  }

  #open(): { readonly engine: Engine; readonly services: LaunchedServices } {
    // The host decides how many services there are.
    const engine = new Engine({ maxServices: MAX_LIVE_PROGRAMS });
    const launcher = new Launcher({
      engine,
      redactor: this.#redactor,
      cwd: this.#cwd,
      confine: this.#limits.policy?.confine ?? {},
      runner: (isFree) => this.#runner(engine, isFree),
    });
    return { engine, services: new LaunchedServices(launcher) };
  }

  #runner(engine: Engine, isFree: boolean): Runner {
    const knownRunner = this.#runners.get(isFree);
    if (knownRunner !== undefined) return knownRunner;
    const { allow, deny, trustInterpreters, confine } = this.#limits.policy ?? {};
    const roots = isFree ? undefined : this.#limits.roots;
    const parts = { allow, deny, trustInterpreters, confine, roots, cwd: this.#cwd, redactor: this.#redactor };
    const runner = new Runner(checkTerminalOptions(parts), { engine });
    this.#runners.set(isFree, runner);
    return runner;
  }
}
