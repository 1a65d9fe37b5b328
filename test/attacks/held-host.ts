// Runs as a host of its own, perhaps as another user: judges every case of the corpus under the plan of its own lists, and runs
// those that pass. Reads a request from standard input, prints what was said and what became of the canary.
import { readFileSync } from 'node:fs';
import { Terminal, type TerminalOptions } from '../../ts/index.js';
import type { CorpusCase } from './corpus-case.js';
import { CORPUS_VARIABLES, CorpusFixture } from './corpus-fixture.js';
import { SEARCH_PATH } from './workspace.js';

export interface HeldRequest {
  /** The compiled `evil.so`. */
  readonly evil: string;
  readonly cases: readonly CorpusCase[];
}

export interface HeldAnswer {
  readonly id: string;
  /** Whether it passes where the kernel holds the list of programs, and where any program may be started. */
  readonly passes: { readonly held: boolean; readonly any: boolean };
  /** What became of the canary when it ran as it was judged; undefined for what does not pass. */
  readonly changed?: boolean;
}

const TIMEOUT_MS = 120_000;

const { evil, cases } = JSON.parse(readFileSync(0, 'utf8')) as HeldRequest;
const fixture = new CorpusFixture(evil);
const answers: HeldAnswer[] = [];
for (const one of cases) answers.push(await answerTo(one));
fixture.remove();
process.stdout.write(JSON.stringify(answers));

async function answerTo({ id, command, policy }: CorpusCase): Promise<HeldAnswer> {
  const tree = fixture.tree();
  const options: TerminalOptions = {
    ...policy,
    roots: [tree.folder],
    cwd: tree.folder,
    shell: 'bash',
    env: { set: { ...CORPUS_VARIABLES, PATH: SEARCH_PATH.join(':') } },
    timeoutMs: TIMEOUT_MS,
    graceMs: 0,
  };
  const held = new Terminal(options);
  const any = new Terminal({ ...options, confine: { exec: 'any' } });
  const passes = {
    held: held.explain(command).decision === 'allow',
    any: any.explain(command).decision === 'allow',
  };
  if (passes.held) await held.run(command);
  await Promise.all([held.close(), any.close()]);
  const changed = passes.held ? { changed: tree.isChanged() } : {};
  tree.remove();
  return { id, passes, ...changed };
}
