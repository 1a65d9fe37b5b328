// Runs as a host of its own, perhaps as another user: a command ends the supervisor and the worker that would end it, and
// leaves a process. Reads a request from standard input, prints what became of it.
import { readFileSync } from 'node:fs';
import { HandrailError, Terminal } from '../../ts/index.js';
import type { Survivors } from '../../ts/report/survivors.js';
import { Engine, type EngineOptions } from '../../ts/terminal/engine.js';
import { supervisorsOf } from '../kill/family.js';

export interface KillingRequest {
  /** In the command line of what is left. */
  readonly mark: string;
  readonly kernel: NonNullable<EngineOptions['kernel']>;
}

export interface KillingAnswer {
  readonly survivors: Survivors;
  /** Whether the worker could still tell how the command ended. */
  readonly worker: 'lives' | 'lost';
  /** By guarantee. */
  readonly levels: Readonly<Record<string, string>>;
  /** Whether a terminal that requires `host` may start. */
  readonly host: boolean;
}

const { mark, kernel } = JSON.parse(readFileSync(0, 'utf8')) as KillingRequest;
const engine = new Engine({ kernel });
const options = { allow: ['bash'], trustInterpreters: ['bash'], roots: ['/tmp'] };
const terminal = new Terminal(options, { engine });
await terminal.run(['bash', '-c', 'true']);
const supervisor = supervisorsOf()[0];
// Stopped first: neither can do anything about the end of the other. The command ends with its worker.
const script = `setsid sleep ${mark} </dev/null >/dev/null 2>&1 &
  kill -STOP ${supervisor} $PPID; kill -KILL ${supervisor}; kill -KILL $PPID; wait -n`;
const run = terminal.run(['bash', '-c', script], { timeoutMs: 1_000 });
const { survivors, failure } = await run;
const { features } = terminal.capabilities();
await terminal.close();
const host = await new Terminal({ ...options, require: ['host'] }, { engine }).ready().then(
  () => true,
  (error: unknown) => {
    if (error instanceof HandrailError && error.code === 'ERR_GUARANTEE_UNAVAILABLE') return false;
    throw error;
  },
);
await engine.close();
const levels = Object.fromEntries(features.map(({ feature, level }) => [feature, level]));
const answer: KillingAnswer = { survivors, worker: failure === undefined ? 'lives' : 'lost', levels, host };
process.stdout.write(JSON.stringify(answer));
