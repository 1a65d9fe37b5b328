// Describes the machine of a benchmark, and its load meanwhile.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { rounded } from './statistics.mjs';

/** Fields of the `cpu` line of /proc/stat, in its order. */
const CPU_FIELDS = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'];

function cpuTicks() {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0];
  const ticks = line
    .trim()
    .split(/\s+/)
    .slice(1, CPU_FIELDS.length + 1)
    .map(Number);
  return Object.fromEntries(CPU_FIELDS.map((name, index) => [name, ticks[index]]));
}

export function machine() {
  const [first] = os.cpus();
  return {
    cores: os.availableParallelism(),
    processor: first?.model ?? 'unknown',
    memoryGiB: rounded(os.totalmem() / 2 ** 30, 1),
    kernel: os.release(),
    node: process.version,
  };
}

/** Starts to watch the load of the machine; the returned function gives the load since then. */
export function watchLoad() {
  const before = cpuTicks();
  const loadBefore = os.loadavg()[0];
  return () => {
    const after = cpuTicks();
    const ticksSpent = (name) => after[name] - before[name];
    const all = CPU_FIELDS.reduce((sum, name) => sum + ticksSpent(name), 0);
    const percent = (name) => rounded((100 * ticksSpent(name)) / Math.max(1, all), 1);
    return {
      loadBefore: rounded(loadBefore, 2),
      loadAfter: rounded(os.loadavg()[0], 2),
      idlePercent: percent('idle'),
      stealPercent: percent('steal'),
    };
  };
}

export function describeMachine(machine, load) {
  const { cores, processor, kernel, node } = machine;
  return [
    `${cores} cores (${processor}), Linux ${kernel}, Node ${node}`,
    `load ${load.loadBefore} before, ${load.loadAfter} after, ` +
      `${load.idlePercent} % idle, ${load.stealPercent} % stolen`,
  ];
}
