// Reads TypeScript source: its code without comments and strings, and its regular expressions.

/** The code before a regular expression: an operator, an opening bracket, or one of these keywords, but never a value. */
const BEFORE_EXPRESSION =
  /(?:^|[([{,;:=!&|?+\-*%<>~^}]|\b(?:return|typeof|case|in|of|await|yield|void|delete|else|do))\s*$/;
const EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const QUOTED = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
/** The text of a template up to its end, or up to its next `${`. */
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{)/y;
const REGEXP_CALL = /\bnew RegExp\(|(?<![.\w])RegExp\(/g;
/** How much of the code before a `/` is matched with `BEFORE_EXPRESSION`. */
const LOOKBEHIND_CHARS = 40;

class Reader {
  code = '';
  expressions = [];
  #text;
  #at = 0;
  /** For each template around the position, the number of open braces inside its current `${…}`. */
  #openBraces = [];

  constructor(text) {
    this.#text = text;
  }

  read() {
    while (this.#at < this.#text.length) {
      if (!(this.#comment() || this.#string() || this.#expression())) this.#character();
    }
  }

  #take(pattern) {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #comment() {
    const found = this.#take(COMMENT);
    this.code += found?.replace(/[^\n]/g, '') ?? '';
    return found !== undefined;
  }

  #string() {
    const found = this.#take(QUOTED);
    if (found !== undefined) this.code += "''";
    return found !== undefined;
  }

  #expression() {
    if (this.#text[this.#at] !== '/' || !BEFORE_EXPRESSION.test(this.code.slice(-LOOKBEHIND_CHARS))) return false;
    const found = this.#take(EXPRESSION);
    if (found === undefined) return false;
    this.expressions.push(found);
    this.code += '/x/';
    return true;
  }

  #character() {
    const character = this.#text[this.#at];
    this.#at += 1;
    const braces = this.#openBraces.at(-1);
    if (character === '`' || (character === '}' && braces === 0)) {
      if (character === '}') this.#openBraces.pop();
      this.#template(character);
      return;
    }
    if (braces !== undefined) this.#countBrace(character);
    this.code += character;
  }

  /** Reads the text of a template, from its beginning or from the end of a `${…}`. */
  #template(character) {
    this.code += character === '`' ? "''" : ')';
    if (this.#take(TEMPLATE)?.endsWith('${')) {
      this.code += ' (';
      this.#openBraces.push(0);
    }
  }

  #countBrace(character) {
    const change = { '{': 1, '}': -1 }[character] ?? 0;
    this.#openBraces.push(this.#openBraces.pop() + change);
  }
}

/**
 * @returns {{ code: string, expressions: string[] }} `code`: strings as `''`, expressions as `/x/`, without comments; line ends
 * outside of templates stay. `expressions`: literals as they are written, and `new RegExp` for each call of the constructor.
 */
export function codeOf(source) {
  const reader = new Reader(source.replace(/^#!.*/, ''));
  reader.read();
  const built = (reader.code.match(REGEXP_CALL) ?? []).map(() => 'new RegExp');
  return { code: reader.code, expressions: [...reader.expressions, ...built] };
}
