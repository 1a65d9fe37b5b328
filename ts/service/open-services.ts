import { Launcher } from '../live/launcher.js';
import type { Redactor } from '../redaction/redactor.js';
import { Engine } from '../terminal/engine.js';
import { MAX_LIVE_PROGRAMS } from '../terminal/limits.js';
import { LaunchedServices, type Service, type ServiceOptions, type Services } from './service.js';

/** Services with an engine of their own, which the first one starts. */
export class OwnServices implements Services {
  readonly #redactor: Redactor;
  readonly #cwd: string;
  #parts: { readonly engine: Engine; readonly services: LaunchedServices } | undefined;

  /** @param cwd Where services start unless they are told otherwise; absolute. */
  constructor(redactor: Redactor, cwd: string) {
    this.#redactor = redactor;
    this.#cwd = cwd;
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
  }

  #open(): { readonly engine: Engine; readonly services: LaunchedServices } {
    // How many there are is the host's word.
    const engine = new Engine({ maxServices: MAX_LIVE_PROGRAMS });
    const launcher = new Launcher({ engine, roots: undefined, redactor: this.#redactor, cwd: this.#cwd, path: [] });
    return { engine, services: new LaunchedServices(launcher) };
  }
}
