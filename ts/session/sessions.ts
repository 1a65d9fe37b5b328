import { textValue } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { ProgramStaging } from '../files/staging.js';
import type { Launcher } from '../live/launcher.js';
import type { Warrant } from '../live/plan.js';
import type { NativeJudgedCommand } from '../native/binding.js';
import { checkSessionOptions, type SessionOptions } from './options.js';
import type { LineJudge, PeopleParts } from './parts.js';
import type { SessionOwner } from './questions.js';
import { Recording } from './recording.js';
import { Session } from './session.js';

/** How a session that a model asked for is guarded. */
export interface GuardedStart {
  /** Judges input; undefined: input is not judged. */
  readonly judge: LineJudge | undefined;
  /** Who allowed the start. */
  readonly warrant: Warrant;
  /** Whether the program is a shell whose input is judged line by line. */
  readonly isJudgedShell: boolean;
  /** The judged command, where it was judged. */
  readonly judged?: NativeJudgedCommand | undefined;
  /** Whose it is, where a model asked for it. */
  readonly owner?: SessionOwner | undefined;
}

/** The sessions of one toolkit. */
export class Sessions {
  readonly #launcher: Launcher;
  readonly #people: PeopleParts;
  /** Folders that commands can write to. */
  readonly #roots: readonly string[];
  /** Makes a layer for each. Undefined: they write into the roots. */
  readonly #staging: ProgramStaging | undefined;
  readonly #open = new Set<Session>();
  #closed = false;

  /** @internal */
  constructor(launcher: Launcher, people: PeopleParts = {}, roots: readonly string[] = [], staging?: ProgramStaging) {
    this.#staging = staging;
    this.#launcher = launcher;
    this.#people = people;
    this.#roots = roots;
  }

  /**
   * Starts a program on a terminal of its own. The host decides here: neither the command nor the input is judged. The
   * kernel enforces `confine` of the options.
   *
   * @param command A program, or a plain command with its arguments, quoted as in bash.
   * @param options See `SessionOptions`.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong option or a program that cannot be started, `ERR_BUSY`
   * when `limits.sessions` are open, `ERR_CLOSED` after the toolkit was closed.
   */
  async open(command: string, options: SessionOptions = {}): Promise<Session> {
    return await this.start(command, options, { judge: undefined, warrant: 'host', isJudgedShell: false });
  }

  /**
   * Starts a program that a model asked for and the policy has allowed.
   *
   * @internal
   */
  async start(command: string, options: SessionOptions, guard: GuardedStart): Promise<Session> {
    this.#assertOpen();
    const checked = checkSessionOptions(options);
    const { caller } = guard.owner ?? {};
    const layer = await this.#staging?.begin({ kind: 'session', command: textValue(command, 'command'), caller });
    const { record } = checked;
    const { redactor } = this.#launcher;
    let recording: Recording | undefined;
    try {
      this.#assertOpen();
      recording = record && new Recording(record, checked, redactor, this.#roots);
      const parts = { launcher: this.#launcher, ...this.#people, recording, layer, ...guard };
      const session = new Session(textValue(command, 'command'), checked, parts);
      this.#open.add(session);
      void session.ended.then(() => {
        this.#open.delete(session);
        void recording?.close();
      });
      return session;
    } catch (error) {
      recording?.discard();
      layer?.unused();
      throw error;
    }
  }

  /** The open sessions, oldest first. */
  list(): readonly Session[] {
    return [...this.#open];
  }

  #assertOpen(): void {
    if (this.#closed) throw new HandrailError('ERR_CLOSED', 'This toolkit was closed');
  }

  /** Ends all sessions. @internal */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.list().map((session) => session.close()));
  }
}
