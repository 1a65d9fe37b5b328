/** A host of its own whose programs carry a mark, for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach } from 'vitest';
import { end, living, marker, type Seen, until } from '../support/processes.js';

/** The programs of a host that runs. */
export interface KilledHost {
  kill(): void;
  /** Those of its programs that live. */
  commands(): Seen[];
}

/**
 * Starts hosts, one for a test, which are killed after it with all that is left.
 *
 * @param program The program of the host. Its first argument is the script, in which `MARK` is the mark.
 */
export function killedHosts(program: string, script: string) {
  let host: ChildProcess | undefined;
  let mark = '';
  afterEach(async () => {
    host?.kill('SIGKILL');
    // Where the guard was off somebody is left.
    await until(() => {
      end(living(mark));
      return living(mark).length === 0;
    });
  });
  /** Starts a host with these further arguments, and waits until so many of its programs sleep. */
  return async (args: readonly string[], sleepers: number): Promise<KilledHost> => {
    mark = marker();
    const child = spawn(process.execPath, [program, script.replaceAll('MARK', mark), ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    host = child;
    const commands = () => living(mark).filter(({ pid }) => pid !== child.pid);
    const sleeping = () => commands().filter(({ command }) => command.startsWith('sleep'));
    if ((await until(() => sleeping().length >= sleepers)) === undefined) {
      throw new Error(`only ${sleeping().length} programs`);
    }
    return { kill: () => child.kill('SIGKILL'), commands };
  };
}
