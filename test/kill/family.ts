/** Who is whose child, as /proc tells it. */
import { readdirSync, readFileSync } from 'node:fs';

/** The name that the supervisor's watchdog gives itself. */
const WATCHDOG = 'handrail-watch';
/** The same of the process that makes views of the file system. */
const VIEWS = 'handrail-views';

interface Stat {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
  readonly parent: number;
}

/** Undefined for one that has ended; a zombie is still there. */
function stat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [open, close] = [text.indexOf('('), text.lastIndexOf(')')];
    const [state = '', parent = ''] = text.slice(close + 2).split(' ');
    return { pid, name: text.slice(open + 1, close), state, parent: Number(parent) };
  } catch {
    return;
  }
}

function children(parent: number): Stat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => stat(Number(name)))
    .filter((found) => found?.parent === parent && found.state !== 'Z') as Stat[];
}

/** Whether it runs, sleeps or is stopped: a zombie does not. */
export function isAlive(pid: number): boolean {
  const state = stat(pid)?.state;
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** The supervisors of a host, this process by default. */
export function supervisorsOf(host: number = process.pid): number[] {
  return children(host)
    .filter(({ pid }) => commandOf(pid).includes('handrail-supervisor'))
    .map(({ pid }) => pid);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

export function workersOf(supervisor: number): number[] {
  return children(supervisor)
    .filter(({ name }) => name !== WATCHDOG && name !== VIEWS)
    .map(({ pid }) => pid);
}

export function watchdogsOf(supervisor: number): number[] {
  return children(supervisor)
    .filter(({ name }) => name === WATCHDOG)
    .map(({ pid }) => pid);
}

export function viewsOf(supervisor: number): number[] {
  return children(supervisor)
    .filter(({ name }) => name === VIEWS)
    .map(({ pid }) => pid);
}

/**
 * Kills the supervisor and its workers, and with them who else is named, so that none of them has the time to do
 * something about it: a supervisor that is stopped buries nobody.
 */
export function killTogether(supervisor: number, others: readonly number[] = []): void {
  process.kill(supervisor, 'SIGSTOP');
  for (const pid of [...workersOf(supervisor), ...others, supervisor]) process.kill(pid, 'SIGKILL');
}
