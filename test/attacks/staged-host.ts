// Runs as a host of its own, perhaps as another user: runs scripts with `changes: 'staged'` or without. Prints a JSON object with
// what each of them did, and what the machine has afterwards.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createToolkit, HandrailError } from '../../ts/index.js';
import type { ConfineOptions } from '../../ts/terminal/confine.js';

export interface StagedRequest {
  /** The scripts by their names, in their order. `$REAL`, `$OUTSIDE` and `$LAYERS` stand for the root, a folder beside it and that of layers. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly changes: 'direct' | 'staged';
  readonly confine?: ConfineOptions;
}

export interface StagedAnswer {
  readonly runs: Readonly<Record<string, { exitCode: number | null; output: string; committed?: boolean | undefined }>>;
  /** The files beneath the root and beside it afterwards, with their texts. */
  readonly machine: Readonly<Record<string, string>>;
  /** What is left in the folder of layers after the toolkit was closed. */
  readonly layers: readonly string[];
  /** The code of the error where there are no layers. */
  readonly refused?: string;
}

const ALLOWED = 'cat chmod cp echo env ln ls mkdir mv python3 rm rmdir sleep test touch true'.split(' ');
const TIMEOUT_MS = 20_000;

const { scripts, changes, confine } = JSON.parse(readFileSync(0, 'utf8')) as StagedRequest;
const base = realpathSync(mkdtempSync('/var/tmp/handrail-staged-test-'));
process.env['HOME'] = path.join(base, 'home');
process.env['XDG_STATE_HOME'] = path.join(base, 'state');
const real = path.join(base, 'work');
const outside = path.join(base, 'outside');
const layers = path.join(base, 'state/handrail/layers');
for (const folder of ['home', 'state', 'work/folder', 'outside'])
  mkdirSync(path.join(base, folder), { recursive: true });
writeFileSync(path.join(real, 'notes.txt'), 'noted\n');
writeFileSync(path.join(real, 'folder/inner.txt'), 'inner\n');
writeFileSync(path.join(outside, 'secret'), 'outside\n');

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).toSorted();
}

try {
  const runs: Record<string, StagedAnswer['runs'][string]> = {};
  let refused: string | undefined;
  try {
    const terminal = { allow: ALLOWED, trustInterpreters: ['python3'], shell: 'bash', timeoutMs: TIMEOUT_MS } as const;
    const toolkit = await createToolkit({
      workspace: real,
      changes,
      terminal: { ...terminal, confine: { remove: 'yes', ...confine } },
    });
    for (const [name, script] of Object.entries(scripts)) {
      const places = { $REAL: real, $OUTSIDE: outside, $LAYERS: layers };
      const text = Object.entries(places).reduce((all, [from, to]) => all.replaceAll(from, to), script);
      const { output, exitCode, staged } = await toolkit.terminal.run(text);
      runs[name] = { exitCode, output, committed: staged?.committed };
    }
    await toolkit.close();
  } catch (error) {
    if (!(error instanceof HandrailError)) throw error;
    refused = error.code;
  }
  const machine = ['work', 'outside'].flatMap((name) =>
    filesOf(path.join(base, name)).map((file) => `${name}/${file}`),
  );
  process.stdout.write(
    JSON.stringify({
      runs,
      ...(refused === undefined ? {} : { refused }),
      layers: existsSync(layers) ? readdirSync(layers) : [],
      machine: Object.fromEntries(machine.map((file) => [file, readFileSync(path.join(base, file), 'utf8')])),
    } satisfies StagedAnswer),
  );
} finally {
  rmSync(base, { recursive: true, force: true });
}
