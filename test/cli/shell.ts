/** The command line in a shell, for what only pipes and redirections show. */
import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Ended } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';

export const MAIN = path.join(REPOSITORY, 'dist/cli/main.js');

const BATCH = path.join(REPOSITORY, 'test/cli/batch.mjs');

/**
 * What the command line says to each list of arguments, all in one process: for help and mistakes, which start nothing.
 * `typed.test.ts` has such lines in processes of their own.
 */
export function batch(lists: readonly (readonly string[])[]): readonly Ended[] {
  const options = { input: JSON.stringify(lists), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [BATCH, MAIN], options);
  if (status !== 0 || stderr !== '') throw new Error(`the batch ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as Ended[];
}

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
