/** What the words of a command come to, for whoever has to hold what they name. */
export interface Words {
  /** With their quotes taken away; what may be a path is among them. */
  readonly words: readonly string[];
  /** Whether they are all: no variable, pattern or text of another grammar could name anything else. */
  readonly areAll: boolean;
}

/** What divides words in nested scripts too, and a path from its option: a word that is no path is no file either. */
const BETWEEN_WORDS = /[\s'"`;&|()<>$={}]+/;

/** What stands for something else in a word, outside of single quotes and within double ones. */
const STANDS_FOR_MORE = /[$`*?[{~'"]/;
const STANDS_FOR_MORE_IN_QUOTES = /[$`]/;

/** Comments and here-documents have quotes that are none. */
const OTHER_GRAMMAR = /#|<</;

/** The words of one text, as a shell reads them, and those of texts within it. */
export function wordsOf(text: string): Words {
  const outer = unquoted(text);
  // A script may be a word of another command.
  const inner = outer.words.filter((word) => word !== text && /\s/.test(word) && /['"\\]/.test(word)).map(unquoted);
  return {
    words: [text, ...text.split(BETWEEN_WORDS), ...outer.words, ...inner.flatMap(({ words }) => words)],
    areAll: outer.areAll && inner.every(({ areAll }) => areAll),
  };
}

/** A backslash with what it takes the meaning of, a quoted text, what ends a word, or what is none of them. */
const PIECE = /\\([\s\S]?)|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([\s;&|()<>=])|([\s\S])/g;

function unquoted(text: string): Words {
  const words: string[] = [];
  let word = '';
  let areAll = !OTHER_GRAMMAR.test(text);
  for (const [, escaped, literal, quoted, end, plain] of text.matchAll(PIECE)) {
    if (end !== undefined) {
      words.push(word);
      word = '';
      continue;
    }
    if (quoted !== undefined) areAll &&= !STANDS_FOR_MORE_IN_QUOTES.test(quoted);
    // A quote that is not closed is one of these.
    if (plain !== undefined) areAll &&= !STANDS_FOR_MORE.test(plain);
    word += escaped ?? literal ?? quoted?.replace(/\\([\s\S])/g, '$1') ?? plain;
  }
  words.push(word);
  return { words, areAll };
}
