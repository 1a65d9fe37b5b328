import { shellWord } from '../report/advice.js';
import type { ToolHost } from './host.js';

/** Commands that show what no file tool does, by the code of the refusal; the path follows. */
const COMMANDS: Readonly<Record<string, readonly string[] | undefined>> = {
  binary: ['file', 'strings -n 8', 'xxd -l 256', 'od -c -N 256'],
};

/** A sentence for a model with the command that shows a file which no file tool shows, where one may run; else whom to ask. */
export function commandHint(
  code: string,
  path: string,
  { terminal, tools, redactor }: Pick<ToolHost, 'terminal' | 'tools' | 'redactor'>,
): string | undefined {
  const commands = COMMANDS[code];
  if (commands === undefined) return undefined;
  const calls = tools.has('terminal_run') ? commands.map((command) => `${command} ${shellWord(path)}`) : [];
  const call = calls.find((command) => terminal.explainCall(command, {}).decision === 'allow');
  // A path with a mask in it is another one.
  if (call === undefined || redactor.redact(call) !== call) return 'Nothing here shows it: ask the user.';
  return `What is in it is shown by terminal_run ${JSON.stringify({ command: call })}.`;
}
