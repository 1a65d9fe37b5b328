// Runs as a host of its own: starts commands, one after the other, and prints what each wrote as JSON, if it lives to tell.
import { readFileSync } from 'node:fs';
import { Terminal } from '../../ts/index.js';

export interface CommandsRequest {
  readonly guard: 'on' | 'off';
  /** Where the programs were compiled to. */
  readonly programs: string;
  /** Memory that the host itself holds. */
  readonly hostMegabytes: number;
  readonly allow: readonly string[];
  readonly commands: readonly (readonly string[])[];
}

export interface CommandsAnswer {
  readonly outputs: readonly string[];
  readonly heldBytes: number;
}

const { guard, programs, hostMegabytes, allow, commands } = JSON.parse(readFileSync(0, 'utf8')) as CommandsRequest;
const held = Buffer.alloc(hostMegabytes * 2 ** 20, 1);
const terminal = new Terminal({
  allow: [...allow],
  trustInterpreters: [...allow],
  path: [programs],
  // Without a limit of its own a run may take all that there is.
  ...(guard === 'off'
    ? { sandbox: 'off' }
    : { confine: { exec: 'listed', writes: 'none', limits: { memoryBytes: 'none' } } }),
});
const outputs: string[] = [];
for (const command of commands) outputs.push((await terminal.run([...command])).output);
await terminal.close();
process.stdout.write(JSON.stringify({ outputs, heldBytes: held.length } satisfies CommandsAnswer));
