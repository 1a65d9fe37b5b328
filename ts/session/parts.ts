import { HandrailError } from '../errors.js';
import type { StagedProgram } from '../files/staging.js';
import { type Launch, type Launcher, LIVE_GRACE_MS } from '../live/launcher.js';
import { sessionPlan, type Warrant } from '../live/plan.js';
import type { NativeJudgedCommand } from '../native/binding.js';
import type { Decision } from '../report/decision.js';
import type { LiveEnd } from '../report/end.js';
import type { OfferAttachment } from './attachment.js';
import type { CheckedSessionOptions } from './options.js';
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
  /** The layer that it writes into. Default: none. */
  readonly layer?: StagedProgram | undefined;
}

/** Variables that every session has, unless its options set them. */
const FIXED_VARIABLES = { TERM: 'xterm-256color' } as const;

/** How the program of a session is started. */
export function launchOf(options: CheckedSessionOptions, parts: SessionParts): Launch {
  const { launcher, warrant, isJudgedShell, owner, layer } = parts;
  const plan = sessionPlan(options.confine, launcher.confine);
  if (layer !== undefined && plan.writes === 'any') {
    throw new HandrailError(
      'ERR_NOT_SUPPORTED',
      "`confine.writes: 'any'` does not go with `changes: 'staged'` of the toolkit: the session could write beside its layer",
      { data: { name: 'confine.writes' } },
    );
  }
  return {
    cwd: options.cwd,
    env: options.env,
    isServer: false,
    fixed: FIXED_VARIABLES,
    graceMs: LIVE_GRACE_MS,
    warrant,
    plan,
    typed: isJudgedShell,
    caller: owner?.caller,
    layer,
  };
}

/** Brings over what a session wrote, and then has it end. One that was closed has ended as its owner wanted. */
export async function bringOver(
  layer: StagedProgram | undefined,
  ended: LiveEnd,
  end: (ended: LiveEnd) => void,
): Promise<void> {
  if (layer === undefined) return end(ended);
  const staged = await layer.ended(ended, true);
  end(staged === undefined ? ended : Object.freeze({ ...ended, staged }));
}
