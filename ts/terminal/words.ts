/** The words of a command that may name files. */
export interface CommandWords {
  /** The words without their quotes, and parts of them that may be paths. */
  readonly words: readonly string[];
  /** Whether the command can name no other file, because it has no variable, pattern or text in another grammar. */
  readonly areComplete: boolean;
}

/** Characters that divide words, also in nested scripts, or an option from its path. Words that are no path do no harm. */
const WORD_DIVIDERS = /[\s'"`;&|()<>$={}]+/;

/** Characters that stand for another text: outside of quotes, and within double quotes. */
const EXPANSION = /[$`*?[{~'"]/;
const EXPANSION_IN_QUOTES = /[$`]/;

/** Comments and here-documents, in which quotes do not quote. */
const OTHER_GRAMMAR = /#|<</;

/** The words of one text, as a shell reads them, and the words of scripts that are arguments in it. */
export function wordsOf(text: string): CommandWords {
  const outer = unquoted(text);
  // A word may itself be a script.
  const inner = outer.words.filter((word) => word !== text && /\s/.test(word) && /['"\\]/.test(word)).map(unquoted);
  return {
    words: [text, ...text.split(WORD_DIVIDERS), ...outer.words, ...inner.flatMap(({ words }) => words)],
    areComplete: outer.areComplete && inner.every(({ areComplete: areAll }) => areAll),
  };
}

/** One token: a backslash with the character that it escapes, a quoted text, a character that ends a word, or any other. */
const TOKEN = /\\([\s\S]?)|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([\s;&|()<>=])|([\s\S])/g;

function unquoted(text: string): CommandWords {
  const words: string[] = [];
  let word = '';
  let areAll = !OTHER_GRAMMAR.test(text);
  for (const [, escaped, literal, quoted, end, plain] of text.matchAll(TOKEN)) {
    if (end !== undefined) {
      words.push(word);
      word = '';
      continue;
    }
    if (quoted !== undefined) areAll &&= !EXPANSION_IN_QUOTES.test(quoted);
    // A quote that is not closed comes here as a plain character.
    if (plain !== undefined) areAll &&= !EXPANSION.test(plain);
    word += escaped ?? literal ?? quoted?.replace(/\\([\s\S])/g, '$1') ?? plain;
  }
  words.push(word);
  return { words, areComplete: areAll };
}
