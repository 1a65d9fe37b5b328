import { invalidArgument } from '../config/validate.js';
import { HandrailError, isHandrailError } from '../errors.js';
import type { NativeAnswer } from '../native/binding.js';
import type { Redactor } from '../redaction/redactor.js';
import { renderForApproval } from '../terminal/approval.js';
import { MAX_PROMPT_BYTES, MAX_SECRET_BYTES } from './limits.js';
import { checkRead, type SessionReadOptions } from './options.js';
import type { SessionHistory } from './output.js';
import { isOverInTime } from './turn.js';

/** The `Session` of a question. */
export interface QuestionedSession {
  /** The command that was started. */
  readonly command: string;
  /** Answers the question of this id; see `Session.sendSecret()`. */
  sendSecret(id: string, value: SecretValue): Promise<SentSecret>;
}

/** A line, such as a password, that a program in a session reads with the echo of its terminal turned off. */
export interface SessionQuestion {
  /** Names it for `Session.sendSecret()`. It is spent with the first answer, and when the program asks something else. */
  readonly id: string;
  /** The session in which the program runs. */
  readonly session: QuestionedSession;
  /** The name by which a model calls the session, such as `s1`. Undefined for a session of the host. */
  readonly name: string | undefined;
  /** `caller` of the call that started the session. Undefined where the call had none. */
  readonly caller: string | undefined;
  /** The line before the cursor; secrets masked. The program wrote it, and may have written anything. */
  readonly prompt: string;
  /**
   * The executable file of the process that waits, as the kernel names it. Undefined where the kernel does not, as for a
   * program of another user.
   */
  readonly program: string | undefined;
  /**
   * The arguments of this process, joined with blanks; secrets masked, controls escaped. At most 256
   * bytes. The process can change them.
   */
  readonly command: string;
}

/** What became of a secret that was sent. */
export interface SentSecret {
  /**
   * Whether the redactor masks the value from now on. False for a value that `Redactor.addSecret()` refuses: one of fewer
   * than `minSecretLength` characters, a number of fewer than 10 digits, a path, a common word. A program that prints such
   * a value shows it.
   */
  readonly masked: boolean;
}

/** A secret, or a function that gives it once somebody has typed it. */
export type SecretValue = string | (() => string | Promise<string>);

/** Those who answer questions. */
export interface QuestionListeners {
  /** Whether there is anybody. */
  isAnybody(): boolean;
  notify(question: SessionQuestion): void;
}

/** Whose session it is. */
export interface SessionOwner {
  /** The name by which a model calls it. */
  readonly name: string;
  readonly caller: string | undefined;
}

interface StandingQuestion {
  /** The number that the engine knows it by. */
  readonly number: number;
  readonly shown: SessionQuestion;
  isBeingAnswered: boolean;
  /** Settles when the question does not stand any more. */
  readonly over: Promise<void>;
  readonly end: () => void;
}

type HistoryOf = (since: number) => Pick<SessionHistory, 'text' | 'end'>;

/** Numbers the questions of this process. */
let lastId = 0;

/** The questions of one session, of which one stands at a time. */
export class Questions {
  /** Whether the terminal is made so that questions can be told from other waits. */
  readonly isWatching: boolean;
  readonly #owner: SessionOwner | undefined;
  readonly #listeners: QuestionListeners | undefined;
  readonly #redactor: Redactor;
  #standing: StandingQuestion | undefined;

  constructor(redactor: Redactor, listeners: QuestionListeners | undefined, owner: SessionOwner | undefined) {
    this.#redactor = redactor;
    this.#listeners = listeners;
    this.#owner = owner;
    this.isWatching = listeners?.isAnybody() ?? false;
  }

  get current(): SessionQuestion | undefined {
    return this.#standing?.shown;
  }

  /** Whether a question would be for a person: somebody listens, and a model has the session. */
  get mayBeForPeople(): boolean {
    return this.#owner !== undefined && this.isWatching && (this.#listeners?.isAnybody() ?? false);
  }

  /** Whether a question stands for which a person was asked. */
  get areForPeople(): boolean {
    return this.#standing !== undefined && this.mayBeForPeople;
  }

  /** Waits while a question for a person stands. Gives the options of a read in the time that is left. */
  async whileStanding(options: SessionReadOptions): Promise<SessionReadOptions> {
    if (this.#standing === undefined || !this.mayBeForPeople) return options;
    const { read, signal } = checkRead(options);
    const began = performance.now();
    await isOverInTime(this.#standing.over, read.timeoutMs, signal);
    return { ...options, timeoutMs: Math.max(0, Math.ceil(read.timeoutMs - (performance.now() - began))) };
  }

  /** Takes what an answer says. `historyOf` gives the masked text from a position on. */
  update(session: QuestionedSession, asked: NativeAnswer['question'], historyOf: HistoryOf): void {
    if (asked !== undefined && asked.number === this.#standing?.number) return;
    this.end();
    if (asked === undefined) return;
    lastId += 1;
    const shown = Object.freeze({
      id: `q${lastId}`,
      session,
      name: this.#owner?.name,
      caller: this.#owner?.caller,
      prompt: lastLine(historyOf),
      program: asked.program === undefined ? undefined : this.#rendered(asked.program),
      command: this.#rendered(asked.command),
    });
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#standing = { number: asked.number, shown, isBeingAnswered: false, over, end };
    this.#listeners?.notify(shown);
  }

  /** Masked, as one line in which no character hides or imitates another. */
  #rendered(text: string): string {
    return renderForApproval(this.#redactor.redact(text));
  }

  /** No question stands any more. */
  end(): void {
    this.#standing?.end();
    this.#standing = undefined;
  }

  /**
   * Answers a question with the line that `write` types.
   *
   * @throws HandrailError As `Session.sendSecret()`.
   */
  async answer(
    id: string,
    value: SecretValue,
    write: (question: number, line: Buffer) => Promise<unknown>,
  ): Promise<SentSecret> {
    const standing = this.#standing;
    if (typeof id !== 'string') throw invalidArgument('id', 'the id of a question', id);
    if (standing?.shown.id !== id) throw overError();
    if (standing.isBeingAnswered) {
      throw new HandrailError('ERR_BUSY', 'This question is being answered already', { data: { limit: 1 } });
    }
    standing.isBeingAnswered = true;
    try {
      const line = checkSecret(typeof value === 'function' ? await value() : value);
      if (this.#standing !== standing) throw overError();
      const masked = this.#know(line);
      // Whatever becomes of it, the value has left: nobody else may answer.
      this.end();
      await write(standing.number, Buffer.from(`${line}\n`));
      return Object.freeze({ masked });
    } finally {
      standing.isBeingAnswered = false;
    }
  }

  #know(value: string): boolean {
    try {
      this.#redactor.addSecret('the value of sendSecret', value);
      return true;
    } catch (error) {
      // The value says too little to be searched for.
      if (isHandrailError(error) && error.code === 'ERR_INVALID_ARGUMENT') return false;
      throw error;
    }
  }
}

function lastLine(historyOf: HistoryOf): string {
  const { end } = historyOf(Number.MAX_SAFE_INTEGER);
  const { text } = historyOf(Math.max(0, end - MAX_PROMPT_BYTES));
  return text.slice(text.lastIndexOf('\n') + 1);
}

function overError(): HandrailError {
  return new HandrailError(
    'ERR_CLOSED',
    'No such question stands: it was answered, or the program asks something else now. Nothing was typed',
  );
}

function checkSecret(value: unknown): string {
  if (typeof value !== 'string') throw invalidArgument('value', 'a string', value);
  const bytes = Buffer.byteLength(value);
  // A control character would be a key: it could end the line, or interrupt the program.
  if (bytes > 0 && bytes <= MAX_SECRET_BYTES && !hasControl(value)) return value;
  throw new HandrailError(
    'ERR_INVALID_ARGUMENT',
    `Expected \`value\` to be one line of 1 to ${MAX_SECRET_BYTES} bytes without control characters; nothing was typed`,
    { data: { name: 'value' } },
  );
}

function hasControl(text: string): boolean {
  return [...text].some((character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
  });
}
