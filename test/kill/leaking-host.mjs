// A host that was started with two descriptors it does not know of, open for every program it executes: a file and a FIFO.
// Who gets them? Prints JSON: what a plain child process and commands of Handrail see of them, and whether the FIFO has a
// reader while each of both runs, after the host has closed its own.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { Terminal } from '../../dist/index.js';

const [, , file, fifo, fifoPath, guard] = process.argv;
// First which are open, the one that lists them among them; then what is in the leaked one.
const script = `echo /proc/self/fd/*; cat <&${file}`;

function hasReader() {
  try {
    closeSync(openSync(fifoPath, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    if (error.code === 'ENXIO') return false;
    throw error;
  }
}

const plain = spawnSync('bash', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const terminal = new Terminal({
  allow: ['bash'],
  trustInterpreters: ['bash'],
  ...(guard === 'off' ? { sandbox: 'off' } : {}),
});
// Two workers: the supervisor forks the second one later.
const [first, second] = await Promise.all([terminal.run(['bash', '-c', script]), terminal.run(['bash', '-c', script])]);
const child = spawn('sleep', ['60'], { stdio: 'ignore' });
await once(child, 'spawn');
closeSync(Number(fifo));
const heldByPlain = hasReader();
child.kill('SIGKILL');
await once(child, 'exit');
const heldByHandrail = hasReader();
await terminal.close();
const seen = { plain: plain.stdout, first: first.stdout, second: second.stdout };
process.stdout.write(JSON.stringify({ ...seen, heldByPlain, heldByHandrail }));
