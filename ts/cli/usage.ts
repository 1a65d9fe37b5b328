import { DEFAULT_TIMEOUT_MS } from '../terminal/limits.js';

/** What `handrail --help` says. */
export const USAGE = `handrail: guarded hands for AI agents

  handrail run [options] -- PROGRAM [ARGUMENT...]
      Runs one program without a shell: judged, confined, ended with everything
      it started, its output redacted.

  handrail doctor [--json]
      What this machine can enforce, and what to do about the rest.

  handrail COMMAND --help
      Options, examples and exit codes of a command.

  handrail --help | --version

Examples:
  handrail doctor
  handrail run --allow ls,cat -- ls -l
`;

/** What `handrail run --help` says. */
export const RUN_USAGE = `handrail run [options] -- PROGRAM [ARGUMENT...]

Runs one program without a shell: judged, confined, ended with everything it
started, its output redacted. A last line on standard error says how it ended.

Options:
  --allow A,B    programs that may run, by name or absolute path; with neither
                 list, none may
  --deny A,B     programs that may not run; wins over --allow. Alone, it lets
                 every other program run
  --trust A,B    interpreters whose code is not judged; allow them as well
  --path DIR     one more folder that programs are found in, absolute and not
                 writable by commands; can be repeated
  --cwd DIR      directory it runs in; this one unless given
  --timeout MS   time it gets, in milliseconds; ${DEFAULT_TIMEOUT_MS} unless given
  --stdin        gives it the standard input, which is read to its end first
                 (at most 16 MiB). Without this it has nothing to read
  --json         the whole result as JSON on standard output instead of the
                 program's output; a mistake is {"error":{"code","message"}}
  -h, --help     this text

Examples:
  handrail run --allow ls,cat -- ls -l
  handrail run --allow wc --stdin -- wc -l < notes.txt
  handrail run --deny rm,dd --timeout 5000 --json -- date

Exit codes:
  the program's own, or 128+N when signal N ended it
    1  handrail failed, or its output could not be written
    2  wrong usage
  124  the program's time was over
  126  denied: nothing ran
  127  the program could not be started
  130  SIGINT ended handrail; 129 SIGHUP, 143 SIGTERM
  141  nobody read the output any more
`;

/** What `handrail doctor --help` says. */
export const DOCTOR_USAGE = `handrail doctor [--json]

Says for each guard whether this machine enforces it, and what to do where it
does not. Nothing is changed and no command is run.

Options:
  --json         the same as JSON; a mistake is {"error":{"code","message"}}
  -h, --help     this text

Examples:
  handrail doctor
  handrail doctor --json

Exit codes:
    0  the report was written, whatever it says
    1  handrail failed, or its output could not be written
    2  wrong usage
`;

/** A mistake on the command line, in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
