// Runs as a host of its own, perhaps as another user: what can a command read of this process, of its supervisor and of
// a parallel run through /proc? Prints a JSON object {victim: {entry: what was read}}; empty objects are what is wanted.
import { readdirSync, readFileSync } from 'node:fs';
import { Terminal } from '../../dist/index.js';

const terminal = new Terminal({
  allow: ['bash'],
  trustInterpreters: ['bash'],
  ...(process.argv[2] === 'off' ? { sandbox: 'off' } : {}),
});
const parallel = new AbortController();
// Its number here: in a PID namespace it has another.
const mark = `parallel-of-${process.pid}`;
const other = terminal.run(['bash', '-c', 'echo; sleep 1000; exit 0', mark], {
  signal: parallel.signal,
  onOutput: () => attack(processes().find((pid) => commandLine(pid).includes(mark))),
});

const processes = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // It ended while we looked.
  }
}

function isSupervisor(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return parent === process.pid && commandLine(pid).includes('handrail-supervisor');
  } catch {
    return false; // It ended while we looked.
  }
}

async function attack(parallelPid) {
  const victims = { host: process.pid, supervisor: processes().find(isSupervisor), parallel: parallelPid };
  const read = {};
  for (const [victim, pid] of Object.entries(victims)) {
    const script = `for f in environ maps; do v=$(tr -d '\\0' 2>/dev/null <"/proc/${pid}/$f") && [ -n "$v" ] && echo $f; done
      for f in root cwd exe; do readlink "/proc/${pid}/$f" >/dev/null 2>&1 && echo $f; done
      for f in /proc/${pid}/fd/*; do readlink "$f" >/dev/null 2>&1 && echo fd; done
      (exec 3<"/proc/${pid}/mem") 2>/dev/null && echo mem
      ls /proc/${pid}/root/ >/dev/null 2>&1 && echo root
      tr -d '\\0' <"/proc/${pid}/cmdline" | grep -q . && echo cmdline`;
    const result = await terminal.run(['bash', '-c', script]);
    read[victim] = [...new Set(result.stdout.split('\n').filter((line) => line !== ''))].sort();
  }
  parallel.abort();
  await other;
  await terminal.close();
  process.stdout.write(JSON.stringify(read));
}
