import { HandrailError } from '../errors.js';
import type { Decision } from '../report/decision.js';
import type { LineJudge } from '../session/parts.js';
import type { Session } from '../session/session.js';
import type { Sessions } from '../session/sessions.js';
import type { RunOptions } from '../terminal/call.js';
import type { Runner } from '../terminal/runner.js';
import type { Terminal } from '../terminal/terminal.js';
import { callerOf } from './call-context.js';
import type { CallContext, CallDecision } from './definition.js';

/** Prompts of shells, debuggers and other programs that read line by line. */
const USUAL_PROMPTS: readonly string[] = ['$ ', '# ', '> ', '>>> ', '(gdb) ', 'pwndbg> ', '(Pdb) ', '(lldb) '];

/** Ended sessions whose last words can still be read. */
const MAX_ENDED = 16;

/** What came of a start that a model asked for. */
export type Started =
  | { readonly name: string; readonly session: Session; readonly decision: Decision }
  | { readonly session?: never; readonly decision: Decision };

/** What a start can be told beside the command. */
type StartOptions = Pick<RunOptions, 'cwd' | 'signal' | 'approve'> & Pick<CallContext, 'caller'>;

/** A session, and whose it is. */
interface Owned {
  readonly session: Session;
  readonly owner: string;
}

/** The sessions that models have started, by the names they call them. */
export class SessionBook {
  readonly #terminal: Terminal;
  /** The same lists, for what is typed into a shell. */
  readonly #runner: Runner;
  readonly #sessions: Sessions;
  readonly #lineJudge: LineJudge = (line, cwd) => this.#runner.explainTyped(line, false, cwd);
  readonly #named = new Map<string, Owned>();
  #next = 1;

  constructor(terminal: Terminal, runner: Runner, sessions: Sessions) {
    this.#terminal = terminal;
    this.#runner = runner;
    this.#sessions = sessions;
  }

  /** What the policy says of a start, without starting anything. */
  explain(command: string, options: Pick<RunOptions, 'cwd'>): CallDecision {
    return this.#terminal.explainCall(command, options, 'session');
  }

  /** Starts a program when the policy lets it; gives the decision when not. */
  async start(command: string, { caller, ...options }: StartOptions): Promise<Started> {
    const { native: judged, approved, decision, isJudgedShell: typed } = await this.#terminal.judge(command, options);
    if (decision.decision !== 'allow') return { decision };
    const name = `s${this.#next}`;
    this.#next += 1;
    const session = await this.#sessions.start(
      command,
      { ...(options.cwd === undefined ? {} : { cwd: options.cwd }), readyMarkers: USUAL_PROMPTS },
      {
        judge: typed ? this.#lineJudge : undefined,
        warrant: approved ? 'approval' : 'policy',
        isJudgedShell: typed,
        judged,
        owner: { name, caller },
      },
    );
    this.#named.set(name, { session, owner: callerOf({ caller }) });
    this.#forgetEnded();
    return { name, session, decision };
  }

  /**
   * The session of this name.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when the caller has none of this name; it names those that it has.
   */
  get(name: string, call: CallContext): Session {
    const caller = callerOf(call);
    const named = this.#named.get(name);
    if (named?.owner === caller) return named.session;
    const known = [...this.#named].filter(([, { owner }]) => owner === caller).map(([name]) => name);
    const advice = known.length === 0 ? 'none is open: start one with session_start' : `open are ${known.join(', ')}`;
    throw new HandrailError('ERR_INVALID_ARGUMENT', `There is no session of this name; ${advice}`, {
      data: { name: 'session' },
    });
  }

  /** Ends a session and forgets its name. */
  async close(name: string, call: CallContext): Promise<Session> {
    const session = this.get(name, call);
    await session.close();
    this.#named.delete(name);
    return session;
  }

  #forgetEnded(): void {
    const ended = [...this.#named].filter(([, { session }]) => session.end !== undefined);
    for (const [name] of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.#named.delete(name);
  }
}
