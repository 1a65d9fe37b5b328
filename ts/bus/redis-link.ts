import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { busClosed } from './errors.js';
import { digestOf, type Script } from './redis-scripts.js';

/** How a connection is made: the class is loaded with the first one. */
export interface LinkOptions {
  readonly load: () => Promise<typeof Redis>;
  readonly url: string;
  readonly timeoutMs: number;
  /** Whether commands of one turn go out together. Not where one of them may wait. */
  readonly together: boolean;
}

/** Between two attempts to connect. */
const RECONNECT_MS = 50;

/** The server has answered, but does not serve yet. */
const NOT_YET: readonly string[] = ['LOADING', 'TRYAGAIN', 'BUSY'];

/** What the client says of a command that found no connection. */
const NOT_WRITABLE = "Stream isn't writeable";

/** A name of an error that is no text of anybody: `ECONNREFUSED`, `WRONGPASS`. */
const ERROR_NAME = /^[A-Z][A-Z0-9_]{1,31}\b/;

/**
 * How a command failed. `never sent`: it has not left this process. `lost`: it may have been
 * carried out. `answered`: the server has refused it.
 */
export class LinkFailure extends Error {
  readonly fate: 'never sent' | 'lost' | 'answered';
  /** What the server or the system calls it. Never more: messages can hold arguments. */
  readonly reason: string;

  constructor(fate: LinkFailure['fate'], reason: string) {
    super(reason);
    this.fate = fate;
    this.reason = reason;
  }
}

/**
 * One connection, made when it is needed and made again when it was lost. The client's own ways of
 * trying again are off: what it sends again by itself is stored twice, and what it queues is stored
 * after its caller was told that it failed.
 */
export class RedisLink {
  readonly #options: LinkOptions;
  #client: Redis | undefined;
  #opening: Promise<Redis> | undefined;
  #busy = 0;
  #isClosed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /**
   * Sends one command and gives its answer.
   *
   * @param deadline Until when, in milliseconds of `performance.now()`.
   * @throws LinkFailure, and HandrailError `ERR_CLOSED` after `close()`, `ERR_PEER_MISSING`.
   */
  async call<Answer>(command: (client: Redis) => Promise<Answer>, deadline: number): Promise<Answer> {
    this.#hold(1);
    try {
      const client = await this.#ready(deadline);
      return await this.#answer(client, command(client), deadline);
    } finally {
      this.#hold(-1);
    }
  }

  /** Runs a script by its name, or by its text where the server does not have it yet. */
  async run(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
    deadline: number,
  ): Promise<unknown> {
    const digest = await digestOf(script);
    try {
      return await this.call((client) => client.evalsha(digest, keys.length, ...keys, ...args), deadline);
    } catch (error) {
      if (!(error instanceof LinkFailure) || error.reason !== 'NOSCRIPT') throw error;
      return await this.call((client) => client.eval(script, keys.length, ...keys, ...args), deadline);
    }
  }

  /** Ends the connection; what waits for an answer fails with `lost`. */
  close(): void {
    this.#isClosed = true;
    this.#drop(this.#client);
  }

  /** A client that is connected, by the deadline. */
  async #ready(deadline: number): Promise<Redis> {
    for (let reason = 'ETIMEDOUT'; ; ) {
      if (this.#isClosed) throw busClosed();
      if (this.#client !== undefined) return this.#client;
      this.#opening ??= this.#open().finally(() => {
        this.#opening = undefined;
      });
      try {
        return await within(this.#opening, deadline, () => new LinkFailure('never sent', reason));
      } catch (error) {
        if (!(error instanceof LinkFailure)) throw error;
        reason = error.reason;
        if (performance.now() + RECONNECT_MS >= deadline) throw new LinkFailure('never sent', reason);
      }
      await pause(RECONNECT_MS);
    }
  }

  async #open(): Promise<Redis> {
    const { load, url, timeoutMs, together } = this.#options;
    const Client = await load();
    const client = new Client(url, {
      lazyConnect: true,
      retryStrategy: null,
      autoResendUnfulfilledCommands: false,
      enableOfflineQueue: false,
      enableAutoPipelining: together,
      maxRetriesPerRequest: 0,
      connectTimeout: timeoutMs,
      protocol: 3,
      replyMapping: 'legacy',
    });
    let reason = 'ECONNREFUSED';
    client.on('error', (error: unknown) => {
      reason = nameOf(error);
    });
    client.on('end', () => this.#forget(client));
    try {
      const late = () => new LinkFailure('never sent', 'ETIMEDOUT');
      await within(client.connect(), performance.now() + timeoutMs, late);
    } catch (error) {
      client.disconnect();
      throw error instanceof LinkFailure ? error : new LinkFailure('never sent', reason);
    }
    if (this.#isClosed) {
      client.disconnect();
      throw busClosed();
    }
    this.#client = client;
    this.#hold(0);
    return client;
  }

  async #answer<Answer>(client: Redis, answer: Promise<Answer>, deadline: number): Promise<Answer> {
    try {
      return await within(answer, deadline, () => new LinkFailure('lost', 'ETIMEDOUT'));
    } catch (error) {
      const isReply = error instanceof Error && error.name === 'ReplyError';
      if (isReply) throw new LinkFailure(NOT_YET.includes(nameOf(error)) ? 'never sent' : 'answered', nameOf(error));
      // Nobody knows where its stream of answers stands.
      this.#drop(client);
      if (error instanceof LinkFailure) throw error;
      const isUnsent = error instanceof Error && error.message.startsWith(NOT_WRITABLE);
      throw new LinkFailure(isUnsent ? 'never sent' : 'lost', nameOf(error));
    }
  }

  /** An idle connection does not keep the process alive; one that an answer is to come from does. */
  #hold(change: number): void {
    this.#busy += change;
    const stream = this.#client?.stream;
    if (this.#busy > 0) stream?.ref();
    else stream?.unref();
  }

  /** Once: every command on its way fails with its connection. */
  #drop(client: Redis | undefined): void {
    if (client === undefined || this.#client !== client) return;
    this.#forget(client);
    client.disconnect();
  }

  #forget(client: Redis): void {
    if (this.#client === client) this.#client = undefined;
  }
}

async function within<Value>(work: Promise<Value>, deadline: number, late: () => LinkFailure): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return ERROR_NAME.exec(code)?.[0] ?? 'ECONNRESET';
}
