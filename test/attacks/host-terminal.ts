/** A terminal of the host's user, and the machine's devices, which no command may use. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

export interface HostTerminal {
  /** Placeholders of the rows. */
  readonly places: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens one. `programs` holds the compiled ones. */
export async function openTerminal(programs: string): Promise<HostTerminal> {
  const holder = spawn(path.join(programs, 'device'), ['hold'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const said = await new Promise<Buffer>((resolve) => {
    holder.stdout.once('data', resolve);
  });
  const [block = 'none'] = readdirSync('/sys/class/block').filter((name) => name.startsWith('loop'));
  return {
    places: { TERMINAL: said.toString().trim(), BLOCK: path.join('/dev', block) },
    async close() {
      holder.stdin.end();
      await new Promise((resolve) => holder.once('close', resolve));
    },
  };
}
