import type { Decision } from '../report/decision.js';

/** Judges what is typed, in the directory that the shell works in. */
export type TypedJudge = (input: string, cwd: string) => Decision;

/** A shell alone, which takes what it runs from its terminal. */
const TYPED_SHELL = /^\s*((?:\/(?:usr\/)?bin\/)?bash)((?:\s+(?:-i|--norc|--noprofile|--posix))*)\s*$/;

/**
 * Without a line editor and without history, so that what bash runs is what was typed: a tab completes nothing, no key edits a
 * line, and `!` is a character.
 */
const AS_TYPED = '--noediting +H';

/** What a terminal, or a shell that edits lines, does something with. Line ends are between lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** The command of a shell whose lines are judged; undefined for anything but a shell alone. */
export function typedShell(command: string): string | undefined {
  const [, program, options = ''] = TYPED_SHELL.exec(command) ?? [];
  if (program === undefined) return undefined;
  // Long options come first.
  const words = options.split(/\s+/).filter((word) => word !== '');
  const long = words.filter((word) => word.startsWith('--'));
  return [program, ...long, AS_TYPED, ...words.filter((word) => !long.includes(word))].join(' ');
}

/**
 * A judge of typed lines: what would not reach the shell as it is judged is denied.
 *
 * @param edits Whether the program may edit lines and expand history itself.
 */
export function typedJudge(judge: TypedJudge, edits: boolean): TypedJudge {
  return (input, cwd) => {
    const found = CONTROLS.exec(input) ?? (edits ? /[\t!]/.exec(input) : null);
    if (found === null) return judge(input, cwd);
    const reason = {
      rule: 'session.control',
      span: [found.index, found.index + 1] as const,
      message: 'The line holds a character that a terminal or a line editor would act on',
      hint: 'Leave it out, or write it as an escape that the program understands.',
    };
    return { decision: 'deny', reasons: [reason] };
  };
}
