import { HandrailError } from '../errors.js';
import type { NativeReply } from '../native/binding.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Engine } from '../terminal/engine.js';

/** The reply to a request, with its text. */
export interface Reply {
  readonly reply: NativeReply;
  readonly text: string;
}

interface PendingRequest {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
  /** Stops keeping the host's process alive for this request. */
  readonly release: () => void;
}

/** The requests to one session or service that have no answer yet. */
export class Requests {
  readonly #engine: Engine;
  readonly #redactor: Redactor;
  readonly #pending = new Map<number, PendingRequest>();
  #nextNumber = 1;
  /** Why no reply comes any more. */
  #over: HandrailError | undefined;

  constructor(engine: Engine, redactor: Redactor) {
    this.#engine = engine;
    this.#redactor = redactor;
  }

  /**
   * Makes a request: calls `send` with its number.
   *
   * @param keepsAlive Whether the host's process stays alive for it.
   */
  make(send: (request: number) => void, keepsAlive = true): Promise<Reply> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    const request = this.#nextNumber;
    this.#nextNumber += 1;
    return new Promise((resolve, reject) => {
      this.#pending.set(request, { resolve, reject, release: keepsAlive ? this.#engine.keepAlive() : () => undefined });
      try {
        send(request);
      } catch (error) {
        this.#take(request)?.reject(error);
      }
    });
  }

  /** Resolves or rejects the request that this reply is for. */
  resolve(reply: NativeReply, text: string): void {
    const pending = this.#take(reply.request);
    if (pending === undefined) return;
    if (reply.error === undefined) {
      pending.resolve({ reply, text });
      return;
    }
    const { code, message } = reply.error;
    pending.reject(new HandrailError(code, this.#redactor.redact(message)));
  }

  /** Rejects all requests, and those that are made later: no further reply will come. */
  rejectAll(error: HandrailError): void {
    this.#over = error;
    for (const request of [...this.#pending.keys()]) this.#take(request)?.reject(error);
  }

  #take(request: number): PendingRequest | undefined {
    const pending = this.#pending.get(request);
    this.#pending.delete(request);
    pending?.release();
    return pending;
  }
}
