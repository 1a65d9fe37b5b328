import { HandrailError } from '../errors.js';
import type { NativeReply } from '../native/binding.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Engine } from '../terminal/engine.js';

/** What became of a request, with its text. */
export interface Reply {
  readonly reply: NativeReply;
  readonly text: string;
}

interface Pending {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
  /** Lets the host's process end, as far as this request is concerned. */
  readonly release: () => void;
}

/** The requests to one session or service that have no answer yet. */
export class Requests {
  readonly #engine: Engine;
  readonly #redactor: Redactor;
  readonly #pending = new Map<number, Pending>();
  #next = 1;

  constructor(engine: Engine, redactor: Redactor) {
    this.#engine = engine;
    this.#redactor = redactor;
  }

  /** Makes a request with what `ask` does with its number. */
  make(ask: (request: number) => void): Promise<Reply> {
    const request = this.#next;
    this.#next += 1;
    return new Promise((resolve, reject) => {
      this.#pending.set(request, { resolve, reject, release: this.#engine.keepAlive() });
      try {
        ask(request);
      } catch (error) {
        this.#take(request)?.reject(error);
      }
    });
  }

  /** What became of one. */
  settle(reply: NativeReply, text: string): void {
    const pending = this.#take(reply.request);
    if (pending === undefined) return;
    if (reply.error === undefined) {
      pending.resolve({ reply, text });
      return;
    }
    const { code, message } = reply.error;
    pending.reject(new HandrailError(code, this.#redactor.redact(message)));
  }

  /** Nothing more will be answered. */
  abandon(error: HandrailError): void {
    for (const request of [...this.#pending.keys()]) this.#take(request)?.reject(error);
  }

  #take(request: number): Pending | undefined {
    const pending = this.#pending.get(request);
    this.#pending.delete(request);
    pending?.release();
    return pending;
  }
}
