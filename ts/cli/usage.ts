/** Everything `handrail --help` says. */
export const USAGE = `handrail: guarded hands for AI agents

  handrail run [options] -- PROGRAM [ARGUMENT...]
      Runs one program without a shell: judged, confined, ended with everything
      it started, its output redacted.
      --allow A,B      programs that may run; with neither list, none may
      --deny A,B       programs that may not run; wins over --allow
      --trust A,B      interpreters whose code is not judged
      --timeout MS     time it gets, in milliseconds
      --cwd DIR        directory it runs in
      --json           the whole result as JSON instead of its output

  handrail doctor [--json]
      What this machine can enforce, and what to do about the rest.

  handrail --help | --version

Exit codes of run: the program's own; 124 timed out; 126 denied; 127 could
not be started; 130 cancelled; 2 wrong usage.
`;

/** A mistake on the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
