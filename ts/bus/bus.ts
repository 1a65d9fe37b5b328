/** A message as a bus hands it out. */
export interface BusMessage {
  /** Where it was published, such as `chat:conv1`. */
  readonly topic: string;
  /** The message: of a chat, a `MessageEnvelope`. A copy, yours to change. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The id it was published with. It is what `after` takes. */
  readonly id: string;
}

/** How a message is published. */
export interface PublishOptions {
  /** The message's id. A second `publish` with the same one stores nothing. Default: `payload.id`, or else a new one. */
  readonly id?: string | undefined;
}

/** What was published. */
export interface Published {
  /** The message's id. */
  readonly id: string;
  /** Where it is stored, each topic once. */
  readonly topics: readonly string[];
  /** Whether it had been stored before: this call has changed nothing. */
  readonly duplicate: boolean;
  /**
   * Old messages that had to make room for this one before a group had handled them, each counted once
   * for each such group. They are dead letters with the reason `trimmed` now. Mostly 0.
   */
  readonly givenUp: number;
}

/** What is read. */
export interface BusReadOptions {
  /**
   * The id of the last message that was read: what follows it is given. `'0-0'` is before the first
   * one that is kept. Default: of `read` the last `limit` messages, of `readBlocking` only new ones.
   */
  readonly after?: string | undefined;
  /** Most messages. Default: 100. Range: 1 to 1,000. */
  readonly limit?: number | undefined;
}

/** What is waited for. */
export interface BusReadBlockingOptions extends BusReadOptions {
  /** Most milliseconds to wait for the first message. Default: 1,000. Range: 0 to 60,000. */
  readonly blockMs?: number | undefined;
}

/** One delivery of a message, beside the message itself. */
export interface Delivery {
  /** How often the message was delivered, with this time: 1 for the first. */
  readonly deliveries: number;
  /** Fires when the subscription is closed: a handler that throws then gets its message again, here or elsewhere. */
  readonly signal: AbortSignal;
}

/**
 * Does what is to be done about a message. When it returns, or the promise it returns fulfils, the message
 * is done with; when it throws, the message comes again.
 */
export type BusHandler = (message: BusMessage, delivery: Delivery) => unknown;

/** How a topic is subscribed to. */
export interface SubscribeOptions {
  /** Who shares the work: each message goes to one subscription of a group. A new group begins with the first message that is kept. */
  readonly group: string;
  /** Messages handled at a time; with 1 in their order. Default: 1. Range: 1 to 64. */
  readonly concurrency?: number | undefined;
  /**
   * Milliseconds after which another subscription of the group takes the messages of one whose
   * process has ended. It is renewed while a handler runs. Default: 60,000. Range: 100 to 3,600,000.
   */
  readonly leaseMs?: number | undefined;
  /** Deliveries after which a message that still fails becomes a dead letter. Default: 5. Range: 1 to 100. */
  readonly maxDeliveries?: number | undefined;
  /**
   * Where messages go that this subscription could not handle. Default: `dlq:` and the topic, of `chat:Name`
   * the name, which is also where `publish` puts what it has to give up.
   */
  readonly deadLetterTopic?: string | undefined;
  /** Gets what handlers throw, and why the bus cannot be reached. Default: a process warning with the code `HANDRAIL_BUS`. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A subscription that goes on until it is closed. */
export interface Subscription extends AsyncDisposable {
  /** Takes no more messages and waits for the handlers that run, at most 5 s. Can be called again. */
  close(): Promise<void>;
}

/**
 * Messages by topic, in the order they came, kept for those who read later. What was published is
 * delivered at least once to each group; the same id is stored once.
 *
 * Topics are 1 to 200 printable ASCII characters without blanks. Everything here rejects with a
 * `HandrailError`: `ERR_INVALID_ARGUMENT` for what cannot be used, `ERR_BUSY` where a bound was
 * reached, `ERR_CLOSED` after `close()`, and `ERR_BUS` with `data.reason`:
 *
 * | reason | meaning |
 * | --- | --- |
 * | `unavailable` | the bus cannot be reached; nothing was stored, nothing will be |
 * | `unknown` | the message was sent and no answer came: publish it again with the same id |
 * | `refused` | the server refused; nothing was stored |
 * | `cursor_lost` | there is no message with the id in `after`; `data.oldest` is the oldest that is kept |
 * | `id_reused` | the id belongs to another message; nothing was stored |
 */
export interface Bus extends AsyncDisposable {
  /**
   * Stores one message on one topic or on several, on all or on none.
   *
   * @param topic Where to. Named twice, a topic counts once. At most 16.
   * @param payload Anything that is an object in JSON, such as a `MessageEnvelope`; at most 256 KiB of it.
   * @param options See `PublishOptions`.
   */
  publish(topic: string | readonly string[], payload: object, options?: PublishOptions): Promise<Published>;

  /** What is stored, oldest first. Never waits for a message. */
  read(topic: string, options?: BusReadOptions): Promise<BusMessage[]>;

  /** What is stored behind `after`, or else the next to come; nothing when none has come in time. */
  readBlocking(topic: string, options?: BusReadBlockingOptions): Promise<BusMessage[]>;

  /**
   * Hands each message to `handler`, as one of a group. A message is done with after its handler
   * has succeeded, and comes again when it failed or its process ended.
   *
   * @returns The subscription; the group is there by then.
   */
  subscribe(topic: string, handler: BusHandler, options: SubscribeOptions): Promise<Subscription>;

  /** Ends every subscription and every wait, and lets go of the connections. Can be called again. */
  close(): Promise<void>;
}
