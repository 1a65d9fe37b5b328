import path from 'node:path';

/** What looks like a pattern. A lone bracket is a program (`[`). */
const PATTERN = /[*?]|\[.+\]/;

/**
 * What is wrong with an entry of a list of programs, to follow its name in a message; undefined when
 * nothing is. The policy refuses such entries itself; here it is said before there is a terminal, in
 * words for a variable or an option of the command line, where a rule has no arguments.
 *
 * @param paths Whether an absolute path will do as well.
 */
export function programProblem(program: string, paths: boolean): string | undefined {
  if (PATTERN.test(program)) {
    return 'is a pattern, and programs are matched by their whole name: name each one';
  }
  const plain = program !== '' && !/[\s\p{Cc}]/u.test(program);
  if (plain && (!program.includes('/') || (paths && isPlainPath(program)))) return undefined;
  return `is not ${paths ? 'a program name or an absolute path' : 'a program name'}, without arguments`;
}

/** Absolute, and without `.`, `..` and empty parts. */
function isPlainPath(program: string): boolean {
  return program.startsWith('/') && program === path.posix.normalize(program) && !program.endsWith('/');
}
