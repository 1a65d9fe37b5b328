import path from 'node:path';

/** Text that looks like a pattern. A single bracket is a program (`[`). */
const PATTERN = /[*?]|\[.+\]/;

/**
 * What is wrong with an entry of a list of programs, as the rest of a sentence; undefined when nothing is wrong. The
 * policy refuses such entries too. This check comes before there is a terminal, with words for variables and options of
 * the command line, whose rules have no arguments.
 *
 * @param paths Whether an absolute path is accepted too.
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
