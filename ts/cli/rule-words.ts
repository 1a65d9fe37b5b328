import { UsageError } from './usage-error.js';

/** What a shell reads as more than a letter outside of quotes: here it would silently be one. */
const SPECIAL = /[$`|;&<>()]/;

/** Patterns in an argument: arguments are matched letter by letter. */
const PATTERN = /[*?]/;

/** A character that a backslash takes its meaning from between double quotes. */
const ESCAPED_IN_QUOTES = /["\\$`]/;

/**
 * The entries of a list of rules, each as its words: `ls,npm test` is `[['ls'], ['npm', 'test']]`. Words are
 * quoted as in a shell; a comma within quotes belongs to its word.
 *
 * @param name What messages call the option.
 * @throws UsageError for an entry without words, a quote without its end, and what a shell would expand.
 */
export function ruleWords(list: string, name: string): readonly (readonly string[])[] {
  const reader = new RuleReader(name);
  for (let at = 0; at < list.length; at += 1) reader.take(list.charAt(at));
  return reader.finish();
}

/** Reads one character at a time. */
class RuleReader {
  readonly #name: string;
  readonly #entries: string[][] = [];
  /** The words of the entry that is being read. */
  #words: string[] = [];
  /** The word that is being read; undefined between two. */
  #word: string | undefined;
  /** The quote that is open, or nothing. */
  #quote: '"' | "'" | '' = '';
  #isEscaped = false;

  constructor(name: string) {
    this.#name = name;
  }

  take(character: string): void {
    if (this.#isEscaped) this.#takeEscaped(character);
    else if (this.#quote === "'") this.#takeQuoted(character);
    else if (character === '\\') this.#isEscaped = true;
    else if (this.#quote === '"') this.#takeQuoted(character);
    else this.#takeBare(character);
  }

  /** All entries, when the last character was taken. */
  finish(): readonly (readonly string[])[] {
    if (this.#quote !== '') throw this.#mistake(`has a ${this.#quote} without its end`);
    if (this.#isEscaped) throw this.#mistake('ends with a backslash');
    this.#endEntry();
    return this.#entries;
  }

  #takeEscaped(character: string): void {
    this.#isEscaped = false;
    const keepsBackslash = this.#quote === '"' && !ESCAPED_IN_QUOTES.test(character);
    this.#add(keepsBackslash ? `\\${character}` : character);
  }

  #takeQuoted(character: string): void {
    if (character === this.#quote) {
      this.#quote = '';
      return;
    }
    if (this.#quote === '"' && (character === '$' || character === '`')) throw this.#special(character);
    this.#add(character);
  }

  #takeBare(character: string): void {
    if (character === ',') {
      this.#endEntry();
      return;
    }
    if (character === '"' || character === "'") {
      this.#quote = character;
      this.#add('');
      return;
    }
    if (/\s/.test(character)) {
      this.#endWord();
      return;
    }
    // A program that is a pattern is refused as such.
    if (SPECIAL.test(character) || (PATTERN.test(character) && this.#words.length > 0)) throw this.#special(character);
    this.#add(character);
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  #endWord(): void {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
  }

  #endEntry(): void {
    this.#endWord();
    if (this.#words.length === 0) throw new UsageError(`${this.#name} has an empty entry`);
    this.#entries.push(this.#words);
    this.#words = [];
  }

  #special(character: string): UsageError {
    return this.#mistake(`has a ${character} that is not quoted: rules are matched as they are written`);
  }

  #mistake(problem: string): UsageError {
    return new UsageError(`${this.#name} entry ${this.#entries.length + 1} ${problem}`);
  }
}
