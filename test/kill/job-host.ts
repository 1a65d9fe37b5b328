// A host with jobs, each with programs that try to outlive it. Says so, and waits to be killed.

import { Jobs } from '../../ts/jobs/jobs.js';
import { Engine } from '../../ts/terminal/engine.js';
import { checkTerminalOptions } from '../../ts/terminal/options.js';
import { Runner } from '../../ts/terminal/runner.js';
import { Terminal } from '../../ts/terminal/terminal.js';

const [, , script = '', count = '1', guard] = process.argv;
const engine = new Engine({ maxJobs: Number(count), ...(guard === 'off' ? { killing: false, confine: false } : {}) });
const sandbox = guard === 'off' ? { sandbox: 'off' as const } : {};
const options = { allow: ['bash'], trustInterpreters: ['bash'], ...sandbox };
const runner = new Runner(checkTerminalOptions(options), { engine });
const terminal = new Terminal(options, { runner });
const jobs = new Jobs({ terminal, runner, jobMs: 3_600_000, onEnd: () => undefined });
const started = await Promise.all(
  Array.from({ length: Number(count) }, () => jobs.start(['bash', '-c', script], { stdin: 'none' })),
);
process.stdout.write('started\n');
await Promise.all(started.map((job) => job.wait({ timeoutMs: 86_400_000 })));
