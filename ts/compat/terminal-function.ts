import { isHandrailError } from '../errors.js';
import { type ConfiguredTerminal, terminalFromEnvironment } from './default-engine.js';
import { DEFAULT_TERMINAL_FUNCTION_OUTPUT_MAX_CHARS } from './terminal-policy.js';
import { textOfError, textOfResult } from './terminal-text.js';

/**
 * Runs one command under the policy of the `TERMINAL_*` variables and returns a short text for a
 * model. The variables are read on each call.
 *
 * The text is a status line, then `output:` with both outputs in the order in which they were read, or `error:` with
 * the reason of a refusal. Secrets are masked; head and tail are kept, with the omitted counts between them. Without
 * the status line it has at most `TERMINAL_FUNCTION_OUTPUT_MAX_CHARS` Unicode characters.
 *
 * `exit=None` stands for a command that has no exit code: refused, timed out or ended by a signal.
 * There is no shell: operators are refused, not passed on as arguments.
 *
 * Never rejects: the text reports a refusal, a wrong variable or a missing installation too.
 *
 * @param command One simple command with its arguments, quoted as in bash.
 * @param cwd Working directory. Relative ones are joined to `TERMINAL_SANDBOX_CWD` or else to the
 * host's. Default: those.
 * @param options `signal` ends the command when it fires. Default: none.
 * @returns The status line and the block below it.
 * @example
 * ```ts
 * import { terminalRun } from 'handrail';
 *
 * process.env['TERMINAL_ALLOWED_COMMANDS'] = 'echo';
 * console.log(await terminalRun('echo hello'));
 * // ok=true exit=0 timeout=false truncated=false
 * // output:
 * // hello
 * ```
 */
export async function terminalRun(
  command: string,
  cwd?: string,
  options: {
    /** Ends the command when it fires. Default: none. */
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<string> {
  let maxChars = DEFAULT_TERMINAL_FUNCTION_OUTPUT_MAX_CHARS;
  let configured: ConfiguredTerminal | undefined;
  try {
    configured = terminalFromEnvironment();
    maxChars = configured.policy.functionOutputMaxChars;
    const directory = cwd ?? configured.policy.sandboxCwd ?? process.cwd();
    const result = await configured.terminal.run(command, { cwd: directory, ...options });
    return textOfResult(result, maxChars);
  } catch (error) {
    return textOfError(messageOf(error, configured), maxChars);
  }
}

/** The message of an error for a model. Only messages of Handrail are shown, with secrets masked. */
function messageOf(error: unknown, configured: ConfiguredTerminal | undefined): string {
  if (!isHandrailError(error)) return 'The command could not be run';
  return configured === undefined ? error.message : configured.redactor.redact(error.message);
}
