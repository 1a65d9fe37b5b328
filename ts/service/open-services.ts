import { Launcher, type LivePolicy } from '../live/launcher.js';
import type { Redactor } from '../redaction/redactor.js';
import { Engine } from '../terminal/engine.js';
import { MAX_LIVE_PROGRAMS } from '../terminal/limits.js';
import { type Root, rootsOption } from '../terminal/options.js';
import { type OpenRoots, openRoots } from '../terminal/roots.js';
import { LaunchedServices, type Service, type ServiceOptions, type Services } from './service.js';

/** What `confine` of services refers to. */
export interface OwnLimits {
  /** Where they may write with `writes: 'roots'`. Default: nowhere. */
  readonly roots?: readonly Root[];
  /** The lists, for `exec: 'listed'`. Default: none. */
  readonly policy?: LivePolicy;
}

/** Services with an engine of their own, which the first one starts. */
export class OwnServices implements Services {
  readonly #redactor: Redactor;
  readonly #cwd: string;
  readonly #limits: OwnLimits;
  #roots: OpenRoots | undefined;
  #parts: { readonly engine: Engine; readonly services: LaunchedServices } | undefined;

  /**
   * @param cwd Where services start unless they are told otherwise; absolute.
   * @param limits What `confine` of a service refers to.
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

  /** Ends all of them, and the engine. */
  async close(): Promise<void> {
    const parts = this.#parts;
    this.#parts = undefined;
    await parts?.services.close();
    await parts?.engine.close();
    this.#roots?.close();
    this.#roots = undefined;
  }

  #open(): { readonly engine: Engine; readonly services: LaunchedServices } {
    // How many there are is the host's word.
    const engine = new Engine({ maxServices: MAX_LIVE_PROGRAMS });
    const { policy = {} } = this.#limits;
    const open = () => this.#openRoots();
    const launcher = new Launcher({
      engine,
      get roots() {
        return open();
      },
      ...{ redactor: this.#redactor, cwd: this.#cwd, path: [], policy },
    });
    return { engine, services: new LaunchedServices(launcher) };
  }

  /** Opened for the first service that is held to them. */
  #openRoots(): OpenRoots {
    this.#roots ??= openRoots(rootsOption(this.#limits.roots));
    return this.#roots;
  }
}
