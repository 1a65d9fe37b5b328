/** Offers to attach: each is a socket of its own, for one person with one token. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { HandrailError } from '../errors.js';
import type { Attachable, AttachMode, SessionAttachment } from '../session/attachment.js';
import { serve } from './connection.js';
import { Lines, line, MAX_PERSON_LINE_BYTES } from './frames.js';
import { type PeerRefusal, peerOf } from './peer.js';
import { newId, ownAttachFolder, removeAttachFolder } from './place.js';

/** Time in which an offer can be used, in milliseconds: ten minutes. */
const OFFER_MS = 600_000;
/** Time in which a client has to show its token, in milliseconds. */
const TOKEN_MS = 60_000;
/** Wrong tokens after which an offer is withdrawn. */
const MAX_WRONG_TOKENS = 3;
/** Clients of one offer at once. */
const MAX_CLIENTS = 4;
/** Offers of a toolkit that nobody has used. */
const MAX_OFFERS = 16;
const TOKEN_BYTES = 16;

/** What has become of an offer. */
export interface AttachEvent {
  /** The id of the offer. */
  readonly id: string;
  readonly session: Attachable;
  readonly mode: AttachMode;
  /** `refused`: a process that may not attach has tried to, for the first time. */
  readonly what: 'attached' | 'detached' | 'refused';
  /** How long somebody was attached, in milliseconds. */
  readonly durationMs: number;
}

/** How offers are made. */
export interface OfferOptions {
  readonly mode: AttachMode;
  /** Folders that commands can write to. */
  readonly roots: readonly string[];
  /** A token was made: nobody else may be shown it. */
  readonly onToken: (token: string) => void;
  readonly onEvent: (event: AttachEvent) => void;
  /** Who may connect. Tests show which attacks work without this. */
  readonly refusalOf?: (client: Socket) => PeerRefusal | undefined;
}

/** The offers of one toolkit. */
export class Offers {
  readonly #options: OfferOptions;
  readonly #open = new Set<Offer>();

  constructor(options: OfferOptions) {
    this.#options = options;
  }

  /**
   * Offers to attach to a session.
   *
   * @throws HandrailError `ERR_BUSY` when 16 offers were not used, `ERR_CLOSED` for a session that is over, `ERR_SYSTEM`
   * where the socket cannot be made.
   */
  async offer(session: Attachable): Promise<SessionAttachment> {
    if (!session.alive) throw new HandrailError('ERR_CLOSED', 'The session is over: nobody can attach to it');
    if ([...this.#open].filter(({ isUsed }) => !isUsed).length >= MAX_OFFERS) {
      throw new HandrailError('ERR_BUSY', `${MAX_OFFERS} offers to attach were not used yet; close one, or wait`, {
        data: { limit: MAX_OFFERS },
      });
    }
    const offer = new Offer(session, this.#options);
    this.#open.add(offer);
    const forget = (): void => {
      offer.close();
      this.#open.delete(offer);
    };
    offer.over.then(forget, forget);
    return await offer.listen();
  }

  /** Withdraws all offers, and detaches everybody. Settles when that was told. */
  async close(): Promise<void> {
    const open = [...this.#open];
    for (const offer of open) offer.close();
    await Promise.all(open.map(({ over }) => over));
  }
}

class Offer {
  readonly #id = newId();
  readonly #token = randomBytes(TOKEN_BYTES).toString('base64url');
  readonly #session: Attachable;
  readonly #options: OfferOptions;
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  readonly #timer: NodeJS.Timeout;
  readonly over: Promise<void>;
  #end: () => void = () => undefined;
  #wrongTokens = 0;
  #wasRefused = false;
  isUsed = false;

  constructor(session: Attachable, options: OfferOptions) {
    this.#session = session;
    this.#options = options;
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#server = createServer((client) => this.#accept(client));
    this.#server.maxConnections = MAX_CLIENTS;
    this.#timer = setTimeout(() => this.#withdraw(), OFFER_MS).unref();
    options.onToken(this.#token);
    void session.ended.then(() => this.#withdraw());
  }

  async listen(): Promise<SessionAttachment> {
    const file = path.join(ownAttachFolder(this.#options.roots), this.#id);
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause) => {
        reject(new HandrailError('ERR_SYSTEM', 'Nobody can attach: the socket could not be made', { cause }));
      });
      // Until its mode is set, the folder keeps others out.
      this.#server.listen(file, resolve);
    }).catch((error: unknown) => {
      this.close();
      throw error;
    });
    chmodSync(file, 0o600);
    this.#server.unref();
    const command = `handrail session attach ${this.#id}`;
    const close = (): void => this.close();
    return Object.freeze({ id: this.#id, token: this.#token, mode: this.#options.mode, command, close });
  }

  close(): void {
    this.#withdraw();
    for (const client of this.#clients) client.destroy();
  }

  /** Nobody can use it any more. Whoever is attached stays. */
  #withdraw(): void {
    clearTimeout(this.#timer);
    // This removes the socket.
    if (this.#server.listening) {
      this.#server.close();
      removeAttachFolder(this.#options.roots);
    }
    if (!this.isUsed) this.#end();
  }

  #accept(client: Socket): void {
    this.#clients.add(client);
    client.on('close', () => this.#clients.delete(client)).on('error', () => client.destroy());
    client.unref();
    const refusal = (this.#options.refusalOf ?? refusalOf)(client);
    if (refusal !== undefined) {
      if (!this.#wasRefused) this.#tell('refused', 0);
      this.#wasRefused = true;
      client.end(line({ refused: refusal, message: 'This process may not attach' }));
      return;
    }
    const timer = setTimeout(() => client.destroy(), TOKEN_MS).unref();
    client.on('close', () => clearTimeout(timer));
    const lines = new Lines(MAX_PERSON_LINE_BYTES);
    const onData = (bytes: Buffer): void => {
      const frames = lines.push(bytes);
      if (frames === undefined) client.destroy();
      else if (frames[0] !== undefined) {
        client.off('data', onData);
        clearTimeout(timer);
        this.#admit(client, frames[0]['token'], lines, frames.slice(1));
      }
    };
    client.on('data', onData);
  }

  #admit(client: Socket, token: unknown, lines: Lines, frames: readonly Record<string, unknown>[]): void {
    if (this.isUsed || !isSame(token, this.#token)) {
      this.#wrongTokens += 1;
      const isOver = this.isUsed || this.#wrongTokens >= MAX_WRONG_TOKENS;
      const next = isOver ? 'Ask for a new one where the session runs' : 'Look at it again';
      client.end(line({ refused: 'token', message: `This is not the token of the session. ${next}` }));
      if (isOver) this.#withdraw();
      return;
    }
    this.isUsed = true;
    this.#withdraw();
    const { mode } = this.#options;
    const began = performance.now();
    this.#tell('attached', 0);
    void serve(client, { session: this.#session, mode, lines, frames }).finally(() => {
      this.#tell('detached', performance.now() - began);
      this.#end();
    });
  }

  #tell(what: AttachEvent['what'], durationMs: number): void {
    this.#options.onEvent({ id: this.#id, session: this.#session, mode: this.#options.mode, what, durationMs });
  }
}

function refusalOf(client: Socket): PeerRefusal | undefined {
  const peer = peerOf(client);
  return 'refusal' in peer ? peer.refusal : undefined;
}

/** Compares in a time that tells nothing. */
function isSame(given: unknown, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(typeof given === 'string' ? given : ''), digest(token));
}
