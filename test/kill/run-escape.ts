import type { CommandResult } from '../../ts/index.js';
import { Engine, type EngineOptions } from '../../ts/terminal/engine.js';
import { Terminal } from '../../ts/terminal/terminal.js';
import { pastDeadline } from '../support/deadlines.js';
import { marker } from '../support/processes.js';
import { AMPLE_DEADLINE_MS, type Escape, GRACE_MS } from './corpus.js';

/** A terminal that lets bash run anything, on an engine with these switches. */
export function looseTerminal(options: EngineOptions = {}): { terminal: Terminal; close(): Promise<void> } {
  const engine = new Engine(options);
  const sandbox = options.confine === false ? { sandbox: 'off' as const } : {};
  const terminal = new Terminal(
    { allow: ['bash'], trustInterpreters: ['bash'], graceMs: GRACE_MS, ...sandbox },
    { engine },
  );
  return { terminal, close: () => engine.close() };
}

export interface Escaped {
  readonly mark: string;
  readonly result: CommandResult;
}

/** Runs one escape to its end. */
export async function runEscape(terminal: Terminal, attack: Escape): Promise<Escaped> {
  const mark = marker();
  const argv = ['bash', '-c', attack.script.replaceAll('MARK', mark)];
  const result =
    attack.deadlineMs === undefined
      ? await terminal.run(argv, { timeoutMs: AMPLE_DEADLINE_MS })
      : await pastDeadline(
          (timeoutMs) => terminal.run(argv, { timeoutMs }),
          ({ status, stdout }) => status !== 'timed_out' || stdout !== '',
          attack.deadlineMs,
        );
  return { mark, result };
}
