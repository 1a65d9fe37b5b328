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

/** Made-up secrets in the files of the demonstration. */
export const SECRETS = ['tea4two-tea4two', 'hunter2-hunter2'] as const;

/** The one line of the log with an error. */
export const ERROR_LINE = 'cart.c:88: error: unknown type Price';

const LOG_LINES = 40_000;
const ERROR_LINE_INDEX = 38_000;

/** Creates a folder with the files of the demonstration. Remove it with `removeWorkspace`. */
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
  lines.splice(ERROR_LINE_INDEX, 0, ERROR_LINE);
  return `${lines.join('\n')}\n`;
}

/** Ids of the processes whose working directory is `folder`. None where there is no `/proc`. */
export function processesIn(folder: string): number[] {
  if (!existsSync('/proc')) return [];
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return numbers.filter((number) => folderOf(number) === folder).map(Number);
}

/** The working directory of a process. Undefined when it has ended or belongs to another user. */
function folderOf(number: string): string | undefined {
  try {
    return readlinkSync(path.join('/proc', number, 'cwd'));
  } catch {
    return undefined;
  }
}

/** Kills the processes that work in `folder`, and removes the folder. */
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
