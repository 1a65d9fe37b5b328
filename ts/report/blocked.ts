import { type HintFor, hintForHost, type OptionAdvice } from './advice.js';

/**
 * Something that the kernel refused a command, as read from the command's output, or a hook of git that did not run.
 * The guarantee holds whether or not a refusal is recognised.
 */
export interface Blocked {
  /** The guarantee that refused it; `hooks` for a hook of git that did not run, see `GitOptions`. */
  readonly guarantee: 'exec' | 'writes' | 'remove' | 'network' | 'reads' | 'sockets' | 'hooks';
  /** The program, the path or the address, as the command wrote it. Secrets masked. */
  readonly subject: string;
  /** What happened, and why. */
  readonly message: string;
  /** What to do instead. */
  readonly hint: string;
  /** The options of the host that lift it, each by itself. */
  readonly advice: readonly OptionAdvice[];
}

/** Notes in brackets about what the kernel refused. */
export function blockedNotes(blocked: readonly Blocked[] = [], hintFor: HintFor = hintForHost): string[] {
  return blocked.map((refusal) => `[blocked: ${refusal.message}. ${hintFor(refusal) ?? ''}]`);
}
