// Runs as a host of its own, perhaps as another user: starts a program that uses more and more of one thing, under limits or
// without, and an ordinary command meanwhile. Prints a JSON object.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type LimitOptions, Terminal } from '../../ts/index.js';
import { Engine, type EngineOptions } from '../../ts/terminal/engine.js';

export interface LimitsRequest {
  /** What is used of the kernel. Absent: all it has. */
  readonly kernel?: EngineOptions['kernel'];
  /** Where the programs were compiled to. */
  readonly programs: string;
  readonly uses: readonly { readonly what: string; readonly limits: LimitOptions }[];
}

export interface LimitsAnswer {
  readonly what: string;
  readonly status: string;
  readonly limit?: string;
  readonly output: string;
  readonly survivors: unknown;
  /** What another command of the same host said meanwhile. */
  readonly meanwhile: string;
  readonly enforced: readonly string[];
}

export interface LimitsAnswers {
  readonly answers: readonly LimitsAnswer[];
  /** Control groups of this host that are left when everything is closed. */
  readonly groups: readonly string[];
}

const TIMEOUT_MS = 120_000;
const GROUPS = '/sys/fs/cgroup';
/** How deep beneath that folder groups are looked for. */
const DEPTH = 4;

// A killed process that had the same id may have left some.
const before = new Set(groupsIn(GROUPS, DEPTH));
const { kernel, programs, uses } = JSON.parse(readFileSync(0, 'utf8')) as LimitsRequest;
const engine = new Engine({ judging: false, ...(kernel === undefined ? {} : { kernel }) });
// On a disk: what is written to memory is no writing.
const folder = mkdtempSync('/var/tmp/handrail-limits-');
const answers: LimitsAnswer[] = [];
for (const { what, limits } of uses) {
  const open = (confine: LimitOptions) =>
    new Terminal(
      {
        allow: ['uses', 'echo'],
        roots: [folder],
        path: [programs],
        timeoutMs: TIMEOUT_MS,
        confine: { limits: confine },
      },
      { engine },
    );
  const terminals = [open(limits), open({})];
  const [used, other] = await Promise.all(
    terminals.map((terminal, index) => terminal.run(index === 0 ? ['uses', what] : ['echo', 'here'])),
  );
  answers.push({
    what,
    status: used?.status ?? '',
    ...(used?.limit === undefined ? {} : { limit: used.limit.name }),
    output: used?.output ?? '',
    survivors: used?.survivors,
    meanwhile: other?.output ?? '',
    enforced: used?.sandbox.enforced ?? [],
  });
  for (const terminal of terminals) await terminal.close();
}
await engine.close();
rmSync(folder, { recursive: true });
const groups = groupsIn(GROUPS, DEPTH).filter((name) => !before.has(name));
process.stdout.write(JSON.stringify({ answers, groups } satisfies LimitsAnswers));

function groupsIn(place: string, depth: number): string[] {
  if (depth === 0 || !existsSync(place)) return [];
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const beneath = groupsIn(path.join(place, name), depth - 1);
      return name.startsWith(`handrail-${process.pid}-`) ? [name, ...beneath] : beneath;
    });
}
