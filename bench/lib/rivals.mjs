// One command run to its end, by everybody who can. Each checks its answer: a runner that loses output or an exit code is
// not a fast one.
import { spawn } from 'node:child_process';
import { execa } from 'execa';
import { Terminal } from '../../dist/index.js';

function check(who, expected, found) {
  const differs = Object.keys(expected).filter((name) => expected[name] !== found[name]);
  if (differs.length > 0) {
    throw new Error(`${who}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`);
  }
}

const CLEAN = { code: 0, bytes: 0 };

/** Gives `use` a terminal that runs these programs, and closes it. */
export async function withTerminal(programs, options, use) {
  const terminal = new Terminal({ allow: programs, ...options });
  try {
    return await use(terminal);
  } finally {
    await terminal.close();
  }
}

export async function runTerminal(terminal, argv) {
  const { exitCode, bytes, status } = await terminal.run(argv);
  check(`handrail (${status})`, CLEAN, { code: exitCode, bytes: bytes.stdout + bytes.stderr });
}

/** `child_process.spawn` with pipes for both outputs, until everything is closed. */
export function runSpawn([program, ...args]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let bytes = 0;
    const count = (chunk) => {
      bytes += chunk.length;
    };
    child.stdout.on('data', count);
    child.stderr.on('data', count);
    child.on('error', reject);
    child.on('close', (code) => {
      try {
        check('child_process', CLEAN, { code, bytes });
        resolve();
      } catch (error) {
        reject(error);
      }
    });
  });
}

export async function runExeca([program, ...args]) {
  const { exitCode, stdout, stderr } = await execa(program, args, { stdin: 'ignore' });
  check('execa', CLEAN, { code: exitCode, bytes: stdout.length + stderr.length });
}

/** Milliseconds that `work` takes. */
export async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
