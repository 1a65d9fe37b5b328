// Runs as a host of its own, perhaps as another user: runs scripts and calls of file tools in a layer over a root, or without
// one. Prints a JSON object with what each of them did, and what the machine has afterwards.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { discardLayer } from '../../ts/files/layer-changes.js';
import { makeLayer } from '../../ts/files/layers.js';
import { Files, HandrailError, Terminal } from '../../ts/index.js';
import type { ConfineOptions } from '../../ts/terminal/confine.js';
import { Engine, type EngineOptions } from '../../ts/terminal/engine.js';
import { checkTerminalOptions, rootsOption } from '../../ts/terminal/options.js';
import { openRoots } from '../../ts/terminal/roots.js';
import { Runner } from '../../ts/terminal/runner.js';

export interface LayerRequest {
  /** The scripts by their names, in their order. `$REAL`, `$OUTSIDE`, `$LAYER` and `$HOST` stand for the path of the root, of a folder beside it, of the layer's folder and of the host's process. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Files that the file tools write after the scripts. */
  readonly writes?: readonly string[];
  /** Files that they read after that. */
  readonly reads?: readonly string[];
  /** A script that makes more of the root before the layer begins. */
  readonly prepare?: string;
  readonly layer: boolean;
  readonly judging: boolean;
  /** `$REAL` in it stands for the path of the root. */
  readonly confine?: ConfineOptions;
  readonly kernel?: EngineOptions['kernel'];
}

export interface LayerAnswer {
  readonly runs: Readonly<Record<string, { decision: string; exitCode: number | null; output: string }>>;
  /** The rule or the code of each refusal, or what was read. */
  readonly files: Readonly<Record<string, string>>;
  /** The files that lie beneath the root and beside it afterwards, with their texts. */
  readonly machine: Readonly<Record<string, string>>;
  /** The files of the layer, by their names. */
  readonly upper: readonly string[];
  /** The code of the error where there is no layer. */
  readonly refused?: string;
}

const ALLOWED = 'cat chmod cp echo env ln ls mkdir mv node python3 rm rmdir test touch true'.split(' ');
const TIMEOUT_MS = 20_000;

const {
  scripts,
  prepare,
  writes = [],
  reads = [],
  layer,
  judging,
  confine,
  kernel,
} = JSON.parse(readFileSync(0, 'utf8')) as LayerRequest;
const base = realpathSync(mkdtempSync('/var/tmp/handrail-layer-test-'));
process.env['HOME'] = path.join(base, 'home');
process.env['XDG_STATE_HOME'] = path.join(base, 'state');
const real = path.join(base, 'work');
const outside = path.join(base, 'outside');
for (const folder of ['home/.ssh', 'state', 'work/.git/hooks', 'work/folder', 'outside']) {
  mkdirSync(path.join(base, folder), { recursive: true });
}
writeFileSync(path.join(real, 'notes.txt'), 'noted\n');
writeFileSync(path.join(real, 'folder/inner.txt'), 'inner\n');
writeFileSync(path.join(real, 'code.sh'), 'echo harmless\n');
writeFileSync(path.join(outside, 'secret'), 'outside\n');
writeFileSync(path.join(base, 'home/.ssh/id_ed25519'), 'key\n');
linkSync(path.join(base, 'home/.ssh/id_ed25519'), path.join(real, 'linked'));

if (prepare !== undefined) execFileSync('sh', ['-ec', prepare], { cwd: real });
const held = JSON.parse(JSON.stringify(confine ?? {}).replaceAll('$REAL', real)) as ConfineOptions;

/** The files beneath a folder, by their paths from there. */
function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).toSorted();
}

try {
  const below = new Files({ roots: [{ path: real, mode: 'rw' }], changes: false });
  const folder = await makeLayer(below, [real]);
  const engine = new Engine({ judging, roots: [real], ...(kernel === undefined ? {} : { kernel }) });
  const options = {
    allow: ALLOWED,
    trustInterpreters: ['node', 'python3'],
    shell: 'bash',
    roots: [{ path: real, mode: 'rw' }],
    timeoutMs: TIMEOUT_MS,
    confine: { remove: 'yes', ...held },
  } as const;
  let roots = openRoots(rootsOption(options.roots));
  const answer = { runs: {}, files: {} } as {
    runs: Record<string, LayerAnswer['runs'][string]>;
    files: Record<string, string>;
    refused?: string;
  };
  try {
    if (layer) {
      engine.enterLayer(folder, roots, roots);
      roots = engine.inLayer(roots);
    }
    const runner = new Runner(checkTerminalOptions(options), { engine, roots });
    const terminal = new Terminal(options, { runner });
    const files = new Files({ roots: options.roots }, roots);
    for (const [name, script] of Object.entries(scripts)) {
      const places = { $REAL: real, $OUTSIDE: outside, $LAYER: folder, $HOST: `/proc/${process.pid}` };
      const text = Object.entries(places).reduce((all, [from, to]) => all.replaceAll(from, to), script);
      const { output, exitCode, decision } = await terminal.run(text);
      answer.runs[name] = { decision: decision.decision, exitCode, output };
    }
    for (const name of writes) {
      const written = await files.write(name, 'written\n');
      answer.files[name] = written.ok ? 'written' : (written.refusal.rule ?? written.refusal.code);
    }
    for (const name of reads) {
      const read = await files.read(name);
      answer.files[name] = read.ok ? read.text : (read.refusal.rule ?? read.refusal.code);
    }
    await terminal.close();
    await files.close();
    runner.close();
  } catch (error) {
    if (!(error instanceof HandrailError)) throw error;
    answer.refused = error.code;
  }
  await engine.close();
  roots.close();
  const upper = filesOf(path.join(folder, '0/upper'));
  await discardLayer(below, folder);
  await below.close();
  const machine = ['work', 'outside'].flatMap((name) =>
    filesOf(path.join(base, name)).map((file) => `${name}/${file}`),
  );
  process.stdout.write(
    JSON.stringify({
      ...answer,
      upper: existsSync(folder) ? ['not discarded'] : upper,
      machine: Object.fromEntries(machine.map((file) => [file, readFileSync(path.join(base, file), 'utf8')])),
    } satisfies LayerAnswer),
  );
} finally {
  // What was made before may have folders in which nobody may write.
  execFileSync('chmod', ['-R', 'u+rwX', real]);
  rmSync(base, { recursive: true, force: true });
}
