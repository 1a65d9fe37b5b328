import type { Launcher } from '../live/launcher.js';
import type { Warrant } from '../live/plan.js';
import type { NativeJudgedCommand } from '../native/binding.js';
import type { Decision } from '../report/decision.js';
import type { OfferAttachment } from './attachment.js';
import type { QuestionListeners, SessionOwner } from './questions.js';
import type { Recording } from './recording.js';

/** Judges a line of input in the working directory of the program. */
export type LineJudge = (line: string, cwd: string) => Decision;

/** What people may do with sessions. */
export interface PeopleParts {
  /** Those who answer questions of programs; undefined: nobody. */
  readonly questions?: QuestionListeners | undefined;
  /** Offers a session to a person; undefined: nobody may attach. */
  readonly offer?: OfferAttachment | undefined;
  /** Whether terminals echo in any case, as for a person who types. */
  readonly echoes?: boolean | undefined;
}

/** What a session needs in addition to its options. */
export interface SessionParts extends PeopleParts {
  readonly launcher: Launcher;
  /** Judges input; undefined: input is not judged. */
  readonly judge: LineJudge | undefined;
  /** Who allowed the start. A host may start any program in any directory. */
  readonly warrant: Warrant;
  /** Whether the program is a shell whose input is judged line by line. */
  readonly isJudgedShell: boolean;
  /** The judged command, where it was judged. */
  readonly judged?: NativeJudgedCommand | undefined;
  /** What records it; it is not closed with the session. */
  readonly recording?: Recording | undefined;
  /** Whose it is, where a model asked for it. */
  readonly owner?: SessionOwner | undefined;
}
