import { createHash } from 'node:crypto';

import type { NativeHostQuestion } from '../native/binding.js';
import type { Redactor } from '../redaction/redactor.js';
import { ABORTED, AbortWatch, untilAborted } from './abort.js';
import { type ApprovalQuestion, type Approve, checkApproval, renderForApproval } from './approval.js';
import { HOST_ANSWER_MS } from './limits.js';

/** Where questions about hosts come from, and where their answers go. */
export interface HostQuestionSource {
  /** Calls `ask` with each question. */
  onQuestion(ask: (question: NativeHostQuestion) => void): void;
  /** Without an answer nobody could be asked. */
  answer(number: number, allowed: boolean | undefined): void;
}

/** What decides who is asked, and what a question says. */
export interface HostQuestionOptions {
  /** The approver of the terminal or toolkit. */
  readonly approve: Approve | undefined;
  readonly cwd: string;
  readonly redactor: Redactor;
}

/** A run that has an approver of its own. */
interface AskingRun {
  readonly approve: Approve;
  /** Fires when the run is over. */
  readonly over: AbortController;
}

/**
 * Asks about hosts that the programs of one owner want to reach, with `network: 'ask'`. Which program wants to reach a
 * host is not known: the approver of the owner is asked, and where there is none, that of the run that was started last.
 */
export class HostQuestions {
  readonly #source: HostQuestionSource;
  readonly #options: HostQuestionOptions;
  readonly #runs = new Set<AskingRun>();
  readonly #aborts = new AbortWatch();
  readonly #closing = new AbortController();

  constructor(source: HostQuestionSource, options: HostQuestionOptions) {
    this.#source = source;
    this.#options = options;
    // The binding keeps the callback for as long as it lives, which must not keep this.
    const self = new WeakRef(this);
    source.onQuestion((question) => {
      const questions = self.deref();
      if (questions !== undefined) void questions.#settle(question);
    });
  }

  /** Lets the approver of a run answer until the returned function is called. */
  during(approve: Approve | undefined): () => void {
    if (approve === undefined) return () => undefined;
    const run: AskingRun = { approve, over: new AbortController() };
    this.#runs.add(run);
    return () => {
      this.#runs.delete(run);
      run.over.abort();
    };
  }

  /** Nobody is asked any more, and who is asked now need not answer. */
  close(): void {
    this.#closing.abort();
  }

  async #settle(question: NativeHostQuestion): Promise<void> {
    let allowed: boolean | undefined;
    try {
      allowed = await this.#ask(question);
    } catch (error) {
      const message = this.#options.redactor.redact(error instanceof Error ? error.message : typeof error);
      process.emitWarning(`An approver failed: ${message}`, { type: 'HandrailWarning', code: 'HANDRAIL_APPROVE' });
    }
    this.#source.answer(question.number, allowed);
  }

  async #ask(question: NativeHostQuestion): Promise<boolean | undefined> {
    const run = [...this.#runs].at(-1);
    const approve = this.#options.approve ?? run?.approve;
    if (approve === undefined) return undefined;
    const over = this.#options.approve === undefined ? run?.over.signal : undefined;
    const signals = [this.#closing.signal, over, AbortSignal.timeout(HOST_ANSWER_MS)];
    const shown = this.#shown(question);
    const answer = await untilAborted(this.#aborts, signals, (signal) => approve({ ...shown, signal }));
    return answer === ABORTED ? undefined : checkApproval(answer).approved;
  }

  /** The question for an approver. A program may write a secret into the name of a host. */
  #shown({ host, port, kind }: NativeHostQuestion): ApprovalQuestion {
    const { redactor, cwd } = this.#options;
    const entry = redactor.redact(`${host}:${port}`);
    const what = kind === undefined ? entry : `${entry}, ${kind}`;
    return {
      host: entry,
      command: [],
      cwd,
      reasons: [
        { rule: 'network.ask', span: [0, 0], message: `A program wants to reach ${what}, which no entry names` },
      ],
      rendering: renderForApproval(`connect to ${entry}`),
      fingerprint: createHash('sha256').update(`${host}:${port}`).digest('hex'),
    };
  }
}
