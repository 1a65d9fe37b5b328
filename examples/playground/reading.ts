/** Turns the output of a program into the text that a model reads: cleaned, masked and shortened, as `Terminal` does. */
import { excerptOutput, Redactor, sanitize } from 'handrail/wasm';

export interface Reading {
  /** What the model reads, with `[REDACTED:rule]` for what was masked. */
  readonly text: string;
  /** Masked places of the whole output, by rule, most of them first. */
  readonly rules: readonly (readonly [rule: string, places: number])[];
  /** Lines and characters of the output and of the text. */
  readonly lines: readonly [before: number, after: number];
  readonly characters: readonly [before: number, after: number];
}

let redactor: Redactor | undefined;

/** Lets the page paint and handle input between two steps, each of which takes up to 200 ms for 5 MB. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

/** @returns Undefined when `isStale` says between two steps that the input has changed. */
export async function read(bytes: Uint8Array, tokens: number, isStale: () => boolean): Promise<Reading | undefined> {
  redactor ??= new Redactor({ label: true });
  const output = sanitize(bytes);
  await pause();
  if (isStale()) return undefined;
  const masked = redactor.redact(output);
  await pause();
  if (isStale()) return undefined;
  const places = new Map<string, number>();
  for (const { rule } of redactor.scan(output)) places.set(rule, (places.get(rule) ?? 0) + 1);
  await pause();
  if (isStale()) return undefined;
  const { text, totalLines, shownLines } = excerptOutput(masked, { tokens });
  return {
    text,
    rules: [...places].sort(([, a], [, b]) => b - a),
    lines: [totalLines, shownLines],
    characters: [characters(output), characters(text)],
  };
}

/** The number of characters; a surrogate pair counts as one. */
function characters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
