import type { BusMessage } from './bus.js';
import type { Encoded } from './payload.js';

/** A message as one consumer of a group holds it. */
export interface HeldEntry {
  /** Names it within its topic. */
  readonly key: string;
  /** Undefined when what is stored is no message. */
  readonly message: BusMessage | undefined;
  /** The id it was stored with. */
  readonly id: string;
  /** As it is stored. */
  readonly text: string;
  /** With this one. */
  readonly deliveries: number;
}

/** One consumer's view of a group: what it takes is its own until it is done with, buried or given back. */
export interface GroupLog {
  /** Up to `limit` entries. Waits a while for the first; none when none has come. */
  take(limit: number): Promise<readonly HeldEntry[]>;
  /** Counts one more delivery and gives their number. Undefined when somebody else holds the entry by now. */
  retake(key: string): Promise<number | undefined>;
  /** Tells the others that the holder is alive. */
  renew(key: string): Promise<void>;
  /** The entry was handled. */
  done(key: string): Promise<void>;
  /** Stores a dead letter and is done with the entry, in one step. */
  bury(key: string, letter: Encoded): Promise<void>;
  /** Ends a `take` that waits. */
  stop(): void;
  /** Gives back everything that is held. */
  leave(): Promise<void>;
}
