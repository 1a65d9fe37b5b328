import { type HintFor, hintForHost, type OptionAdvice } from './advice.js';

/**
 * Something the kernel refused a command, as far as what the program wrote about it can be understood. The guarantee
 * holds whether or not it is named here.
 */
export interface Blocked {
  /** What refused it. */
  readonly guarantee: 'exec' | 'writes' | 'remove' | 'network';
  /** The program, the path or the address, as the command wrote it. Secrets masked. */
  readonly subject: string;
  /** What happened, and why. */
  readonly message: string;
  /** What to do instead. */
  readonly hint: string;
  /** The options of the host that lift it, each by itself. */
  readonly advice: readonly OptionAdvice[];
}

/** Notes for a model about what was refused, in brackets. */
export function blockedNotes(blocked: readonly Blocked[] = [], hintFor: HintFor = hintForHost): string[] {
  return blocked.map((one) => `[blocked: ${one.message}. ${hintFor(one) ?? ''}]`);
}
