import type { Rendering } from '../report/render.js';
import { heldText } from '../terminal/held.js';
import type { TerminalOptions } from '../terminal/options.js';
import type { Rule } from '../terminal/rule.js';
import type { Terminal } from '../terminal/terminal.js';
import { MAX_DENIAL_PROGRAMS, MAX_NAMED_PROGRAMS } from './limits.js';

/** The sentences of the denials of a terminal. Its plan is asked for by the first one. */
export function denialOf(
  options: Pick<TerminalOptions, 'allow' | 'deny'>,
  terminal: Pick<Terminal, 'approvedPlan'>,
): Pick<Rendering, 'lists' | 'held'> {
  return {
    lists: describeLists(options, MAX_DENIAL_PROGRAMS),
    held: (programs) => heldText(terminal.approvedPlan, programs),
  };
}

/**
 * A sentence for a model that says which programs the lists of a terminal let run.
 *
 * @param maxNames Most names; further ones are counted.
 */
export function describeLists(
  { allow, deny }: Pick<TerminalOptions, 'allow' | 'deny'>,
  maxNames = MAX_NAMED_PROGRAMS,
): string {
  if (allow !== undefined) {
    return allow.length === 0 ? 'No program is allowed.' : `Allowed programs: ${nameList(allow, maxNames)}.`;
  }
  if (deny !== undefined) return `Every program is allowed but: ${nameList(deny, maxNames)}.`;
  return 'No program is allowed.';
}

/** Names of programs. A use of a program that is listed with any arguments is not named. */
function nameList(rules: readonly Rule[], maxNames: number): string {
  const whole = new Set(rules.filter((rule) => typeof rule === 'string'));
  const told = rules.filter((rule) => typeof rule === 'string' || !whole.has(rule.program));
  const names = [...new Set(told.map(nameOf))];
  const hiddenCount = names.length - maxNames;
  const shownNames = names.slice(0, maxNames).join(', ');
  return hiddenCount > 0 ? `${shownNames} and ${hiddenCount} more` : shownNames;
}

function nameOf(rule: Rule): string {
  return typeof rule === 'string' ? rule : [rule.program, ...(rule.args ?? [])].join(' ');
}
