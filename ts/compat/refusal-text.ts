import type { FileRefusal } from '../files/answers.js';

/** Why a file was refused, to stand after a beginning of the view's own. */
export function refusalText({ reason, hint }: FileRefusal): string {
  return hint === undefined ? reason : `${reason}\n${hint}`;
}
