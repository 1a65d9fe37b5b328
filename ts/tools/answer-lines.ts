import { digestLines, withoutLastLineEnd } from '../report/render.js';
import type { Spill } from '../report/result.js';
import type { ToolHost } from './host.js';

/** Longest arguments that a call to go on with repeats, in UTF-16 units of JSON. */
const MAX_CALL_CHARS = 300;

/**
 * A masked text for a model: as it is where it fits `limits.resultTokens`, else the most telling lines, how many these are, and where
 * the others are. Every result whose output is not that of a run takes this way.
 *
 * @param kept A file that holds the text already. Default: one is written.
 */
export async function answerLines(text: string, { digest }: Pick<ToolHost, 'digest'>, kept?: Spill): Promise<string[]> {
  const digested = await digest(text, kept === undefined);
  if (digested === undefined) return [withoutLastLineEnd(text)];
  return digestLines(kept === undefined ? digested : { ...digested, spill: kept });
}

/**
 * The note with the call that gives what follows.
 *
 * @param next The arguments that differ from those of this call.
 * @param rest What is left, such as `30 lines left`.
 */
export function moreNote(
  tool: string,
  args: object,
  next: object,
  rest: string,
  { redactor }: Pick<ToolHost, 'redactor'>,
): string {
  const call = `${tool} ${JSON.stringify({ ...args, ...next })}`;
  // A mask would search for something else, and long arguments would cost as much as what they give.
  const isShort = call.length <= MAX_CALL_CHARS && redactor.redact(call) === call;
  return `[More: ${isShort ? call : `the same call of ${tool} with ${JSON.stringify(next)}`} (${rest}).]`;
}
