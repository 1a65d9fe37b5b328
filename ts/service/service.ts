import type { EnvironmentOptions } from '../terminal/environment.js';

/** How a service and everything it started ended. */
export interface ServiceEnd {
  /** How the leader ended; `spawn_failed` when it never ran. */
  readonly status: 'exited' | 'signaled' | 'cancelled' | 'spawn_failed';
  /** The leader's own code. Null when it has none. */
  readonly exitCode: number | null;
  /** Name of the signal that ended it. Null when none did. */
  readonly signal: string | null;
  /** Why it never ran. */
  readonly failure?: { readonly code: string; readonly message: string };
}

/** What is started, and who reads it. */
export interface ServiceOptions {
  /** The host's word: no list judges it. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: EnvironmentOptions;
  /** Raw bytes of standard output; reading waits for what it returns. */
  readonly onOutput: (bytes: Uint8Array) => void | Promise<void>;
}

/** A program that runs until it is closed, with raw pipes. */
export interface Service {
  /** When nothing of its whole tree is alive; never rejects. */
  readonly ended: Promise<ServiceEnd>;
  /** The leader is gone; at the latest with `ended`. */
  readonly exited: Promise<void>;
  /** Resolves when the kernel took it; rejects `ERR_BUSY` over a bounded queue, `ERR_CLOSED` after the end. */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): void;
  /** The last 64 KiB of standard error, cleaned and masked. */
  stderr(): string;
  /** End of input, then SIGTERM, grace, SIGKILL of the whole tree; idempotent. */
  close(): Promise<ServiceEnd>;
}

/** Starts services. */
export interface Services {
  /** A program that is not found and the like rejects with a `HandrailError`. */
  start(options: ServiceOptions): Promise<Service>;
}
