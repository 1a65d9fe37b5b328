import { HandrailError } from '../errors.js';
import type { Redactor } from '../redaction/redactor.js';
import { describeEnd, type LiveEnd } from '../report/end.js';
import type { SessionUpdates, SessionWatchOptions } from './watch.js';

/** What a person may do who attaches to a session: look on, or type as well. */
export type AttachMode = 'read' | 'keyboard';

/** An offer to one person to attach to a session, from a terminal of the same user. */
export interface SessionAttachment {
  /** Names the offer for `handrail session attach`. */
  readonly id: string;
  /**
   * What the person types to attach: good for one use, and for ten minutes. Show it to that person only, and put it into no
   * argument, variable or file that a command can read.
   */
  readonly token: string;
  /** What the person may do. */
  readonly mode: AttachMode;
  /** The command to attach with; it asks for the token. */
  readonly command: string;
  /** Withdraws the offer, and detaches the person. Can be called again. */
  close(): void;
}

/** What an attached person needs of a session. */
export interface Attachable {
  /** Its command; secrets masked. */
  readonly command: string;
  readonly alive: boolean;
  /** Settles when it is over, with how it ended in words. */
  readonly ended: Promise<string>;
  history(): { readonly text: string; readonly end: number };
  watch(options: SessionWatchOptions): SessionUpdates;
  /** Writes keys, which are not judged. */
  type(keys: Uint8Array): Promise<void>;
  resize(cols: number, rows: number): void;
}

/** Makes an offer to attach to a session. */
export type OfferAttachment = (session: Attachable) => Promise<SessionAttachment>;

/** A session, as far as a person may attach to it. */
interface AttachedSession extends Pick<Attachable, 'alive' | 'history' | 'resize'> {
  readonly command: string;
  readonly ended: Promise<LiveEnd>;
  watchWith(options: SessionWatchOptions, keepsAlive: boolean): SessionUpdates;
}

/** @throws HandrailError `ERR_NOT_SUPPORTED` where nobody may attach. */
export function offerOf(offer: OfferAttachment | undefined): OfferAttachment {
  if (offer !== undefined) return offer;
  const message =
    "Nobody may attach to sessions of this toolkit: give `attach: 'read'` or `'keyboard'` to `createToolkit`";
  throw new HandrailError('ERR_NOT_SUPPORTED', message, { data: { name: 'attach' } });
}

/** What a person needs of a session. */
export function attachableOf(
  session: AttachedSession,
  redactor: Redactor,
  type: (keys: Uint8Array) => Promise<void>,
): Attachable {
  return {
    command: redactor.redact(session.command),
    get alive() {
      return session.alive;
    },
    ended: session.ended.then(describeEnd),
    history: () => session.history(),
    watch: (options) => session.watchWith(options, false),
    type,
    resize: (cols, rows) => session.resize(cols, rows),
  };
}
