/** Programs at a terminal that nobody sits at. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/**
 * Starts a line of `sh` with a terminal for its input and outputs. What is written to it is typed,
 * and the end of that is Ctrl-D. It exits with the code of the line.
 */
export function startAtTerminal(
  line: string,
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): ChildProcessWithoutNullStreams {
  const env = { ...process.env, TERM: 'xterm', ...options.env };
  return spawn('script', ['-q', '-e', '-c', line, '/dev/null'], { cwd: options.cwd, env, stdio: 'pipe' });
}
