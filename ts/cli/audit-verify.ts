import type { CommandLine } from './arguments.js';
import { type ChainProblem, type ChainReport, checkChain } from './audit-chain.js';
import { EXIT } from './exit-code.js';
import type { Outputs } from './outputs.js';
import { UsageError } from './usage-error.js';

const PROBLEMS: Readonly<Record<ChainProblem, string>> = {
  changed: 'its text was changed after it was written',
  unlike: 'it is not what stood there when later lines were written: it was changed, added or moved',
  follows: 'what it was written after is not before it: lines were removed, or it was moved',
  unlinked: 'it has no link to what stands before it, and no later line names it: it was added, changed or damaged',
  unfinished: 'it ends in the middle',
};

/** What no chain shows, because it needs nothing that its owner does not have. */
const UNSEEN =
  'This cannot see that lines were cut off at the end, or that the owner of the file has written it anew: keep the number ' +
  'and the hash of the last line elsewhere to see that.';

/** Runs `handrail audit verify` and returns its exit code. */
export async function verify(line: CommandLine, outputs: Outputs): Promise<number> {
  const [, file, ...more] = line.words;
  if (file === undefined || more.length > 0) throw new UsageError('verify takes one file');
  if (line.values.size > 0) throw new UsageError('verify looks at every line: it takes no option but --json');
  const report = checkChain(file);
  await outputs.write('stdout', line.flags.has('json') ? `${JSON.stringify(report)}\n` : `${textOf(report)}\n`);
  return report.problem === null ? EXIT.ok : EXIT.found;
}

function textOf({ lines, chainFrom, unconfirmed, problem, lastHash }: ChainReport): string {
  if (problem !== null) return `line ${problem.line}: ${PROBLEMS[problem.what]}`;
  const read = lines === 1 ? '1 line' : `${lines} lines`;
  if (chainFrom === null) return lines === 0 ? 'no lines' : `${read}, none of a chain: nothing can be said of them`;
  const old = chainFrom === 1 ? '' : '; what stands before it is older';
  const last = unconfirmed > 1 ? `the last ${unconfirmed} are named by no later line; the last of them` : 'the last';
  return `${read}, a chain from line ${chainFrom} on${old}: it holds; ${last} has the hash ${lastHash}\n${UNSEEN}`;
}
