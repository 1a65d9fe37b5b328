import type { FileRefusal } from '../files/results.js';

/** What the file engine begins its messages with; the views have beginnings of their own. */
const BEGINNING = /^(?:Access denied|(?:Read|Write|List) (?:denied|failed)|Not (?:read|written)|No edit): /;

/** Why a file was refused, to stand behind a beginning of the view's own. */
export function refusalText({ message, hint }: FileRefusal): string {
  const reason = message.replace(BEGINNING, '');
  return hint === undefined ? reason : `${reason}\n${hint}`;
}
