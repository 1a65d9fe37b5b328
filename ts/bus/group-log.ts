import type { BusMessage } from './bus.js';
import type { EncodedMessage } from './payload.js';

/** A message that one consumer of a group holds. */
export interface HeldEntry {
  /** The key of the entry within its topic. */
  readonly key: string;
  /** Undefined when the stored text is no message. */
  readonly message: BusMessage | undefined;
  /** The id of the message. */
  readonly id: string;
  /** The stored text. */
  readonly text: string;
  /** When it was stored, in milliseconds since 1970. */
  readonly storedAt: number;
  /** How often it was delivered, including this time. */
  readonly deliveries: number;
}

/** One consumer's access to a group. It holds an entry until the entry is done, stored as a dead letter, or given back. */
export interface GroupLog {
  /** Takes up to `limit` entries. Waits a while for the first one; returns none when none has come. */
  take(limit: number): Promise<readonly HeldEntry[]>;
  /** Counts one more delivery and returns their number. Undefined when another consumer holds the entry by now. */
  retake(key: string): Promise<number | undefined>;
  /** Renews the lease of an entry: its holder is alive. */
  renew(key: string): Promise<void>;
  /** Marks an entry as handled. */
  done(key: string): Promise<void>;
  /** Stores a dead letter and marks its entry as handled, in one step. */
  storeDeadLetter(key: string, letter: EncodedMessage): Promise<void>;
  /** Ends a `take` that waits. */
  stop(): void;
  /** Gives back every entry that is held. */
  leave(): Promise<void>;
}
