// Lists living processes whose command line holds the marker read from standard input, by reading /proc itself:
// a witness that shares nothing with the code under test. Prints a JSON array of {pid, command}.
import { readdirSync, readFileSync } from 'node:fs';

const marker = readFileSync(0, 'utf8');

function read(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const state = stat[stat.lastIndexOf(')') + 2];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return state !== 'Z' && state !== 'X' && command.includes(marker) ? { pid: Number(pid), command } : undefined;
  } catch {
    return; // It ended while we looked.
  }
}

const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
process.stdout.write(JSON.stringify(pids.map(read).filter((found) => found !== undefined)));
