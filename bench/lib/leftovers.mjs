// Counts what runs leave behind in this process and below it, by reading /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SUPERVISOR = 'handrail-superv';
const WATCHDOG = 'handrail-watch';
const STATE_PREFIX = `handrail-${process.pid}-`;

function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const end = stat.lastIndexOf(')');
    const [state, parent] = stat.slice(end + 2).split(' ');
    return { pid: Number(pid), name: stat.slice(stat.indexOf('(') + 1, end), state, parent: Number(parent) };
  } catch {
    return; // The process ended meanwhile.
  }
}

export function listProcesses() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(readProcess).filter((process) => process !== undefined);
}

function descendantsOf(ancestor, processes) {
  const children = processes.filter(({ parent }) => parent === ancestor);
  return children.concat(children.flatMap(({ pid }) => descendantsOf(pid, processes)));
}

/** The entries of a folder; none when a worker that ended has removed the folder meanwhile. */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

function countFilesBelow(folder) {
  return entriesOf(folder).reduce(
    (sum, entry) => sum + (entry.isDirectory() ? countFilesBelow(join(folder, entry.name)) : 1),
    0,
  );
}

/** Counts open descriptors of this process, zombies and workers below it, and files in the folders of its supervisors. */
export function countLeftovers() {
  const descendants = descendantsOf(process.pid, listProcesses());
  const supervisors = descendants.filter(({ name, parent }) => name === SUPERVISOR && parent === process.pid);
  const isWorker = ({ name, parent }) => name !== WATCHDOG && supervisors.some(({ pid }) => pid === parent);
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(STATE_PREFIX));
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    zombies: descendants.filter(({ state }) => state === 'Z').length,
    workers: descendants.filter(isWorker).length,
    files: folders.reduce((sum, name) => sum + countFilesBelow(join(tmpdir(), name)), 0),
  };
}
