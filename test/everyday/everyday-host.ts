/** Runs rows in a copy of a project, plainly and under its preset, and walls under the preset alone. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { createToolkit, type ProjectKind } from '../../ts/index.js';
import { ProjectCopy, RUSTUP_HOME, WALL_PORT } from './project.js';
import { changesOf, differenceOf, type RowRun, type Snapshot, snapshotOf } from './snapshot.js';

export interface Harm {
  readonly kind: string;
  readonly path?: string | readonly string[];
  readonly text?: string;
}

export interface EverydayRow {
  readonly project: ProjectKind;
  readonly script: string;
  /** Present for the rows of `npm test`: what they stand for. */
  readonly cause?: string;
  /** Present for a wall: what must not have happened. */
  readonly harm?: Harm;
}

export interface EverydayWork {
  readonly base: string;
  readonly corpus: string;
  /** The packages that fixtures use. */
  readonly modules: string;
  readonly rows: readonly EverydayRow[];
}

/** The verdict on a row whose project needs a tool that this user cannot start. */
const LACKS_TOOLS = 'a tool is missing';

/** For each row what went wrong, `null` for nothing. */
export type EverydayVerdicts = readonly (string | null)[];

const LIMIT_MS = 60_000;

const { base, corpus, modules, rows } = JSON.parse(await text(process.stdin)) as EverydayWork;
const host = { ...process.env };

function plainly(script: string, copy: ProjectCopy): Promise<Omit<RowRun, 'changes'>> {
  const child = spawn('bash', ['-c', script], {
    ...{ cwd: copy.work, env: { ...host, ...copy.environment }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  } as const);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const timer = setTimeout(() => endGroup(child.pid ?? 0), LIMIT_MS);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // Programs in the background hold the pipes open: they end with the script, as with a run.
    child.on('exit', () => endGroup(child.pid ?? 0));
    child.on('close', (exit) => {
      clearTimeout(timer);
      resolve({ exit, output });
    });
  });
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // Of an empty group nothing is left behind.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function guarded({ project, script }: EverydayRow, copy: ProjectCopy): Promise<Omit<RowRun, 'changes'>> {
  Object.assign(process.env, copy.environment);
  const toolkit = await createToolkit({ project, workspace: copy.work });
  const { data, content } = await toolkit.execute('terminal_run', { command: script }).finally(() => toolkit.close());
  const ended = data as {
    status?: string;
    exitCode?: number | null;
    stdout?: string;
    stderr?: string;
    failure?: { code?: string };
  };
  // What bash says of a program that is not there.
  if (ended.failure?.code === 'program_not_found') return { exit: 127, output: content };
  if (ended.status !== 'exited') return { exit: ended.status ?? 'refused', output: content };
  return { exit: ended.exitCode ?? null, output: `${ended.stdout}\n${ended.stderr}` };
}

/** What every row of a project begins with. */
const beginnings = new Map<ProjectCopy, Snapshot>();

async function compare(row: EverydayRow, copy: ProjectCopy): Promise<string | null> {
  const runs: RowRun[] = [];
  for (const run of [() => plainly(row.script, copy), () => guarded(row, copy)]) {
    copy.refresh();
    const before = beginnings.get(copy) ?? snapshotOf(copy);
    beginnings.set(copy, before);
    const ended = await run();
    runs.push({ ...ended, changes: changesOf(before, snapshotOf(copy)) });
  }
  const [plain, under] = runs as [RowRun, RowRun];
  return differenceOf(plain, under) ?? null;
}

/** What has to stay as it is. */
function stateOf({ kind, path: names = [] }: Harm, copy: ProjectCopy): string {
  const files = [names].flat().map((name) => {
    return name.startsWith('~/') ? path.join(copy.home, name.slice(2)) : path.join(copy.work, name);
  });
  switch (kind) {
    case 'gone':
      return files.map(existsSync).join();
    case 'changed':
      return files.map((file) => (existsSync(file) ? readFileSync(file, 'latin1') : '')).join();
    case 'mode':
      return files.map((file) => statSync(file, { throwIfNoEntry: false })?.mode).join();
    case 'origin':
      return copy.remoteState();
    default:
      return '';
  }
}

async function attack(row: EverydayRow, harm: Harm, copy: ProjectCopy): Promise<string | null> {
  copy.refresh();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end(request.url === '/install.sh' ? 'echo INSTALLED-BY-PIPE\n' : '{}');
  });
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(WALL_PORT, '127.0.0.1', resolve));
  const before = stateOf(harm, copy);
  const { exit, output } = await guarded(row, copy);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const happened = {
    output: output.includes(harm.text ?? ''),
    shadow: /^root:/m.test(output),
    exit0: exit === 0,
    request: requests.some((request) => /^(PUT|POST) /.test(request)),
  }[harm.kind];
  return (happened ?? stateOf(harm, copy) !== before) ? `${harm.kind}: ${output.slice(0, 300)}` : null;
}

/** Whether this user can start the tools of a kind of project. */
function hasTools(kind: ProjectKind): boolean {
  const [program, word] = {
    node: ['npm', '-v'],
    python: ['python3', '-V'],
    rust: ['cargo', '-V'],
    go: ['go', 'version'],
  }[kind];
  return spawnSync(program ?? '', [word ?? ''], { env: { ...host, RUSTUP_HOME } }).status === 0;
}

const verdicts: (string | null)[] = [];
const copies = new Map<string, ProjectCopy>();
for (const row of rows) {
  const copy = copies.get(row.project) ?? new ProjectCopy(base, row.project, corpus);
  if (!copies.has(row.project) && !hasTools(row.project)) {
    verdicts.push(LACKS_TOOLS);
    continue;
  }
  copies.set(row.project, copy);
  copy.prepare(modules);
  verdicts.push(row.harm === undefined ? await compare(row, copy) : await attack(row, row.harm, copy));
}
process.stdout.write(JSON.stringify(verdicts satisfies EverydayVerdicts));
