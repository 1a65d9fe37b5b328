/** Commands as template literals: the words of the text are arguments, and each inserted value is one argument. */
import { invalidArgument } from '../config/validate.js';

/** A value that can be inserted into a template: one argument, or an array of arguments. */
export type TemplateValue = string | number | readonly (string | number)[];

/** Whether `command` is the first argument of a template tag. */
export function isTemplate(command: unknown): command is TemplateStringsArray {
  return Array.isArray(command) && 'raw' in command;
}

/**
 * The argv of a template. White space divides words, and there are no quotes: an argument with spaces is inserted by
 * `${…}`. A value next to a word, without a space between them, belongs to that word. Each element of an array is an
 * argument; the first and the last belong to a word next to them in the same way.
 */
export function templateCommand(strings: TemplateStringsArray, values: readonly unknown[]): string[] {
  const words = new ArgvBuilder();
  for (const [index, text] of strings.entries()) {
    // The text of a part with an invalid escape is undefined.
    if (typeof text !== 'string') throw invalidArgument('command', 'a template with valid escapes', strings.raw[index]);
    words.addText(text);
    if (index < values.length) words.addValues(valuesOf(values[index], index));
  }
  return words.argv;
}

class ArgvBuilder {
  readonly argv: string[] = [];
  /** Whether the next part belongs to the last word. */
  #isInWord = false;

  addText(text: string): void {
    for (const part of text.split(/(\s+)/)) {
      if (part === '') continue;
      if (/^\s/.test(part)) this.#isInWord = false;
      else this.#add(part);
    }
  }

  addValues(values: readonly string[]): void {
    for (const [place, value] of values.entries()) {
      if (place > 0) this.#isInWord = false;
      this.#add(value);
    }
  }

  #add(part: string): void {
    if (this.#isInWord) this.argv.push(`${this.argv.pop() ?? ''}${part}`);
    else this.argv.push(part);
    this.#isInWord = true;
  }
}

function valuesOf(value: unknown, index: number): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((item) => {
    if (typeof item === 'string') return item;
    if (typeof item === 'number' && Number.isFinite(item)) return String(item);
    throw invalidArgument(`value ${index + 1} of the template`, 'a string, a number or an array of these', item);
  });
}
