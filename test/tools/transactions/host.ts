/**
 * Runs as a host of its own, perhaps as another user: tries random scripts on random trees, in a transaction that is dropped, in one
 * that is brought over and taken back, and without one. Prints what it found as JSON.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createToolkit, type Toolkit } from '../../../ts/index.js';
import { Random } from '../../support/random.js';
import { type Step, scriptOf } from './script.js';
import { differences, type EntryState, makeTree, stateOf, type TreeState } from './tree.js';

export interface ScriptsRequest {
  readonly firstSeed: number;
  readonly count: number;
}

export interface ScriptsAnswer {
  /** For each seed with which something is wrong: what. */
  readonly failures: readonly string[];
  /** How many commands and calls of file tools there were, and how many did what they were asked to. */
  readonly commands: number;
  readonly done: number;
}

const ALLOWED = 'bash chmod cp echo false find git ln mkdir mv printf rm rmdir sed tar touch truncate'.split(' ');
/** A seed has a repository, one out of so many. */
const GIT_SHARE = 4;
const GIT = {
  ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@localhost', GIT_AUTHOR_DATE: '1600000000 +0000' },
  ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@localhost', GIT_COMMITTER_DATE: '1600000000 +0000' },
};

/** What is said of a script that ran to no end. */
const NOT_RUN = 'not run';

const { firstSeed, count } = JSON.parse(readFileSync(0, 'utf8')) as ScriptsRequest;
const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-scripts-')));
Object.assign(process.env, GIT, { HOME: path.join(base, 'home'), XDG_STATE_HOME: path.join(base, 'state') });
mkdirSync(path.join(base, 'home'));
const work = path.join(base, 'work');
const copy = path.join(base, 'copy');
const failures: string[] = [];
let commandCount = 0;
let doneCount = 0;

const sh = (script: string, cwd: string): string => execFileSync('bash', ['-c', script], { cwd, encoding: 'utf8' });

function remove(folder: string): void {
  // Its owner may not remove what is in a folder that is read-only.
  if (existsSync(folder)) sh('find . -type d -exec chmod u+rwx {} +', folder);
  rmSync(folder, { recursive: true, force: true });
}

function makeToolkit(workspace: string): Promise<Toolkit> {
  return createToolkit({
    workspace,
    approve: () => ({ approved: true }),
    terminal: { allow: ALLOWED, shell: 'bash', confine: { remove: 'yes' }, env: { set: GIT } },
  });
}

/** Runs a step, and says of each command and call whether it did what it was asked to. */
async function runStep(toolkit: Toolkit, step: Step): Promise<string> {
  if (step.kind === 'file') {
    // A tool changes what was read.
    const { path: file } = step.args;
    if (typeof file === 'string') await toolkit.execute('file_read', { path: file });
    const { isError } = await toolkit.execute(step.tool, step.args);
    return isError ? 'no' : 'yes';
  }
  const script = step.commands.map((command) => `if { ${command}; } 2> /dev/null; then echo yes; else echo no; fi`);
  if (step.kind === 'shell') {
    const { exitCode, stdout, output } = await toolkit.terminal.run(script.join('\n'));
    return exitCode === 0 ? words(stdout) : `${NOT_RUN}: ${output}`;
  }
  const { exitCode, stdout, output } = await (await toolkit.jobs.start(script.join('\n'))).ended;
  return exitCode === 0 ? words(stdout) : `${NOT_RUN}: ${output}`;
}

const words = (output: string): string => output.trim().replaceAll('\n', ' ');

async function runScript(toolkit: Toolkit, script: readonly Step[]): Promise<string> {
  const said: string[] = [];
  for (const step of script) said.push(await runStep(toolkit, step));
  return said.join(' ');
}

/** All of an entry. */
const whole = (entry: EntryState): object => entry;

/**
 * An entry as a second run of the same script leaves it as well: times of now are others. The index of a repository has those, and
 * numbers of files. What is made and removed again in a folder is no change, so that where there is no other no folder gets a
 * time, and a root itself only with an entry that changes.
 */
function repeatable(begun: bigint, hasChanged: boolean, keepsLinks: boolean) {
  return ({ modified, content, first, ...entry }: EntryState, name: string): object => ({
    ...entry,
    modified: modified >= begun || name === '' || (entry.kind === 'folder' && !hasChanged) ? 'now' : modified,
    content: name.endsWith('.git/index') ? '' : content,
    first: keepsLinks ? first : '',
  });
}

async function trySeed(seed: number): Promise<void> {
  const random = new Random(seed);
  remove(work);
  remove(copy);
  mkdirSync(work);
  const tree = makeTree(work, random);
  const { hasLinks } = tree;
  const hasGit = random.oneIn(GIT_SHARE);
  if (hasGit) sh('git init -q -b main && git add -A && git commit -q --allow-empty -m first', work);
  // Where a file has several names, a layer gives one that is written to a file of its own.
  sh(`cp -a ${hasLinks ? '--no-preserve=links' : ''} work copy`, base);
  // Its index knows the files of the other one.
  if (hasGit) sh('git update-index -q --refresh', copy);
  const script = scriptOf(random, tree, hasGit);
  const before = stateOf(work);
  const problems: string[] = [];
  const check = (
    what: string,
    trees: readonly [TreeState, TreeState],
    said: (entry: EntryState, name: string) => object = whole,
  ): void => {
    const found = differences(trees, said);
    if (found.length > 0) problems.push(`${what}:\n    ${found.join('\n    ')}`);
  };
  const begun = BigInt(Date.now() - 1000) * 1_000_000n;
  const toolkit = await makeToolkit(work);
  const dropped = await toolkit.transaction();
  const saidDropped = await runScript(dropped.toolkit, script);
  check('in a transaction', [before, stateOf(work)]);
  await dropped.discard();
  check('dropped', [before, stateOf(work)]);

  const kept = await toolkit.transaction();
  const said = await runScript(kept.toolkit, script);
  const committed = await kept.commit();
  const after = stateOf(work);
  {
    const direct = await makeToolkit(copy);
    const saidDirect = await runScript(direct, script).finally(() => direct.close());
    if (said.includes(NOT_RUN)) problems.push(said);
    if (said !== saidDropped) problems.push(`two transactions: ${saidDropped} / ${said}`);
    if (said !== saidDirect && !hasLinks) problems.push(`the calls: ${said} / ${saidDirect}`);
    commandCount += said.split(' ').length;
    doneCount += said.split(' ').filter((word) => word === 'yes').length;
  }
  if (!committed.ok || !committed.committed) problems.push(`not brought over: ${JSON.stringify(committed)}`);
  check(
    'brought over / direct',
    [after, stateOf(copy)],
    repeatable(begun, committed.ok && committed.id !== undefined, !hasLinks),
  );
  if (committed.ok && committed.id !== undefined) {
    const undone = await toolkit.undo(committed.id);
    if (!undone.ok) problems.push(`not taken back: ${JSON.stringify(undone)}`);
  }
  await toolkit.close();
  check('taken back', [before, stateOf(work)]);
  if (problems.length > 0) failures.push(`seed ${seed}:\n  ${problems.join('\n  ')}\n  ${JSON.stringify(script)}`);
}

try {
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) await trySeed(seed);
  process.stdout.write(JSON.stringify({ failures, commands: commandCount, done: doneCount } satisfies ScriptsAnswer));
} finally {
  remove(base);
}
