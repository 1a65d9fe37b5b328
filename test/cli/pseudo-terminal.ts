/** Programs at a terminal that nobody sits at. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

import { until } from '../support/processes.js';

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

/** Runs a line of `sh` at a terminal, and types each text once the one before it is shown. */
export async function atTerminal(
  line: string,
  ...steps: readonly (readonly [awaited: string | RegExp, typed: string])[]
): Promise<{ code: number; shown: string }> {
  const terminal = startAtTerminal(`stty cols 100; ${line}`);
  let shown = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const closed = once(terminal, 'close') as Promise<[number]>;
  for (const [awaited, typed] of steps) {
    const isShown = (): boolean => (typeof awaited === 'string' ? shown.includes(awaited) : awaited.test(shown));
    if ((await until(isShown)) === undefined) {
      terminal.kill('SIGKILL');
      throw new Error(`The terminal did not show ${awaited} but ${JSON.stringify(shown)}`);
    }
    terminal.stdin.write(typed);
  }
  const [code] = await closed;
  return { code, shown };
}
