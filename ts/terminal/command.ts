import { invalidArgument } from '../config/validate.js';

/** Checks a command line or an argv. An argv is copied, because the caller's array may change while the command runs. */
export function checkCommand(command: unknown): string | string[] {
  if (typeof command === 'string') return command;
  if (!Array.isArray(command)) {
    throw invalidArgument('command', 'a string or an array of strings', command);
  }
  const words: string[] = [];
  // By index: iterating methods would skip a hole of a sparse array, which has to be refused too.
  for (let index = 0; index < command.length; index += 1) {
    const word: unknown = command[index];
    if (typeof word !== 'string') throw invalidArgument(`command[${index}]`, 'a string', word);
    words.push(word);
  }
  return words;
}
