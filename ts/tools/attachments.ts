import { randomUUID } from 'node:crypto';
import type { AttachEvent, OfferOptions, Offers } from '../attach/offers.js';
import { type AuditRecord, auditText } from '../audit/record.js';
import type { Redactor } from '../redaction/redactor.js';
import type { OfferAttachment } from '../session/attachment.js';

/** What the offers of a toolkit need. */
interface AttachmentParts extends Pick<OfferOptions, 'mode' | 'roots'> {
  readonly redactor: Redactor;
  /** Gets a record when somebody attaches, detaches, or is refused. */
  readonly onRecord: (record: AuditRecord) => void;
}

/** The offers of a toolkit to attach to its sessions. What makes them is loaded with the first one. */
export class Attachments {
  readonly #parts: AttachmentParts;
  #offers: Promise<Offers> | undefined;
  #isClosed = false;

  constructor(parts: AttachmentParts) {
    this.#parts = parts;
  }

  readonly offer: OfferAttachment = async (session) => {
    this.#offers ??= this.#load();
    return await (await this.#offers).offer(session);
  };

  /** Withdraws all offers, and detaches everybody. */
  async close(): Promise<void> {
    await (await this.#offers)?.close();
    this.#isClosed = true;
  }

  async #load(): Promise<Offers> {
    const { Offers } = await import('../attach/offers.js');
    const { mode, roots, redactor, onRecord } = this.#parts;
    return new Offers({
      mode,
      roots,
      onToken: (token) => redactor.addSecret('attach-token', token),
      onEvent: (event) => {
        if (!this.#isClosed) onRecord(attachRecord(redactor, event));
      },
    });
  }
}

/** The record of somebody who attaches to a session. It has nothing of what is shown or typed. */
function attachRecord(redactor: Redactor, { id, session, mode, what, durationMs }: AttachEvent): AuditRecord {
  const record: AuditRecord = {
    id: randomUUID(),
    tool: 'session_attach',
    startedAt: new Date(Date.now() - durationMs).toISOString(),
    durationMs,
    isError: what === 'refused',
    contentChars: 0,
    decision: what === 'refused' ? 'deny' : 'allow',
    rules: [],
    redactions: 0,
    detail: {
      kind: 'session',
      operation: 'attach',
      session: id,
      status: what === 'attached' ? mode : what,
      input: auditText(redactor, session.command),
    },
  };
  return Object.freeze(record);
}
