/** Hosts in processes of their own, to be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { living, marker, type Seen, until } from '../support/processes.js';

const HOST = fileURLToPath(new URL('host.mjs', import.meta.url));
const COMMANDS = 20;

const SCRIPTS = [
  'setsid sleep MARK & sleep MARK',
  'env -i setsid sleep MARK & sleep MARK',
  '(setsid sh -c "sleep MARK & exit" &) ; sleep MARK',
  "trap '' TERM HUP INT; nohup sleep MARK & sleep MARK; sleep MARK",
  'setsid sh -c "kill -STOP \\$\\$; sleep MARK" & sleep MARK',
];

export interface Host {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Holds the private folders of its commands. */
  readonly stateFolder: string;
  /** What it runs, as far as it lives. */
  commands(): Seen[];
}

/** A host whose twenty commands, all of which try to outlive it, are running. */
export async function startHost(): Promise<Host> {
  const mark = marker();
  const scripts = Array.from({ length: COMMANDS }, (_, index) =>
    (SCRIPTS[index % SCRIPTS.length] as string).replaceAll('MARK', mark),
  );
  const child = spawn(process.execPath, [HOST, JSON.stringify(scripts)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [stateFolder] = (await once(createInterface(child.stdout), 'line')) as [string];
  const pid = child.pid as number;
  // The host's own command line holds the mark too.
  const commands = () => living(mark).filter((found) => found.pid !== pid);
  if ((await until(() => commands().length >= 2 * COMMANDS)) === undefined) {
    child.kill('SIGKILL');
    throw new Error(`only ${commands().length} processes`);
  }
  return { process: child, pid, stateFolder, commands };
}
