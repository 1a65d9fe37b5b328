import { countChars, firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { renderForApproval } from '../terminal/approval.js';
import { hiddenCharacters, visibleText } from './clean.js';
import { MAX_DESCRIPTION_CHARS, MAX_HIDDEN_NOTES, MAX_NOTE_CHARS, MAX_SCANNED_CHARS } from './limits.js';

const COMMENT = '<!--';
const ESCAPE = '\u001b';

/** The characters of Unicode that repeat ASCII without being seen. */
const TAGS = { first: 0xe0000, last: 0xe007f };

/** Characters in front of a place that are quoted with it. */
const QUOTED_BEFORE = 20;

/** What the texts of a value hide from its reader, one sentence for each text: masked, with escapes for what is not seen. */
export function hiddenNotes(redactor: Redactor, value: unknown): readonly string[] {
  const notes: string[] = [];
  let unnamed = 0;
  for (const { place, text } of textsOf(value)) {
    const findings = findingsOf(text.slice(0, MAX_SCANNED_CHARS), countChars(text));
    if (findings.length === 0) continue;
    if (notes.length === MAX_HIDDEN_NOTES) unnamed += 1;
    else notes.push(noteOf(redactor, place, text.slice(0, MAX_SCANNED_CHARS), findings));
  }
  return unnamed === 0 ? notes : [...notes, `${unnamed} more texts like these`];
}

/** Every text of a value with the name of the field it belongs to, names of fields among them. It does not recurse. */
function* textsOf(root: unknown): Generator<{ readonly place: string; readonly text: string }> {
  const pending: { readonly place: string; readonly value: unknown }[] = [{ place: '', value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { place, value } = next;
    if (typeof value === 'string') yield { place, text: value };
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [name, child] of Object.entries(value).reverse()) {
      pending.push({ place: isList ? place : name, value: child });
      if (!isList) pending.push({ place: 'the name of a field', value: name });
    }
  }
}

/** Something that a text hides, and where in the text it begins. */
interface Finding {
  readonly what: string;
  readonly at: number;
}

/**
 * What is hidden in a text.
 *
 * @param length Its characters, also those that are not looked at.
 */
function findingsOf(text: string, length: number): readonly Finding[] {
  const found: Finding[] = [];
  const hidden = hiddenCharacters(text);
  const tags = hidden.filter(isTag);
  const [firstHidden] = hidden;
  if (tags.length > 0) {
    const said = withoutTags(tags.join(''));
    found.push({ what: `invisible tags that say "${said}"`, at: text.indexOf(tags[0] ?? '') });
  }
  if (text.includes(ESCAPE)) found.push({ what: 'terminal controls', at: text.indexOf(ESCAPE) });
  if (hidden.length > tags.length && firstHidden !== undefined) {
    found.push({ what: `invisible characters (${hidden.length - tags.length})`, at: text.indexOf(firstHidden) });
  }
  if (text.includes(COMMENT)) found.push({ what: 'a comment', at: text.indexOf(COMMENT) });
  if (length > MAX_DESCRIPTION_CHARS) {
    found.push({ what: `${length} characters, of which a model reads ${MAX_DESCRIPTION_CHARS}`, at: 0 });
  }
  return found;
}

/** The text with what its invisible tags say in their place. */
function withoutTags(text: string): string {
  const readable = [...text].map((one) =>
    isTag(one) ? String.fromCodePoint((one.codePointAt(0) ?? 0) - TAGS.first) : one,
  );
  return readable.join('');
}

function isTag(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code >= TAGS.first && code <= TAGS.last;
}

function noteOf(redactor: Redactor, place: string, text: string, findings: readonly Finding[]): string {
  const from = Math.max(0, Math.min(...findings.map(({ at }) => at)) - QUOTED_BEFORE);
  const what = findings.map((finding) => finding.what).join('; ');
  // Masked before it is cut: half a secret is not recognised.
  const shown = (maskedText: string): string =>
    firstChars(renderForApproval(firstChars(maskedText, MAX_NOTE_CHARS)), MAX_NOTE_CHARS);
  return [masked(redactor, place), masked(redactor, what), maskedFrom(redactor, withoutTags(text), from)]
    .map(shown)
    .join(': ');
}

/** The text from a place on, masked; from its beginning where only the whole shows the secret. */
function maskedFrom(redactor: Redactor, text: string, from: number): string {
  const whole = masked(redactor, text);
  return whole === text ? text.slice(from) : whole;
}

/** The text masked. What hidden characters cut into pieces is masked without them. */
function masked(redactor: Redactor, text: string): string {
  const visible = visibleText(text);
  const maskedVisible = redactor.redact(visible);
  return maskedVisible === visible ? redactor.redact(text) : maskedVisible;
}
