import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Values that both sides print, made up. */
export const SECRETS = ['tea4two-tea4two', 'hunter2-hunter2'] as const;

/** The line of the log that matters. */
export const FAULT = 'cart.c:88: error: unknown type Price';

const LOG_LINES = 40_000;
const FAULT_LINE = 38_000;

/** A folder with what the commands of the demonstration need. To be removed with `removeWorkspace`. */
export function makeWorkspace(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-demo-')));
  const [database, password] = SECRETS;
  writeFileSync(path.join(folder, '.env'), `DB_URL=redis://shop:${database}@db\nAPI_PASSWORD=${password}\n`);
  writeFileSync(path.join(folder, 'build.log'), buildLog());
  mkdirSync(path.join(folder, '.git'));
  writeFileSync(path.join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  return folder;
}

function buildLog(): string {
  const lines = Array.from({ length: LOG_LINES }, (_, index) => `[${index + 1}/${LOG_LINES}] CC part_${index + 1}.c`);
  lines.splice(FAULT_LINE, 0, FAULT);
  return `${lines.join('\n')}\n`;
}

/** Ids of the processes that work in `folder`, as the kernel tells them. None where it does not tell. */
export function processesIn(folder: string): number[] {
  if (!existsSync('/proc')) return [];
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return numbers.filter((number) => folderOf(number) === folder).map(Number);
}

/** Where a process works. Nothing when it has ended, or belongs to somebody else. */
function folderOf(number: string): string | undefined {
  try {
    return readlinkSync(path.join('/proc', number, 'cwd'));
  } catch {
    return undefined;
  }
}

/** Ends what still works in `folder`, and removes it. */
export function removeWorkspace(folder: string): void {
  for (const id of processesIn(folder)) {
    try {
      process.kill(id, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  rmSync(folder, { recursive: true, force: true });
}
