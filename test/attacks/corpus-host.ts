// Runs as a host of its own, perhaps as another user: executes cases of the corpus under bash, unjudged, under each plan
// that stops them and once without a plan. Reads a request from standard input, prints what became of the canary.
import { readFileSync } from 'node:fs';
import { type CommandResult, type OutputChunk, Terminal } from '../../ts/index.js';
import { Engine } from '../../ts/terminal/engine.js';
import { type CorpusCase, PROFILES, type ProfileName } from './corpus-case.js';
import { CORPUS_VARIABLES, CorpusFixture } from './corpus-fixture.js';
import { SEARCH_PATH } from './workspace.js';

export interface CorpusRequest {
  /** The compiled `evil.so`. */
  readonly evil: string;
  readonly cases: readonly CorpusCase[];
}

export interface CorpusAnswer {
  readonly id: string;
  readonly profile: ProfileName | 'off';
  readonly changed: boolean;
  readonly output: string;
}

const AT_ONCE = 8;
const TIMEOUT_MS = 120_000;
/** A case that tries again and again is ended when it has said this much, with a plan as without one. */
const ENOUGH_CHARS = 2 ** 15;
/** Enough of an output to see why a case did nothing. */
const SHOWN = 300;

const { evil, cases } = JSON.parse(readFileSync(0, 'utf8')) as CorpusRequest;
const fixture = new CorpusFixture(evil);
const engines = { off: new Engine({ confine: false, judging: false }), on: new Engine({ judging: false }) };
const terminals = new Map<string, Terminal>();
const waiting = cases.flatMap((one) => [
  { one, profile: 'off' as const },
  ...(one.kernel_stops ?? []).map((profile) => ({ one, profile })),
]);
const answers: CorpusAnswer[] = [];
await Promise.all(Array.from({ length: AT_ONCE }, worker));
await Promise.all([...terminals.values()].map((terminal) => terminal.close()));
await Promise.all([engines.off.close(), engines.on.close()]);
fixture.remove();
process.stdout.write(JSON.stringify(answers));

async function worker(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const tree = fixture.tree();
    const result = await runUntilEnough(next.one, next.profile, tree.folder);
    const output = `${result.status}: ${result.output.slice(0, SHOWN)}`;
    answers.push({ id: next.one.id, profile: next.profile, changed: tree.isChanged(), output });
    tree.remove();
  }
}

async function runUntilEnough(one: CorpusCase, profile: ProfileName | 'off', cwd: string): Promise<CommandResult> {
  const enough = new AbortController();
  let said = 0;
  const onOutput = ({ text }: OutputChunk): void => {
    said += text.length;
    if (said > ENOUGH_CHARS) enough.abort();
  };
  return await terminalFor(one, profile).run(one.command, { cwd, signal: enough.signal, onOutput });
}

/** One for each plan and list, so that cases share what a plan costs. */
function terminalFor({ policy }: CorpusCase, profile: ProfileName | 'off'): Terminal {
  const key = JSON.stringify([profile, profile === 'exec-allowlist' ? policy.allow : []]);
  const known = terminals.get(key);
  if (known !== undefined) return known;
  const made = new Terminal(
    {
      allow: ['bash', ...(policy.allow ?? [])],
      roots: [fixture.root],
      shell: 'bash',
      env: { set: { ...CORPUS_VARIABLES, PATH: SEARCH_PATH.join(':') } },
      timeoutMs: TIMEOUT_MS,
      graceMs: 0,
      ...(profile === 'off' ? { sandbox: 'off' } : { confine: PROFILES[profile] }),
    },
    { engine: profile === 'off' ? engines.off : engines.on },
  );
  terminals.set(key, made);
  return made;
}
