import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { countChars } from '../redaction/fit.js';
import type { Approval, ApprovalQuestion } from '../terminal/approval.js';
import { MAX_ANSWER_MS, MAX_QUESTION_CHARS, MAX_QUESTIONS } from './limits.js';
import { isObject } from './protocol.js';

/** What a person answered, in the words of the protocol. `none`: nobody answered in time, or the client failed. */
export type PersonsAnswer = 'accept' | 'decline' | 'cancel' | 'none';

/** Why a command did not run, for the model. */
const REFUSALS: Readonly<Record<Exclude<PersonsAnswer, 'accept'>, string>> = {
  decline: 'A person was asked, and declined this command',
  cancel: 'A person was asked, and closed the question without an answer',
  none: `A person was asked, and there was no answer within ${MAX_ANSWER_MS / 1_000} s`,
};

/** The name of the only question of a call. */
export const QUESTION_NAME = 'approval';

/** Nobody agrees to what is not shown whole. */
export const TOO_LONG: Approval = Object.freeze({
  approved: false,
  reason: `A person has to be asked, and a question has at most ${MAX_QUESTION_CHARS} characters: make the command shorter`,
});

/**
 * The parameters of a question to a person: what runs, where, and why it is asked. Secrets are masked. Undefined where that is
 * too long to be shown whole.
 */
export function questionParams(question: ApprovalQuestion, mask: (text: string) => string): object | undefined {
  const { rendering, host, cwd, reasons } = question;
  const lines = [
    host === undefined ? 'An agent wants to run:' : `A program of an agent wants to reach ${host}`,
    ...(host === undefined ? [rendering, `in ${cwd}`] : []),
    ...reasons.map(({ message, rule }) => `- ${message} (${rule})`),
  ];
  const message = mask(lines.join('\n'));
  if (countChars(message) > MAX_QUESTION_CHARS) return;
  return { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } };
}

/** Reads the result of a question. What is not clearly an acceptance is none. */
export function answerOf(result: unknown): PersonsAnswer {
  const action = isObject(result) ? result['action'] : undefined;
  return action === 'accept' || action === 'decline' || action === 'cancel' ? action : 'none';
}

/** The answer as an approver gives it. */
export function approvalOf(answer: PersonsAnswer): Approval {
  return answer === 'accept' ? { approved: true } : { approved: false, reason: REFUSALS[answer] };
}

/** A digest of what a person is asked. It differs where anything of the question does. */
export function digestOf({ command, host, cwd, fingerprint }: ApprovalQuestion): string {
  return createHash('sha256')
    .update(JSON.stringify([command, host ?? null, cwd, fingerprint]))
    .digest('base64url');
}

/** The call that a question belongs to. */
export interface AskedCall {
  readonly caller: string;
  readonly name: string;
  readonly args: unknown;
}

/**
 * Questions that a client takes to a person and brings back with the answer, in a call of its own. What the client holds
 * meanwhile is sealed: it is good for the same call of the same caller, until it is old, and once.
 */
export class SealedQuestions {
  readonly #key = randomBytes(32);
  /** The digest of each question that was not answered yet, and when it is too old, by its number. Oldest first. */
  readonly #open = new Map<string, { readonly digest: string; readonly until: number }>();

  /** Seals a question, for the client to bring back. */
  seal(call: AskedCall, digest: string): string {
    const number = randomBytes(16).toString('base64url');
    const until = Date.now() + MAX_ANSWER_MS;
    this.#open.set(number, { digest, until });
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= MAX_QUESTIONS) break;
      this.#open.delete(oldest);
    }
    return `${number}.${this.#sign(call, { number, digest, until })}`;
  }

  /** Opens what a client brought back. The digest of the question, once; undefined for anything else. */
  take(call: AskedCall, sealed: unknown): string | undefined {
    if (typeof sealed !== 'string') return;
    const [number = '', signature = ''] = sealed.split('.', 2);
    const open = this.#open.get(number);
    if (open === undefined) return;
    const expected = Buffer.from(this.#sign(call, { number, ...open }));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return;
    this.#open.delete(number);
    return Date.now() <= open.until ? open.digest : undefined;
  }

  #sign(
    { caller, name, args }: AskedCall,
    { number, digest, until }: { number: string; digest: string; until: number },
  ) {
    const text = JSON.stringify([number, digest, until, caller, name, args ?? null]);
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
