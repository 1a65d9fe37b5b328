import path from 'node:path';
import { isPlace } from './place.js';

/** Text that looks like a pattern. A single bracket is a program (`[`). */
const PATTERN = /[*?]|\[.+\]/;

/**
 * What is wrong with an entry of a list of programs, as the rest of a sentence; undefined when nothing is wrong. The
 * policy refuses such entries too. This check comes before there is a terminal, with words for variables and options of
 * the command line, whose rules have no arguments.
 *
 * @param paths Whether an absolute path is accepted too.
 * @param places Whether a place beneath a root is accepted too, whose last part may be `*` or `**`.
 */
export function programProblem(program: string, paths: boolean, places = false): string | undefined {
  if (places && isPlace(program)) {
    const example = "such as '.venv/bin/pytest' or './node_modules/.bin/*'";
    return isPlainPlace(program) ? undefined : `is no place beneath a root, ${example}`;
  }
  if (PATTERN.test(program)) {
    return 'is a pattern, and programs are matched by their whole name: name each one';
  }
  const plain = program !== '' && !/[\s\p{Cc}]/u.test(program);
  if (plain && (!program.includes('/') || (paths && isPlainPath(program)))) return undefined;
  return `is not ${paths ? 'a program name or an absolute path' : 'a program name'}, without arguments`;
}

/** Without `.`, `..`, empty parts and patterns, but for a last part that is `*` or `**`. */
function isPlainPlace(program: string): boolean {
  const parts = (program.startsWith('./') ? program.slice(2) : program).split('/');
  const last = parts.at(-1);
  const named = last === '*' || last === '**' ? parts.with(-1, 'any') : parts;
  return isPlainPath(`/${named.join('/')}`) && !named.some((part) => PATTERN.test(part));
}

/** Absolute, and without `.`, `..` and empty parts. */
function isPlainPath(program: string): boolean {
  return program.startsWith('/') && program === path.posix.normalize(program) && !program.endsWith('/');
}
