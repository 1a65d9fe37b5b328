// Runs as a host of its own, perhaps as another user: judges every case of the corpus under the plan of its own lists and under
// one that keeps every file as it is, and runs those that pass. Reads a request from standard input, prints what was said and
// what became of the canary.
import { readFileSync } from 'node:fs';
import { type ConfineOptions, Terminal } from '../../ts/index.js';
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
  /**
   * Whether it passes where the kernel holds the list of programs and the roots, where it holds neither, where it holds the
   * roots alone, and where any program may be started and nothing may be written.
   */
  readonly passes: { readonly held: boolean; readonly loose: boolean; readonly any: boolean; readonly kept: boolean };
  /** Whether the canary changed when it ran as it was judged, with the list and with nothing to write; undefined for what does not pass. */
  readonly changed: { readonly held?: boolean; readonly kept?: boolean };
}

const TIMEOUT_MS = 120_000;

const { evil, cases } = JSON.parse(readFileSync(0, 'utf8')) as HeldRequest;
const fixture = new CorpusFixture(evil);
const answers: HeldAnswer[] = [];
for (const one of cases) answers.push(await answerTo(one));
fixture.remove();
process.stdout.write(JSON.stringify(answers));

async function answerTo({ id, command, policy }: CorpusCase): Promise<HeldAnswer> {
  const [held, loose, any, kept] = [
    await passed(command, policy, {}),
    await passed(command, policy, { exec: 'any', writes: 'any' }, false),
    await passed(command, policy, { exec: 'any' }, false),
    await passed(command, policy, { exec: 'any', writes: 'none' }),
  ];
  const passes = { held: held.passes, loose: loose.passes, any: any.passes, kept: kept.passes };
  return { id, passes, changed: { ...changedOf('held', held), ...changedOf('kept', kept) } };
}

interface Passed {
  readonly passes: boolean;
  readonly changed?: boolean;
}

function changedOf(name: string, { changed }: Passed): Readonly<Record<string, boolean>> {
  return changed === undefined ? {} : { [name]: changed };
}

/** Judges a command under a plan, in a work tree of its own, and runs it when it passes. */
async function passed(
  command: string,
  policy: CorpusCase['policy'],
  confine: ConfineOptions,
  runs = true,
): Promise<Passed> {
  const tree = fixture.tree();
  const terminal = new Terminal({
    ...policy,
    confine,
    roots: [tree.folder],
    cwd: tree.folder,
    shell: 'bash',
    env: { set: { ...CORPUS_VARIABLES, PATH: SEARCH_PATH.join(':') } },
    timeoutMs: TIMEOUT_MS,
    graceMs: 0,
  });
  const passes = terminal.explain(command).decision === 'allow';
  if (passes && runs) await terminal.run(command);
  await terminal.close();
  const changed = passes && runs ? { changed: tree.isChanged() } : {};
  tree.remove();
  return { passes, ...changed };
}
