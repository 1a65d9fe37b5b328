import { HandrailError } from '../errors.js';
import type { Launcher } from '../live/launcher.js';
import { servicePlan } from '../live/plan.js';
import { Requests } from '../live/requests.js';
import type { NativeService } from '../native/binding.js';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';
import { describeEnd, type LiveEnd, liveEndOf, lostEnd } from '../report/end.js';
import { checkCommand } from '../terminal/command.js';
import type { CheckedConfine } from '../terminal/confine.js';
import type { EnvironmentOptions } from '../terminal/environment.js';
import { within } from '../terminal/within.js';

/** How a service ended. */
export type ServiceEnd = LiveEnd;

/** The options of a service. */
export interface ServiceOptions {
  /** Its program. */
  readonly command: string;
  /** Its arguments. */
  readonly args?: readonly string[];
  /** Working directory; a relative one is joined to the owner's. */
  readonly cwd?: string;
  /** The variables that it sees in addition to the fixed ones. */
  readonly env?: EnvironmentOptions;
  /** What the kernel enforces on it. Default: `{ writes: 'any', exec: 'any', network: 'any', remove: 'yes' }`. */
  readonly confine?: Partial<CheckedConfine>;
  /** Gets the bytes of its standard output. No more is read until the returned promise settles. */
  readonly onOutput: (bytes: Uint8Array) => void | Promise<void>;
}

/** A running program that a tool talks to over pipes. */
export interface Service {
  /** Settles when no process of its whole tree is alive. Never rejects. */
  readonly ended: Promise<ServiceEnd>;
  /** Settles when the program itself has ended; everything that it started is ended at once. */
  readonly exited: Promise<void>;
  /**
   * Writes to its standard input; resolves when the kernel has taken it.
   *
   * @throws HandrailError `ERR_BUSY` when 4 MiB wait already, `ERR_CLOSED` after its end.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends its standard input. */
  endInput(): void;
  /** The last 64 KiB of its standard error, cleaned and masked. */
  stderr(): string;
  /**
   * Ends its input. If the service does not end by itself, it and everything that it started get SIGTERM, and SIGKILL
   * after the grace. Can be called again.
   */
  close(): Promise<ServiceEnd>;
}

/** Starts services. */
export interface Services {
  /**
   * Starts a service.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when its program cannot be found or started,
   * `ERR_BUSY` when the limit of services is reached.
   */
  start(options: ServiceOptions): Promise<Service>;
}

/** How long a service may take to end by itself after the end of its input, in milliseconds; then it gets SIGTERM. */
export const END_OF_INPUT_MS = 2_000;

/** How long a service may take to end after SIGTERM, in milliseconds; then it and everything that it started is killed. */
export const SERVICE_GRACE_MS = 2_000;

/** How long closing all services may take, in milliseconds; then the owner closes the engine. */
export const MAX_SERVICES_END_MS = END_OF_INPUT_MS + SERVICE_GRACE_MS + 1_000;

/** Services of one owner. */
export class LaunchedServices implements Services {
  readonly #launcher: Launcher;
  readonly #running = new Set<Service>();

  constructor(launcher: Launcher) {
    this.#launcher = launcher;
  }

  start(options: ServiceOptions): Promise<Service> {
    return new Promise((resolve) => {
      const service = new LaunchedService(this.#launcher, options);
      this.#running.add(service);
      void service.ended.then(() => this.#running.delete(service));
      resolve(service);
    });
  }

  /** Ends all services. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((service) => service.close()));
  }
}

class LaunchedService implements Service {
  readonly ended: Promise<ServiceEnd>;
  readonly exited: Promise<void>;
  readonly #launcher: Launcher;
  readonly #id: number;
  readonly #native: NativeService;
  readonly #requests: Requests;
  #end: ServiceEnd | undefined;
  #closing: Promise<ServiceEnd> | undefined;

  constructor(launcher: Launcher, options: ServiceOptions) {
    const { engine, redactor } = launcher;
    this.#launcher = launcher;
    this.#requests = new Requests(engine, redactor);
    let finish: (end: ServiceEnd) => void = () => undefined;
    this.ended = new Promise((resolve) => {
      finish = resolve;
    });
    this.exited = this.ended.then(() => undefined);
    const end = (ended: ServiceEnd): void => {
      this.#end = ended;
      this.#requests.rejectAll(new HandrailError('ERR_CLOSED', `The service is over: ${describeEnd(ended)}`));
      finish(ended);
    };
    const command = checkCommand([options.command, ...(options.args ?? [])]);
    const launch = {
      cwd: options.cwd,
      env: options.env ?? {},
      fixed: {},
      isServer: true,
      graceMs: SERVICE_GRACE_MS,
      warrant: 'host',
      plan: servicePlan(options.confine ?? {}, launcher.confine),
      typed: false,
    } as const;
    const { binding } = loadNative();
    const opened = launcher.open(
      'service',
      launch,
      (native, id, call) => new binding.NativeService(native, id, command, call),
      {
        onReply: (reply, text) => this.#requests.resolve(reply, text),
        onData: (bytes) => options.onOutput(bytes),
        onEnd: (result) => end(liveEndOf(launcher, result)),
        onLost: (error) => end(lostEnd(launcher, error)),
      },
    );
    this.#id = opened.id;
    this.#native = opened.native;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#end !== undefined) {
      throw new HandrailError('ERR_CLOSED', `The service is over: ${describeEnd(this.#end)}`);
    }
    await this.#requests.make((request) => callNative(() => this.#native.write(request, bytes)));
  }

  endInput(): void {
    if (this.#end === undefined) callNative(() => this.#native.endInput());
  }

  stderr(): string {
    return callNative(() => this.#native.stderr());
  }

  close(): Promise<ServiceEnd> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<ServiceEnd> {
    const release = this.#launcher.engine.keepAlive();
    try {
      this.endInput();
      await within(this.ended, END_OF_INPUT_MS);
      if (this.#end === undefined) this.#launcher.engine.cancel(this.#id);
      return await this.ended;
    } finally {
      release();
    }
  }
}
