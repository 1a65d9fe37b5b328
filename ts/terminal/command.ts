import { invalidArgument } from '../config/validate.js';

/** A command line, or an argv of strings. Copied: the caller's array may change while it runs. */
export function checkCommand(command: unknown): string | string[] {
  if (typeof command === 'string') return command;
  if (!Array.isArray(command)) {
    throw invalidArgument('command', 'a string or an array of strings', command);
  }
  const words: string[] = [];
  // By index, so that a hole is found like any other word that is no string.
  for (let index = 0; index < command.length; index += 1) {
    const word: unknown = command[index];
    if (typeof word !== 'string') throw invalidArgument(`command[${index}]`, 'a string', word);
    words.push(word);
  }
  return words;
}
