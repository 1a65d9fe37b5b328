// Runs as a host of its own, perhaps as another user: tries each row that it reads from standard input, with the plan or
// without, unjudged. Prints a JSON object {row: {happened, output}}.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Terminal } from '../../ts/index.js';
import { Engine, type EngineOptions } from '../../ts/terminal/engine.js';
import { type HostSockets, openSockets } from './host-sockets.js';
import { openTerminal } from './host-terminal.js';
import type { KernelAttack } from './kernel-attack.js';
import { Victim } from './victim.js';
import { missing, Workspace } from './workspace.js';

export interface KernelRequest {
  readonly guard: 'on' | 'off';
  /** What is used of the kernel. Absent: all it has. */
  readonly kernel?: EngineOptions['kernel'];
  /** Where the programs were compiled to. */
  readonly programs: string;
  readonly rows: readonly KernelAttack[];
}

export interface KernelAnswer {
  readonly happened: boolean;
  readonly output: string;
  /** What this machine lacks for the row; it was not tried then. */
  readonly lacks: readonly string[];
}

const AT_ONCE = 4;

/** What is done to a process shows a moment after the command has ended: without the plan it is waited for, with it looked for. */
const SHOWS_WITHIN_MS = { off: 20_000, on: 200 };
const LOOK_EVERY_MS = 50;
const TIMEOUT_MS = 120_000;

const { guard, kernel, programs, rows } = JSON.parse(readFileSync(0, 'utf8')) as KernelRequest;
const engine = new Engine({ judging: false, confine: guard === 'on', ...(kernel === undefined ? {} : { kernel }) });
const sockets = await openSockets(programs);
const terminal = await openTerminal(programs);
const answers: Record<string, KernelAnswer> = {};
const waiting = [...rows];
await Promise.all(Array.from({ length: AT_ONCE }, worker));
await sockets.close();
await terminal.close();
await engine.close();
process.stdout.write(JSON.stringify(answers));

async function worker(): Promise<void> {
  for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
    const lacks = missing(row.needs, [programs]);
    answers[row.id] = lacks.length > 0 ? { happened: false, output: '', lacks } : await attempt(row, sockets);
  }
}

async function attempt(row: KernelAttack, { places, got }: HostSockets): Promise<KernelAnswer> {
  const victim = row.effect === 'victim' ? new Victim() : undefined;
  const token = `token-${row.id}-${process.pid}`;
  let place: Workspace | undefined;
  try {
    const numbers = { VICTIM: String(victim?.pid), HOST: String(process.pid), TOKEN: token };
    place = new Workspace(row, programs, { ...places, ...terminal.places, ...numbers });
    const watched = row.watched === '' ? undefined : place.filled(row.watched);
    const before = { state: victim?.state(place.root), content: content(watched), changed: changed(watched) };
    const output = await unjudged(row, place);
    const lacks = output.trim() === 'lacks' ? ['the call'] : [];
    let happened: boolean;
    switch (row.effect) {
      case 'reached':
        happened = await got(token);
        break;
      case 'said':
        happened = output.includes('done');
        break;
      case 'victim':
        happened = await isSoon(() => victim?.state(place?.root ?? '') !== before.state);
        break;
      case 'changed':
        happened = content(watched) !== before.content;
        if (happened && watched !== undefined) writeFileSync(watched, before.content ?? '');
        break;
      case 'marked':
        happened = changed(watched) !== before.changed;
        break;
      default:
        happened = place.happened(row.effect);
    }
    return { happened, output, lacks };
  } catch (error) {
    return { happened: false, output: String(error), lacks: ['its setup'] };
  } finally {
    tidy(row, place);
    victim?.end();
  }
}

async function unjudged(row: KernelAttack, place: Workspace): Promise<string> {
  const terminal = new Terminal(
    {
      allow: [...row.allow],
      roots: [place.root],
      path: [programs],
      timeoutMs: TIMEOUT_MS,
      graceMs: 0,
      ...(guard === 'off' ? { sandbox: 'off' } : { confine: row.confine }),
    },
    { engine },
  );
  try {
    const result = await terminal.run(place.command, { stdin: place.filled(row.input) });
    return result.output === '' ? result.status : result.output;
  } finally {
    await terminal.close();
  }
}

async function isSoon(isSo: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < SHOWS_WITHIN_MS[guard]; waited += LOOK_EVERY_MS) {
    if (isSo()) return true;
    await setTimeout(LOOK_EVERY_MS);
  }
  return isSo();
}

function tidy(row: KernelAttack, place: Workspace | undefined): void {
  try {
    place?.runByTest(row.cleanup);
  } catch {
    // There was nothing to tidy.
  }
  place?.remove();
}

function content(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'gone';
  }
}

/** When a file, or what is known about it, was changed last. */
function changed(file: string | undefined): bigint | undefined {
  return file === undefined ? undefined : statSync(file, { bigint: true }).ctimeNs;
}
