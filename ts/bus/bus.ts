/** A message from a bus. */
export interface BusMessage {
  /** The topic it was published on, such as `chat:conv1`. */
  readonly topic: string;
  /** The message; in a chat a `MessageEnvelope`. It is a copy, which you may change. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The id it was published with. `after` takes it. */
  readonly id: string;
}

/** The options of `publish`. */
export interface PublishOptions {
  /**
   * The id of the message. A second `publish` with the same id stores nothing. Default: `payload.id`, or else a new
   * one.
   */
  readonly id?: string | undefined;
}

/** The result of `publish`. */
export interface Published {
  /** The id of the message. */
  readonly id: string;
  /** The topics it is stored on, each once. */
  readonly topics: readonly string[];
  /** Whether it was stored before, so that this call changed nothing. */
  readonly duplicate: boolean;
  /**
   * The number of old messages that were removed to make room before a group had handled them, counted once for each
   * such group. They became dead letters with the reason `trimmed`, or `expired` where
   * they were too old. Mostly 0.
   */
  readonly givenUp: number;
}

/** The options of `read`. */
export interface BusReadOptions {
  /**
   * The id of the last message that was read. The messages after it are returned. `'0-0'` is before the first message
   * that is kept. Default: for `read` the last `limit` messages, for `readBlocking` only new ones.
   */
  readonly after?: string | undefined;
  /** The number of messages to return at most. Default: 100. Range: 1 to 1,000. */
  readonly limit?: number | undefined;
}

/** The options of `readBlocking`. */
export interface BusReadBlockingOptions extends BusReadOptions {
  /** How long to wait for the first message, in milliseconds. Default: 1,000. Range: 0 to 60,000. */
  readonly blockMs?: number | undefined;
}

/** The facts about one delivery of a message. */
export interface Delivery {
  /** How often the message was delivered, including this time: 1 for the first. */
  readonly deliveries: number;
  /**
   * Aborts when the subscription is closed. The message of a handler that throws then is delivered again, here or
   * elsewhere.
   */
  readonly signal: AbortSignal;
}

/**
 * Handles a message. The message is done when the handler returns, or when the promise it returns is fulfilled. When
 * the handler throws, the message is delivered again.
 */
export type BusHandler = (message: BusMessage, delivery: Delivery) => unknown;

/** The options of `subscribe`. */
export interface SubscribeOptions {
  /**
   * The name of the group that shares the work: each message goes to one subscription of the group. A new group begins
   * with the first message that is kept.
   */
  readonly group: string;
  /** How many messages are handled at the same time. With 1 they are handled in order. Default: 1. Range: 1 to 64. */
  readonly concurrency?: number | undefined;
  /**
   * After how many milliseconds another subscription of the group takes over messages from one whose process has ended.
   * The time starts anew while a handler runs. Default: 60,000. Range: 100 to 3,600,000.
   */
  readonly leaseMs?: number | undefined;
  /** After how many deliveries a message that still fails becomes a dead letter. Default: 5. Range: 1 to 100. */
  readonly maxDeliveries?: number | undefined;
  /**
   * The topic for messages that this subscription could not handle. Default: `dlq:` and the topic; for `chat:Name` only
   * the name. `publish` puts the messages there that it has to remove.
   */
  readonly deadLetterTopic?: string | undefined;
  /**
   * Receives errors of handlers, and the reason when the bus cannot be reached. Default: a process warning with the
   * code `HANDRAIL_BUS`.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A subscription that lasts until it is closed. */
export interface Subscription extends AsyncDisposable {
  /** Stops taking messages, and waits for the running handlers for at most 5 s. It may be called again. */
  close(): Promise<void>;
}

/**
 * A bus for messages by topic. Messages keep their order and are stored for later readers. A published message is
 * delivered at least once to each group; a message with the same id is stored once.
 *
 * Topics are 1 to 200 printable ASCII characters without spaces. Every method rejects with a `HandrailError`:
 * `ERR_INVALID_ARGUMENT` for wrong arguments, `ERR_BUSY` when a limit is reached, `ERR_CLOSED` after `close()`, and
 * `ERR_BUS` with `data.reason`:
 *
 * | reason | meaning |
 * | --- | --- |
 * | `unavailable` | the bus cannot be reached; nothing was stored, and nothing will be |
 * | `unknown` | the message was sent and no answer came: publish it again with the same id |
 * | `refused` | the server refused; nothing was stored |
 * | `cursor_lost` | there is no message with the id in `after`; `data.oldest` is the oldest that is kept |
 * | `id_reused` | the id belongs to another message; nothing was stored |
 *
 * `sendMessage` and `chat_send` have two more, with which nothing was stored: `rate_limited` (`data.retryAfterMs` says
 * in how many milliseconds there is room again) and `too_many_hops`.
 */
export interface Bus extends AsyncDisposable {
  /**
   * Stores one message on one topic or on several: on all of them or on none.
   *
   * @param topic One topic or up to 16. A topic that is named twice counts once.
   * @param payload A value that is an object in JSON, such as a `MessageEnvelope`; at most 256 KiB as JSON.
   * @param options See `PublishOptions`.
   */
  publish(topic: string | readonly string[], payload: object, options?: PublishOptions): Promise<Published>;

  /** Returns stored messages, the oldest first. It never waits for a message. */
  read(topic: string, options?: BusReadOptions): Promise<BusMessage[]>;

  /**
   * Returns the messages stored after `after`, or else waits for the next ones. Returns none if none has arrived in
   * time.
   */
  readBlocking(topic: string, options?: BusReadBlockingOptions): Promise<BusMessage[]>;

  /**
   * Passes each message to `handler`, as a member of a group. A message is done when its handler has succeeded. It is
   * delivered again when its handler fails or its process ends.
   *
   * @returns The subscription. The group exists by then.
   */
  subscribe(topic: string, handler: BusHandler, options: SubscribeOptions): Promise<Subscription>;

  /** Ends every subscription and every wait, and closes the connections. It may be called again. */
  close(): Promise<void>;
}
