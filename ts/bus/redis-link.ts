import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { busClosed } from './errors.js';
import { digestOf, type Script } from './redis-scripts.js';

/** The options of a connection. */
export interface LinkOptions {
  readonly load: () => Promise<typeof Redis>;
  readonly url: string;
  readonly timeoutMs: number;
  /** Whether commands of one turn of the event loop are sent together. False where a command may wait. */
  readonly pipelines: boolean;
}

/** Time between two attempts to connect, in milliseconds. */
const RECONNECT_MS = 50;

/** Errors of a server that does not serve yet. */
const NOT_READY_CODES: readonly string[] = ['LOADING', 'TRYAGAIN', 'BUSY'];

/** The message of ioredis for a command that was not sent because there is no connection. */
const NOT_SENT_MESSAGE = "Stream isn't writeable";

/** The code of an error, such as `ECONNREFUSED` or `WRONGPASS`, which holds no text of a user. */
const ERROR_CODE = /^[A-Z][A-Z0-9_]{1,31}\b/;

/**
 * The error of a command. `never sent`: it has not left this process. `lost`: it may have run. `answered`: the server
 * has refused it.
 */
export class LinkFailure extends Error {
  readonly fate: 'never sent' | 'lost' | 'answered';
  /** The error code of the server or the system. Messages are left out, because they can hold arguments. */
  readonly reason: string;

  constructor(fate: LinkFailure['fate'], reason: string) {
    super(reason);
    this.fate = fate;
    this.reason = reason;
  }
}

/**
 * One connection, opened when it is needed and opened again after it was lost. The retries of ioredis are off: a
 * command that it repeats would be stored twice, and one that it queues would be stored after its caller has got an
 * error.
 */
export class RedisLink {
  readonly #options: LinkOptions;
  #client: Redis | undefined;
  #opening: Promise<Redis> | undefined;
  #pendingCommands = 0;
  #isClosed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /**
   * Sends one command and returns its answer.
   *
   * @param deadline The latest time for the answer, in milliseconds of `performance.now()`.
   * @throws LinkFailure, and HandrailError `ERR_CLOSED` after `close()`, `ERR_PEER_MISSING`.
   */
  async call<Answer>(command: (client: Redis) => Promise<Answer>, deadline: number): Promise<Answer> {
    this.#countPending(1);
    try {
      const client = await this.#ready(deadline);
      return await this.#answer(client, command(client), deadline);
    } finally {
      this.#countPending(-1);
    }
  }

  /** Runs a script by its digest, or by its text when the server does not know it yet. */
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

  /** Closes the connection. Commands that wait for an answer fail with `lost`. */
  close(): void {
    this.#isClosed = true;
    this.#closeClient(this.#client);
  }

  /** Waits for a connected client until the deadline. */
  async #ready(deadline: number): Promise<Redis> {
    for (let reason = 'ETIMEDOUT'; ; ) {
      if (this.#isClosed) throw busClosed();
      if (this.#client !== undefined) return this.#client;
      this.#opening ??= this.#open().finally(() => {
        this.#opening = undefined;
      });
      try {
        return await beforeDeadline(this.#opening, deadline, () => new LinkFailure('never sent', reason));
      } catch (error) {
        if (!(error instanceof LinkFailure)) throw error;
        reason = error.reason;
        if (performance.now() + RECONNECT_MS >= deadline) throw new LinkFailure('never sent', reason);
      }
      await pause(RECONNECT_MS);
    }
  }

  async #open(): Promise<Redis> {
    const { load, url, timeoutMs, pipelines: together } = this.#options;
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
      reason = errorCode(error);
    });
    client.on('end', () => this.#forget(client));
    try {
      const timeoutError = () => new LinkFailure('never sent', 'ETIMEDOUT');
      await beforeDeadline(client.connect(), performance.now() + timeoutMs, timeoutError);
    } catch (error) {
      client.disconnect();
      throw error instanceof LinkFailure ? error : new LinkFailure('never sent', reason);
    }
    if (this.#isClosed) {
      client.disconnect();
      throw busClosed();
    }
    this.#client = client;
    this.#countPending(0);
    return client;
  }

  async #answer<Answer>(client: Redis, answer: Promise<Answer>, deadline: number): Promise<Answer> {
    try {
      return await beforeDeadline(answer, deadline, () => new LinkFailure('lost', 'ETIMEDOUT'));
    } catch (error) {
      const isReply = error instanceof Error && error.name === 'ReplyError';
      if (isReply)
        throw new LinkFailure(NOT_READY_CODES.includes(errorCode(error)) ? 'never sent' : 'answered', errorCode(error));
      // Later answers on this connection could not be matched to their commands.
      this.#closeClient(client);
      if (error instanceof LinkFailure) throw error;
      const isUnsent = error instanceof Error && error.message.startsWith(NOT_SENT_MESSAGE);
      throw new LinkFailure(isUnsent ? 'never sent' : 'lost', errorCode(error));
    }
  }

  /** Counts pending commands. Only a connection with pending commands keeps the process alive. */
  #countPending(change: number): void {
    this.#pendingCommands += change;
    const stream = this.#client?.stream;
    if (this.#pendingCommands > 0) stream?.ref();
    else stream?.unref();
  }

  /** Closes a connection, if it was not closed already. Its pending commands fail. */
  #closeClient(client: Redis | undefined): void {
    if (client === undefined || this.#client !== client) return;
    this.#forget(client);
    client.disconnect();
  }

  #forget(client: Redis): void {
    if (this.#client === client) this.#client = undefined;
  }
}

async function beforeDeadline<Value>(
  work: Promise<Value>,
  deadline: number,
  timeoutError: () => LinkFailure,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(timeoutError()), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return ERROR_CODE.exec(code)?.[0] ?? 'ECONNRESET';
}
