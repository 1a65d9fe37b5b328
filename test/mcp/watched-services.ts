/** The services of the supervisor, and which of them have not ended. */
import { Redactor } from '../../ts/index.js';
import { OwnServices } from '../../ts/service/open-services.js';
import type { Service, ServiceOptions, Services } from '../../ts/service/service.js';

/** Starts services and remembers them. */
export class WatchedServices implements Services {
  readonly started: ServiceOptions[] = [];
  readonly #own = new OwnServices(new Redactor(), '/');
  readonly #alive = new Set<Service>();

  async start(options: ServiceOptions): Promise<Service> {
    const service = await this.#own.start(options);
    this.started.push(options);
    this.#alive.add(service);
    void service.ended.then(() => this.#alive.delete(service));
    return service;
  }

  /** How many services something is alive of. */
  get alive(): number {
    return this.#alive.size;
  }

  close(): Promise<void> {
    return this.#own.close();
  }
}
