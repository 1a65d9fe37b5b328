/** Processes that take no signal, SIGKILL included, before they are thawed. */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { until } from '../support/processes.js';

/** Where a test may make a group: root with control groups of version 1, or of version 2. */
const FREEZER = '/sys/fs/cgroup/freezer';
const UNIFIED = '/sys/fs/cgroup';

export interface Freezer {
  /** `stopped`: no group can be made here, so the processes were stopped, and do take SIGKILL. */
  readonly kind: 'frozen' | 'stopped';
  freeze(pids: readonly number[]): Promise<void>;
  /** Lets all of them go on, and removes the group once it is empty. Can be called again. */
  thaw(): Promise<void>;
}

let count = 0;

export function makeFreezer(): Freezer {
  count += 1;
  const name = `handrail-test-${process.pid}-${count}`;
  const one = group(path.join(FREEZER, name), 'freezer.state', ['FROZEN', 'THAWED'], 'freezer.state', /^FROZEN$/m);
  return (
    one ?? group(path.join(UNIFIED, name), 'cgroup.freeze', ['1', '0'], 'cgroup.events', /^frozen 1$/m) ?? stopper()
  );
}

/** Undefined where it cannot be made. */
function group(
  folder: string,
  control: string,
  [freeze, thaw]: readonly [string, string],
  state: string,
  frozen: RegExp,
): Freezer | undefined {
  const file = (name: string): string => path.join(folder, name);
  try {
    mkdirSync(folder);
  } catch {
    return;
  }
  try {
    writeFileSync(file(control), thaw, { flag: 'r+' });
  } catch {
    // No freezer here.
    rmdirSync(folder);
    return;
  }
  let isThere = true;
  return {
    kind: 'frozen',
    async freeze(pids) {
      for (const pid of pids) writeFileSync(file('cgroup.procs'), String(pid), { flag: 'r+' });
      writeFileSync(file(control), freeze, { flag: 'r+' });
      const isFrozen = (): boolean => frozen.test(readFileSync(file(state), 'utf8'));
      if ((await until(isFrozen)) === undefined) throw new Error('nothing was frozen');
    },
    async thaw() {
      if (!isThere) return;
      writeFileSync(file(control), thaw, { flag: 'r+' });
      const isEmpty = (): boolean => readFileSync(file('cgroup.procs'), 'utf8') === '';
      await until(isEmpty);
      rmdirSync(folder);
      isThere = false;
    },
  };
}

function stopper(): Freezer {
  const stopped: number[] = [];
  const send = (pids: readonly number[], signal: NodeJS.Signals): void => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  };
  return {
    kind: 'stopped',
    freeze(pids) {
      stopped.push(...pids);
      send(pids, 'SIGSTOP');
      return Promise.resolve();
    },
    thaw() {
      send(stopped, 'SIGCONT');
      return Promise.resolve();
    },
  };
}
