/** Secrets that are planted, and how one is looked for in everything that a host could print. */
import { inspect } from 'node:util';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

const SECRET_CHARS = 36;

/** So many characters of a secret in a row are no chance. */
const TELLING_CHARS = 5;

/** Letters and digits that `seed` decides. */
function random(seed: number): string {
  let state = seed;
  return Array.from({ length: SECRET_CHARS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return LETTERS[(state >>> 16) % LETTERS.length];
  }).join('');
}

/** A value that no rule knows: where it stands in a message, something was repeated that nobody looked at. */
export const UNKNOWN = `Zq7_${random(4)}`;

/** A value that a rule knows by its beginning: it may be in a message if it is masked there. */
export const TOKEN = ['gh', 'p_', random(17)].join('');

/** The parts of `secret` that stand in `text`. */
export function partsOf(secret: string, text: string): string[] {
  const starts = Array.from({ length: secret.length - TELLING_CHARS + 1 }, (_, start) => start);
  return starts.map((start) => secret.slice(start, start + TELLING_CHARS)).filter((part) => text.includes(part));
}

/** All that a host could print of a value: an error with its causes and stack, an object with all it has. */
export function everythingOf(value: unknown): string {
  const shown = [inspect(value, { depth: 12, showHidden: true, maxArrayLength: null, maxStringLength: null })];
  shown.push(
    inspect(value),
    asText(() => `${value}`),
    asText(() => JSON.stringify(value)),
  );
  if (value instanceof Error) {
    shown.push(value.message, value.stack ?? '', JSON.stringify(value, Object.getOwnPropertyNames(value)));
    if (value.cause !== undefined) shown.push(everythingOf(value.cause));
  }
  return shown.join('\n');
}

/** Not everything can be made a text; then nothing of it can be printed so. */
function asText(make: () => string | undefined): string {
  try {
    return make() ?? '';
  } catch (error) {
    return inspect(error);
  }
}
