/** A process of the host that no command may change, and how it runs. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export class Victim {
  /** In a session of its own: the weight of a session belongs to all of it. */
  readonly #child: ChildProcess = spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** All that the rows try to change; also of the control group that `work` may link to. */
  state(work: string): string {
    const own = (name: string): string => read(`/proc/${this.pid}/${name}`);
    const [, ...fields] = own('stat').split(') ');
    // Nice value and policy by their places in proc(5), after the name.
    const numbers = fields.join(' ').split(' ');
    const schedule = [numbers[16], numbers[38]].join(' ');
    const named = own('status')
      .split('\n')
      .filter((line) => line.startsWith('Cpus_allowed_list') || line.startsWith('State:\tZ'));
    const files = ['limits', 'oom_score_adj', 'coredump_filter', 'autogroup', 'cgroup'].map(own);
    const group = ['cgroup.freeze', 'freezer.state'].map((name) => read(path.join(work, 'group', name)));
    return [schedule, ...named, ...files, ...group, this.#ioPriority()].join('\n');
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }

  #ioPriority(): string {
    try {
      return execFileSync('ionice', ['-p', String(this.pid)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch {
      return 'gone';
    }
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
