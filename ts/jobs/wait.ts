import { compiledPattern, type SessionAwaited } from '../session/options.js';
import { MAX_SEARCHED_LINE_CHARS, PORT_CHECK_MS } from './limits.js';
import type { JobReason } from './output.js';

/** What a wait watches of a job. */
export interface Watched {
  /** Whether the job has ended. */
  readonly isOver: boolean;
  /** Calls back with each piece of output until the returned function is called. */
  onText(callback: (text: string) => void): () => void;
  /** Calls back at the end of the job until the returned function is called. */
  onEnd(callback: () => void): () => void;
  /** The text without the secrets that were added since the job began. */
  mask(text: string): string;
  /** Whether a process of the job listens on a TCP port. */
  listens(port: number): Promise<boolean>;
}

/** What comes before the end of the job. Empty where the end is waited for. */
type Goal = SessionAwaited | Record<string, never>;

/** How a wait ends. */
export interface WaitEnd {
  readonly until: 'exit' | SessionAwaited;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Waits until the job has ended, until what is waited for comes, or until the time is over or the signal fires.
 *
 * @param text The output that counts and has come already.
 */
export function waitFor(job: Watched, text: string, { until, timeoutMs, signal }: WaitEnd): Promise<JobReason> {
  return new Promise((resolve) => {
    const stops: (() => void)[] = [];
    const over = (reason: JobReason): void => {
      for (const stop of stops.splice(0)) stop();
      resolve(reason);
    };
    const matched = (): void => over('matched');
    const goal: Goal = until === 'exit' ? {} : until;
    const search = searchFor(goal, (piece) => job.mask(piece));
    if (search?.(text) === true) return matched();
    if (job.isOver) return over('exited');
    if (signal?.aborted === true) return over('cancelled');
    stops.push(job.onEnd(() => over('exited')));
    const cancelled = (): void => over('cancelled');
    signal?.addEventListener('abort', cancelled, { once: true });
    stops.push(() => signal?.removeEventListener('abort', cancelled));
    const timer = setTimeout(() => over('timeout'), timeoutMs);
    stops.push(() => clearTimeout(timer));
    if (search !== undefined) stops.push(job.onText((piece) => search(piece) && matched()));
    if ('port' in goal) stops.push(whenListening(job, goal.port, matched));
    if ('quietMs' in goal) stops.push(...whenSilent(job, goal.quietMs, matched));
  });
}

/** Calls back after so much time without output, until the returned functions are called. */
function whenSilent(job: Watched, quietMs: number, callback: () => void): (() => void)[] {
  const silence = setTimeout(callback, quietMs);
  return [() => clearTimeout(silence), job.onText(() => silence.refresh())];
}

/**
 * A search in output that comes in pieces; undefined where nothing is searched for. What `mask` hides is not found, also
 * where its two halves came in two pieces.
 */
function searchFor(until: Goal, mask: (text: string) => string): ((piece: string) => boolean) | undefined {
  if ('text' in until) {
    const overlap = until.text.length - 1;
    let tail = '';
    return (piece) => {
      const text = mask(tail + piece);
      tail = overlap === 0 ? '' : text.slice(-overlap);
      return text.includes(until.text);
    };
  }
  if (!('pattern' in until)) return undefined;
  const pattern = compiledPattern(until.pattern);
  let line = '';
  return (piece) => {
    const text = mask(line + piece);
    line = text.slice(text.lastIndexOf('\n') + 1).slice(-MAX_SEARCHED_LINE_CHARS);
    return pattern.isIn(text);
  };
}

/** Calls back once the job listens on the port, unless the returned function is called before. */
function whenListening(job: Watched, port: number, callback: () => void): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const check = async (): Promise<void> => {
    const listens = await job.listens(port);
    // The worker of a job that has ended may serve another program by now.
    if (isOver) return;
    if (listens) callback();
    else timer = setTimeout(() => void check(), PORT_CHECK_MS);
  };
  void check();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
