// Runs the Rust program bench/redact-speed, which measures the redactor without Node on one thread.
import { spawnSync } from 'node:child_process';

const FIGURES = /whole (\d+) MB\/s, streamed (\d+) MB\/s, (\d+) findings/;

/**
 * @param {string} program
 * @param {string} path
 * @returns {{whole: number, streamed: number, findings: number}} speeds in MB/s: as a whole, and in pieces of 64 KiB
 */
export function runRustProgram(program, path) {
  const { stdout, stderr, status } = spawnSync(program, [path, '1'], { encoding: 'utf8' });
  const found = FIGURES.exec(stdout);
  if (status !== 0 || found === null) throw new Error(`${program}: ${stderr}${stdout}`);
  const [whole, streamed, findings] = found.slice(1).map(Number);
  return { whole, streamed, findings };
}
