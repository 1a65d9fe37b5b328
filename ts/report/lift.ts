import { type Advice, ASK_THE_USER, type HintFor, hintForModel, type OptionAdvice } from './advice.js';
import type { Reason } from './decision.js';

/** Rules of reasons that a decision gets because nobody could agree to it. The others say what it takes. */
const UNASKED: ReadonlySet<string> = new Set(['no_approver']);

/** Rules of reasons that no option lifts: somebody has refused this very call, or its files have changed. */
const REFUSED: ReadonlySet<string> = new Set(['not_approved', 'changed_on_disk']);

/** What the rules begin with that are about how a command is written: whoever wrote it can mend it. */
const WRITING: readonly string[] = ['syntax.', 'hygiene.', 'command.', 'session.', 'program.builtin'];

/**
 * What the host can change so that the call of this decision goes through: the options, all of them together, and with
 * an `approve` the consent that it takes besides. Undefined where no option is known that does.
 */
export function liftOf(reasons: readonly Reason[]): readonly Advice[] | undefined {
  const own = reasons.filter(({ rule }) => !UNASKED.has(rule));
  if (own.length === 0 || own.some(({ rule }) => REFUSED.has(rule))) return undefined;
  const options = own.map(({ advice = [] }) => advice.find((piece) => piece.kind === 'option'));
  const open = own.filter((_, index) => options[index] === undefined);
  const isOpen = open.some(({ advice = [] }) => !advice.some(({ kind }) => kind === 'approve'));
  if (isOpen) return undefined;
  const given = new Map(options.flatMap((option) => (option === undefined ? [] : [[keyOf(option), option]])));
  return [...given.values(), ...(open.length === 0 ? [] : [{ kind: 'approve' } as const])];
}

function keyOf({ name, value }: OptionAdvice): string {
  return JSON.stringify([name, value]);
}

/**
 * Who can let a refused call through, and by what. Undefined where whoever wrote it can, or nobody.
 *
 * @param held A sentence about what the kernel holds the call to all the same.
 */
export function liftHint(
  reasons: readonly Reason[],
  hintFor: HintFor = hintForModel,
  held?: string,
): string | undefined {
  const advice = liftOf(reasons);
  // That it takes an approver was said already, and a model can name none.
  const isOnlyAsked = hintFor === hintForModel && advice?.every(({ kind }) => kind === 'approve') === true;
  if (advice !== undefined && !isOnlyAsked) return hintFor({ advice, together: true, held });
  // Nobody else has to ask.
  if (hintFor !== hintForModel) return undefined;
  const isForHost = reasons.some(({ rule }) => !UNASKED.has(rule) && !WRITING.some((begin) => rule.startsWith(begin)));
  const hasOther = reasons.some(
    ({ rule, advice = [] }) => REFUSED.has(rule) || advice.some(({ kind }) => kind === 'replace'),
  );
  return isForHost && !hasOther ? `Only the host can change this. ${ASK_THE_USER}` : undefined;
}
