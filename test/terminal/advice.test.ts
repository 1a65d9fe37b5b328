/** Every piece of advice that a refusal of the test data gives is applied, and the command is judged again. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Advice,
  type Decision,
  type OptionAdvice,
  type Reason,
  type Rule,
  Terminal,
  type TerminalOptions,
} from '../../ts/index.js';
import { liftOf } from '../../ts/report/lift.js';
import { REPOSITORY } from '../support/copy.js';

interface Case {
  readonly command: string;
  readonly options: TerminalOptions;
}

interface Lists {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

function read(file: string): { cases: readonly (Lists & { command: string; shell?: 'bash'; policy?: Lists })[] } {
  return JSON.parse(readFileSync(path.join(REPOSITORY, 'test/corpus', file), 'utf8'));
}

function ruleOf(entry: string): Rule {
  const [program = '', ...args] = entry.split(' ');
  return args.length === 0 ? program : { program, args };
}

function listsOf({ allow, deny }: Lists): TerminalOptions {
  return { ...(allow && { allow: allow.map(ruleOf) }), ...(deny && { deny: deny.map(ruleOf) }) };
}

const SHELLS = ['none', 'bash'] as const;
const CORPUS: readonly Case[] = read('commands.json').cases.flatMap(({ command, policy = {} }) =>
  SHELLS.map((shell): Case => ({ command, options: { ...listsOf(policy), shell } })),
);
const REFUSED: readonly Case[] = read('refused.json').cases.map(({ command, shell, ...lists }) => ({
  command,
  options: { ...listsOf(lists), shell: shell ?? 'none' },
}));

/** Nothing is run here. */
async function judged({ command, options }: Case): Promise<Decision> {
  await using terminal = new Terminal(options);
  return terminal.explain(command);
}

/** As a host that follows the advice. */
function withOptions({ command, options }: Case, advice: readonly OptionAdvice[]): Case {
  const next: Record<string, unknown> = { ...options };
  for (const { name, value } of advice) next[name] = [...((next[name] as unknown[] | undefined) ?? []), value];
  return { command, options: next as TerminalOptions };
}

function isSame(one: Reason, other: Reason): boolean {
  return one.rule === other.rule && one.message === other.message && `${one.span}` === `${other.span}`;
}

function optionsOf({ advice = [] }: Reason): OptionAdvice[] {
  return advice.filter((one) => one.kind === 'option');
}

function canBeApproved({ advice = [] }: Reason): boolean {
  return advice.some(({ kind }) => kind === 'approve');
}

let applied = 0;
let lifted = 0;

async function applyOne(asked: Case, { reasons }: Decision, reason: Reason, advice: Advice): Promise<void> {
  applied += 1;
  const about = `${JSON.stringify(asked)}: ${JSON.stringify(advice)}`;
  if (advice.kind === 'replace') {
    expect((await judged({ ...asked, command: advice.command })).decision, about).toBe('allow');
  } else if (advice.kind === 'option') {
    const after = await judged(withOptions(asked, [advice]));
    const left = after.decision === 'allow' ? [] : after.reasons;
    expect(
      left.filter((found) => isSame(found, reason)),
      about,
    ).toEqual([]);
    expect(
      left.filter((found) => !reasons.some((known) => isSame(known, found))),
      about,
    ).toEqual([]);
    if (reasons.length === 1) expect(after.decision, about).toBe('allow');
  }
}

async function applyEach(asked: Case, decision: Decision): Promise<void> {
  for (const reason of decision.reasons) {
    for (const advice of reason.advice ?? []) await applyOne(asked, decision, reason, advice);
  }
}

/** One option for each reason that has any: what is left is allowed, or somebody may agree to it. */
async function applyAll(asked: Case, { reasons }: Decision): Promise<void> {
  if (!reasons.some((reason) => optionsOf(reason).length > 0 || canBeApproved(reason))) return;
  const lifted = withOptions(
    asked,
    reasons.flatMap((reason) => optionsOf(reason).slice(0, 1)),
  );
  const after = await judged(lifted);
  const about = `${JSON.stringify(asked)}: ${JSON.stringify(after)}`;
  expect(after.decision, about).not.toBe('deny');
  if (after.decision === 'ask') expect(after.reasons.every(canBeApproved), about).toBe(true);
}

/** What a refusal says of the host, done as it says it: the call goes through, with consent where that is named. */
async function applyLift(asked: Case, { reasons }: Decision): Promise<boolean> {
  const lift = liftOf(reasons);
  if (lift === undefined) return false;
  const options = lift.filter((one) => one.kind === 'option');
  const after = await judged(withOptions(asked, options));
  const about = `${JSON.stringify(asked)}: ${JSON.stringify(lift)} ${JSON.stringify(after)}`;
  expect(after.decision, about).toBe(options.length === lift.length ? 'allow' : 'ask');
  return true;
}

describe('advice lifts what it says', () => {
  afterAll(() => {
    expect(applied).toBeGreaterThan(300);
    expect(lifted).toBeGreaterThan(200);
  });

  it.each([
    ['of the command corpus', CORPUS],
    ['of what agents type', REFUSED],
  ])('%s', async (_name, cases) => {
    for (const asked of cases) {
      const decision = await judged(asked);
      if (decision.decision === 'allow') continue;
      await applyEach(asked, decision);
      await applyAll(asked, decision);
      if (await applyLift(asked, decision)) lifted += 1;
    }
  });

  it('and what can be approved runs once it is', async () => {
    await using terminal = new Terminal({ allow: ['find'], approve: () => ({ approved: true }) });
    const command = 'find /proc/self/comm -name no-such-file -delete';
    expect(terminal.explain(command).reasons).toMatchObject([{ advice: [{ kind: 'approve' }] }]);
    expect(await terminal.run(command)).toMatchObject({ status: 'exited', exitCode: 0 });
  });
});
