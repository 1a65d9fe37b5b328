/** A command written as a template: its words are arguments, and what is put in stays one argument each. */
import { invalidArgument } from '../config/validate.js';

/** What can be put into a template: one argument, or as many as an array has. */
export type TemplateValue = string | number | readonly (string | number)[];

/** Whether `command` is what a tag of a template gets. */
export function isTemplate(command: unknown): command is TemplateStringsArray {
  return Array.isArray(command) && 'raw' in command;
}

/**
 * The argv of a template. Blanks divide words, and there are no quotes: what has blanks, or comes from elsewhere, is put in by
 * `${…}`. Joined to a word it is a part of that word; an array is an argument each, the first and the last joined to what
 * stands beside them.
 */
export function templateCommand(strings: TemplateStringsArray, values: readonly unknown[]): string[] {
  const words = new Words();
  for (const [index, text] of strings.entries()) {
    // An escape that is none has no text.
    if (typeof text !== 'string') throw invalidArgument('command', 'a template with valid escapes', strings.raw[index]);
    words.addText(text);
    if (index < values.length) words.addValues(valuesOf(values[index], index));
  }
  return words.list;
}

class Words {
  readonly list: string[] = [];
  /** Whether what follows belongs to the last word. */
  #open = false;

  addText(text: string): void {
    for (const part of text.split(/(\s+)/)) {
      if (part === '') continue;
      if (/^\s/.test(part)) this.#open = false;
      else this.#add(part);
    }
  }

  addValues(values: readonly string[]): void {
    for (const [place, value] of values.entries()) {
      if (place > 0) this.#open = false;
      this.#add(value);
    }
  }

  #add(part: string): void {
    if (this.#open) this.list.push(`${this.list.pop() ?? ''}${part}`);
    else this.list.push(part);
    this.#open = true;
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
