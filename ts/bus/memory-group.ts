import type { GroupLog, HeldEntry } from './group-log.js';
import type { MemoryTopic } from './memory-topic.js';
import type { EncodedMessage } from './payload.js';

/** One consumer of a group of an embedded bus. It ends only with its process, so leases need no renewal. */
export class MemoryGroup implements GroupLog {
  readonly #log: MemoryTopic;
  readonly #group: string;
  readonly #publishLetter: (letter: EncodedMessage) => void;
  #wake: (() => void) | undefined;
  #isStopped = false;

  constructor(log: MemoryTopic, group: string, publishLetter: (letter: EncodedMessage) => void) {
    this.#log = log;
    this.#group = group;
    this.#publishLetter = publishLetter;
  }

  async take(limit: number): Promise<readonly HeldEntry[]> {
    const entries = this.#log.take(this.#group, this, limit);
    if (entries.length > 0 || this.#isStopped) return entries;
    await new Promise<void>((resolve) => {
      const forget = this.#log.onAppend(() => this.#wake?.());
      this.#wake = () => {
        forget();
        this.#wake = undefined;
        resolve();
      };
    });
    return [];
  }

  retake(key: string): Promise<number | undefined> {
    return Promise.resolve(this.#log.retake(this.#group, Number(key)));
  }

  renew(): Promise<void> {
    return Promise.resolve();
  }

  done(key: string): Promise<void> {
    this.#log.done(this.#group, Number(key));
    return Promise.resolve();
  }

  storeDeadLetter(key: string, letter: EncodedMessage): Promise<void> {
    // An exception becomes the rejection of the promise.
    return Promise.resolve().then(() => {
      // A message that was removed in the meantime has its letter already.
      if (!this.#log.isHeld(this.#group, Number(key))) return;
      this.#publishLetter(letter);
      this.#log.done(this.#group, Number(key));
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake?.();
  }

  leave(): Promise<void> {
    this.#log.leave(this.#group, this);
    return Promise.resolve();
  }
}
