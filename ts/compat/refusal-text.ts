import type { FileRefusal } from '../files/answers.js';

/** The reason and the hint of a refusal, to follow the beginning of a message. */
export function refusalText({ reason, hint }: FileRefusal): string {
  return hint === undefined ? reason : `${reason}\n${hint}`;
}
