// Runs other programs. Their output is shown as they run, or captured and shown only when they fail.
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/** A program ended with a code other than 0; its output was already shown. */
export class CommandFailed extends Error {
  constructor(command, code) {
    super(`${command} ended with ${code}`);
    this.name = 'CommandFailed';
    this.code = code;
  }
}

/**
 * Runs a program to its end.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{env?: Record<string, string>, show?: boolean, cwd?: string, onLine?: (line: string) => void}} [options]
 *   `show` passes everything through; otherwise the output is collected.
 * @returns {Promise<{code: number | string, output: string, stdout: string}>}
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: options.show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    });
    const all = [];
    const out = [];
    child.stdout?.on('data', (chunk) => {
      all.push(chunk);
      out.push(chunk);
    });
    child.stderr?.on('data', (chunk) => all.push(chunk));
    child.on('error', (error) => resolve({ code: error.code ?? 'error', output: error.message, stdout: '' }));
    child.on('close', (code, signal) =>
      resolve({
        code: code ?? signal,
        output: Buffer.concat(all).toString(),
        stdout: Buffer.concat(out).toString(),
      }),
    );
  });
}

/** Like `run`, but a failure prints the output of the program and throws `CommandFailed`. */
export async function must(program, args, options = {}) {
  const result = await run(program, args, options);
  if (result.code !== 0) {
    if (!options.show) process.stderr.write(result.output);
    throw new CommandFailed([program, ...args].join(' '), result.code);
  }
  return result;
}
