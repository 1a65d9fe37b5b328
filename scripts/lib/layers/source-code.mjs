// A text of TypeScript without comments and strings, and the regular expressions in it.

/** An expression stands where no value ended: after an operator, an opening bracket, or one of these words. */
const BEFORE_EXPRESSION =
  /(?:^|[([{,;:=!&|?+\-*%<>~^}]|\b(?:return|typeof|case|in|of|await|yield|void|delete|else|do))\s*$/;
const EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const QUOTED = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
/** A template up to its end, or up to a place where a value is put in. */
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{)/y;
const BUILT = /\bnew RegExp\(|(?<![.\w])RegExp\(/g;
/** Of the code before a place so much is looked at. */
const LOOKED_BACK = 40;

class Reader {
  code = '';
  expressions = [];
  #text;
  #at = 0;
  /** For each template around this place, the braces that are open in the value put in. */
  #templates = [];

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
    if (this.#text[this.#at] !== '/' || !BEFORE_EXPRESSION.test(this.code.slice(-LOOKED_BACK))) return false;
    const found = this.#take(EXPRESSION);
    if (found === undefined) return false;
    this.expressions.push(found);
    this.code += '/x/';
    return true;
  }

  #character() {
    const character = this.#text[this.#at];
    this.#at += 1;
    const braces = this.#templates.at(-1);
    if (character === '`' || (character === '}' && braces === 0)) {
      if (character === '}') this.#templates.pop();
      this.#template(character);
      return;
    }
    if (braces !== undefined) this.#count(character);
    this.code += character;
  }

  /** Reads on in a template, from its beginning or from the end of a value in it. */
  #template(character) {
    this.code += character === '`' ? "''" : ')';
    if (this.#take(TEMPLATE)?.endsWith('${')) {
      this.code += ' (';
      this.#templates.push(0);
    }
  }

  #count(character) {
    const change = { '{': 1, '}': -1 }[character] ?? 0;
    this.#templates.push(this.#templates.pop() + change);
  }
}

/**
 * @returns {{ code: string, expressions: string[] }} `code`: strings as `''`, expressions as `/x/`, comments gone; line ends
 * outside of templates stay. `expressions`: literals as they are written, and `new RegExp` for each that is built.
 */
export function codeOf(source) {
  const reader = new Reader(source.replace(/^#!.*/, ''));
  reader.read();
  const built = (reader.code.match(BUILT) ?? []).map(() => 'new RegExp');
  return { code: reader.code, expressions: [...reader.expressions, ...built] };
}
