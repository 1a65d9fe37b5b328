/**
 * A document that was redacted is a document: parsers that others wrote read the same from it, but for what was masked, and
 * no secret is left. The documents are drawn with seeds, in every writing that both formats have.
 */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { Redactor } from '../../ts/index.js';
import { Random } from '../support/random.js';
import { soak } from '../support/soak.js';
import { plantedDocument, type Tree } from './documents/tree.js';
import { YamlWriter } from './documents/write-yaml.js';

const FULL_COUNT = 200_000;
const REDUCED_TIMEOUT_MS = 240_000;
const FULL_TIMEOUT_MS = 3_600_000;

const redactor = new Redactor();

/** What is in the place of a secret: text with a mask, or the list that YAML reads where a mask has no quotes. */
function isMasked(value: unknown): boolean {
  return JSON.stringify(value)?.includes('REDACTED') === true;
}

/** Where two documents differ and nothing was masked. */
function differences(before: Tree, after: unknown, place = ''): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (typeof before !== 'object' || before === null) return isMasked(after) && before !== null ? [] : [place];
  if (typeof after !== 'object' || after === null || Array.isArray(before) !== Array.isArray(after)) return [place];
  const keys = Object.keys(before);
  if (keys.join('\n') !== Object.keys(after).join('\n')) return [`${place} has other keys`];
  return keys.flatMap((key) => differences((before as never)[key], (after as never)[key], `${place}/${key}`));
}

function problemOf(tree: Tree, secrets: readonly string[], redacted: string, read: (text: string) => unknown): string {
  let after: unknown;
  try {
    after = read(redacted);
  } catch (error) {
    return `it does not parse: ${(error as Error).message}`;
  }
  const changed = differences(tree, after);
  if (changed.length > 0) return `it differs at ${changed.join()}`;
  const shown = JSON.stringify(after);
  return secrets.some((secret) => shown.includes(JSON.stringify(secret).slice(1, -1))) ? LEFT : '';
}

const LEFT = 'a secret is left';

/** A made-up value may look like a name by chance: so few may be left, of as many that are masked. */
const MASKED_FOR_EACH_LEFT = 2_000;

test.each<[string, (tree: Tree, random: Random) => string, (text: string) => unknown]>([
  ['JSON', (tree, random) => JSON.stringify(tree, null, random.pick([0, 2, '\t'])), (text) => JSON.parse(text)],
  ['YAML', (tree, random) => new YamlWriter(random).document(tree), (text) => parse(text)],
])(
  '%s stays what it is',
  async (_name, write, read) => {
    let masked = 0;
    const left: string[] = [];
    const check = (seed: number): void => {
      const random = new Random(seed);
      const { tree, secrets } = plantedDocument(random);
      const text = write(tree, random);
      // What is tested is the redactor, not the writer.
      if (JSON.stringify(read(text)) !== JSON.stringify(tree)) expect.unreachable(`the writer: ${seed}\n${text}`);
      const redacted = redactor.redact(text);
      const problem = problemOf(tree, secrets, redacted, read);
      if (problem === LEFT) left.push(`seed ${seed}\n${text}`);
      else if (problem !== '') expect.unreachable(`seed ${seed}: ${problem}\n${text}\n=>\n${redacted}`);
      masked += secrets.length;
    };
    await soak(FULL_COUNT, (seed) => Promise.resolve(check(seed)));
    expect(masked).toBeGreaterThan(1_000);
    if (left.length > 1 + masked / MASKED_FOR_EACH_LEFT)
      expect.unreachable(`${masked} masked, left: ${left.join('\n')}`);
  },
  process.env['HANDRAIL_SOAK'] === undefined ? REDUCED_TIMEOUT_MS : FULL_TIMEOUT_MS,
);

test('a value of several words without quotes is masked to its end', () => {
  const redacted = redactor.redact('password: p4ss w0rd\n');
  expect(redacted).toBe('password: [REDACTED]\n');
  expect(isMasked(parse(redacted).password)).toBe(true);
});
