// Runs as a host of its own, perhaps as another user: runs scripts in a root that commands know by a second path. Prints a
// JSON object with what each script did.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

import { Terminal } from '../../ts/index.js';
import type { ConfineOptions } from '../../ts/terminal/confine.js';
import { Engine, type EngineOptions } from '../../ts/terminal/engine.js';
import { checkTerminalOptions, rootsOption } from '../../ts/terminal/options.js';
import { openRoots, rootsOfViews } from '../../ts/terminal/roots.js';
import { Runner } from '../../ts/terminal/runner.js';
import { SHOWN_AS, type ShownRoot } from '../../ts/terminal/second-path.js';

export interface ShownRequest {
  /** The second path. */
  readonly shownAs: string;
  /** The scripts by their names. `$REAL` and `$OUTSIDE` stand for the path of the root and of a folder beside it. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly judging: boolean;
  readonly confine?: ConfineOptions;
  readonly kernel?: EngineOptions['kernel'];
}

export interface ShownAnswer {
  readonly real: string;
  readonly runs: Readonly<
    Record<
      string,
      {
        readonly decision: string;
        readonly exitCode: number | null;
        readonly output: string;
        /** What the model is told that the kernel refused. */
        readonly notes: readonly string[];
      }
    >
  >;
  /** The files beneath the root and the folder beside it that a script made, by their names. */
  readonly made: Readonly<Record<string, string>>;
  /** Whether the machine has something at the second path. */
  readonly isOnMachine: boolean;
}

const ALLOWED = 'cat chmod cp echo head ls mkdir mv printf ps pwd python3 readlink rmdir test touch true wc'.split(' ');
const TIMEOUT_MS = 20_000;
/** Files of the root that scripts write to, or try to. */
const MADE = ['out.txt', 'moved/f', '.git/hooks/pre-commit', '../outside/made', '../made'];

const { shownAs, scripts, judging, confine, kernel } = JSON.parse(readFileSync(0, 'utf8')) as ShownRequest;
// Of a folder for temporary files a command may have its own.
const base = realpathSync(mkdtempSync('/var/tmp/handrail-shown-test-'));
const real = path.join(base, 'work');
const outside = path.join(base, 'outside');
for (const folder of ['work/sub', 'work/hidden', 'work/moved', 'work/.git/hooks', 'outside']) {
  mkdirSync(path.join(base, folder), { recursive: true });
}
writeFileSync(path.join(real, 'notes.txt'), 'noted\n');
writeFileSync(path.join(real, '.env'), 'covered\n');
writeFileSync(path.join(real, 'hidden/env'), 'rm notes.txt\n');
writeFileSync(path.join(outside, 'secret'), 'outside\n');
symlinkSync(`${shownAs}/hidden`, path.join(real, 'linked'));
symlinkSync(`${shownAs}/..${outside}`, path.join(real, 'up'));
try {
  const engine = new Engine({ judging, roots: [real], ...(kernel === undefined ? {} : { kernel }) });
  const given: ShownRoot = { path: real, mode: 'rw', [SHOWN_AS]: shownAs };
  const options = {
    allow: ALLOWED,
    trustInterpreters: ['python3'],
    shell: 'bash',
    roots: rootsOfViews([given], engine),
    timeoutMs: TIMEOUT_MS,
    confine: { remove: 'yes', reads: 'roots', ...confine },
  } as const;
  const roots = openRoots(rootsOption(options.roots));
  const runner = new Runner(checkTerminalOptions(options), { engine, roots });
  const terminal = new Terminal(options, { runner });
  const runs: Record<string, ShownAnswer['runs'][string]> = {};
  for (const [name, script] of Object.entries(scripts)) {
    const text = script.replaceAll('$REAL', real).replaceAll('$OUTSIDE', outside);
    const { output, exitCode, decision, blocked = [] } = await terminal.run(text);
    runs[name] = { decision: decision.decision, exitCode, output, notes: blocked.map(({ message }) => message) };
  }
  const made = MADE.map((name) => [name, path.join(real, name)] as const).filter(([, file]) => existsSync(file));
  const answer: ShownAnswer = {
    ...{ real, runs, isOnMachine: existsSync(`/${shownAs.split('/')[1]}`) },
    made: Object.fromEntries(made.map(([name, file]) => [name, readFileSync(file, 'utf8')])),
  };
  process.stdout.write(JSON.stringify(answer));
  await terminal.close();
  runner.close();
  await engine.close();
  roots.close();
} finally {
  rmSync(base, { recursive: true, force: true });
}
