// What a host has open, and what below it is alive: read from /proc, counted.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SUPERVISOR = 'handrail-superv';
const WATCHDOG = 'handrail-watch';
const STATE_PREFIX = `handrail-${process.pid}-`;

function status(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const end = stat.lastIndexOf(')');
    const [state, parent] = stat.slice(end + 2).split(' ');
    return { pid: Number(pid), name: stat.slice(stat.indexOf('(') + 1, end), state, parent: Number(parent) };
  } catch {
    return; // It ended while we looked.
  }
}

export function processes() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(status).filter((found) => found !== undefined);
}

function below(all, ancestor) {
  const children = all.filter(({ parent }) => parent === ancestor);
  return children.concat(children.flatMap(({ pid }) => below(all, pid)));
}

/** A worker that was let go takes its folders with it while we look. */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

function filesBelow(folder) {
  return entriesOf(folder).reduce(
    (sum, entry) => sum + (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : 1),
    0,
  );
}

/** Descriptors of this process, zombies and workers below it, files in the folders of its supervisors. */
export function leftovers() {
  const descendants = below(processes(), process.pid);
  const supervisors = descendants.filter(({ name, parent }) => name === SUPERVISOR && parent === process.pid);
  const isWorker = ({ name, parent }) => name !== WATCHDOG && supervisors.some(({ pid }) => pid === parent);
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(STATE_PREFIX));
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    zombies: descendants.filter(({ state }) => state === 'Z').length,
    workers: descendants.filter(isWorker).length,
    files: folders.reduce((sum, name) => sum + filesBelow(join(tmpdir(), name)), 0),
  };
}
