import type { TerminalOptions } from '../terminal/options.js';
import { Terminal } from '../terminal/terminal.js';
import type { RequestedCommand } from './exit-code.js';

/** Characters of a script that the name of a program seldom has. */
const SCRIPT_CHARACTERS = /[\s|&;<>()$`*?"']/;

/**
 * Advice for a user who gave a script without `--shell`, so that it was taken for the name of one program. With the
 * script's own refusal, where it would be denied as well. Undefined: it does not look like a script.
 */
export async function scriptAdvice(
  { command }: Pick<RequestedCommand, 'command'>,
  options: TerminalOptions,
): Promise<string | undefined> {
  const [script = '', ...furtherWords] = command;
  if (typeof command === 'string' || furtherWords.length > 0 || !SCRIPT_CHARACTERS.test(script)) return undefined;
  await using terminal = new Terminal({ ...options, shell: 'bash' });
  const { decision, reasons } = terminal.explain(script);
  const [first] = reasons;
  if (decision !== 'deny' || first === undefined)
    return 'One word is one program: --shell in front runs it as a script.';
  return `One word is one program. As a script, with --shell in front, it is denied as well: ${first.message}.`;
}
