/** The command line in a shell, for what only pipes and redirections show. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { REPOSITORY } from '../support/copy.js';

export const MAIN = path.join(REPOSITORY, 'dist/cli/main.js');

export interface ShellResult {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a bash script in which `handrail` is the command line, without a standard input of its own. */
export function shell(script: string, cwd: string = REPOSITORY): Promise<ShellResult> {
  const whole = `handrail() { "${process.execPath}" "${MAIN}" "$@"; }\nexec < /dev/null\n${script}`;
  return new Promise((resolve, reject) => {
    execFile(
      'bash',
      ['-c', whole],
      { cwd, env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined } },
      (error, stdout, stderr) => {
        if (error === null) resolve({ stdout, stderr });
        else reject(error);
      },
    );
  });
}
