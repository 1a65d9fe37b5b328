// Runs as a host of its own in a control group with little memory: holds some itself, and starts a command that takes more than
// there is. Prints what the command said as JSON, if it lives to tell.
import { readFileSync } from 'node:fs';
import { Terminal } from '../../ts/index.js';

export interface MemoryRequest {
  readonly guard: 'on' | 'off';
  /** Where the programs were compiled to. */
  readonly programs: string;
  /** More than any process of the command holds. */
  readonly hostMegabytes: number;
  readonly command: readonly string[];
}

const { guard, programs, hostMegabytes, command } = JSON.parse(readFileSync(0, 'utf8')) as MemoryRequest;
const held = Buffer.alloc(hostMegabytes * 2 ** 20, 1);
const terminal = new Terminal({
  allow: ['hog'],
  path: [programs],
  ...(guard === 'off' ? { sandbox: 'off' } : {}),
});
const { output } = await terminal.run([...command]);
await terminal.close();
process.stdout.write(JSON.stringify({ output, held: held.length }));
