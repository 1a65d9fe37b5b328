// Runs as a host of its own, perhaps as another user, in a home of its own: tries each attempt that it reads from standard
// input. Prints a JSON object {attempt: {happened, output}}.
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

import { Terminal } from '../../ts/index.js';
import type { ConfineOptions } from '../../ts/terminal/confine.js';
import { Engine, type EngineOptions } from '../../ts/terminal/engine.js';
import type { ReadAttempt } from './reads-rows.js';

export interface ReadsRequest {
  readonly kernel?: EngineOptions['kernel'];
  readonly confine: ConfineOptions;
  readonly rows: readonly ReadAttempt[];
}

export interface ReadsAnswer {
  readonly levels: Readonly<Record<string, string>>;
  readonly rows: Readonly<Record<string, { readonly happened: boolean; readonly output: string }>>;
  /** What a command got from a socket of the host among temporary files. */
  readonly socket: string;
  /** What a command got from an agent that was started after the first run. */
  readonly agent: string;
}

const AT_ONCE = 4;
const TIMEOUT_MS = 60_000;
const SECRET = 'content-of-the-place';
const ANSWER = 'answer-of-the-socket';

const { kernel, confine, rows } = JSON.parse(readFileSync(0, 'utf8')) as ReadsRequest;
const base = mkdtempSync('/tmp/handrail-reads-');
const home = path.join(base, 'home');
const work = path.join(home, 'work');
process.env['HOME'] = home;
mkdirSync(work, { recursive: true });
mkdirSync(path.join(base, 'elsewhere'));
symlinkSync(path.join(base, 'elsewhere'), path.join(home, '.gnupg'));
mkdirSync(path.join(base, 'linked'));
symlinkSync(path.join(base, 'linked'), path.join(home, '.password-store'));
mkdirSync(path.join(base, 'tools/bin'), { recursive: true });
process.env['PATH'] = `${path.join(base, 'tools/bin')}:${process.env['PATH']}`;
const fileOf = ({ file }: ReadAttempt): string => path.join(home, file);
const place = (row: ReadAttempt): void => {
  mkdirSync(path.dirname(fileOf(row)), { recursive: true });
  writeFileSync(fileOf(row), `${SECRET}\n`);
};
for (const row of rows) {
  if (row.isOwn === undefined) place(row);
  else mkdirSync(path.dirname(fileOf(row)), { recursive: true });
}
writeFileSync(path.join(home, '.pgpass'), '');
const socket = path.join(base, 'listening');
const server = createServer((client) => client.end(ANSWER));
await new Promise<void>((resolve) => server.listen(socket, resolve));

const engine = new Engine({ judging: false, ...(kernel === undefined ? {} : { kernel }) });
const terminal = new Terminal(
  { allow: ['bash'], roots: [work], timeoutMs: TIMEOUT_MS, confine: { exec: 'any', ...confine } },
  { engine },
);
const answers: Record<string, { happened: boolean; output: string }> = {};
await terminal.run(['true']);
for (const row of rows) if (row.isOwn === true) place(row);
const numbered = rows.map((row, index) => ({ row, index }));
const waiting = numbered.filter(({ row }) => row.isAnew === undefined);
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      answers[next.row.id] = await attempt(next.row, next.index);
    }
  }),
);
for (const { row, index } of numbered.filter(({ row }) => row.isAnew === true)) {
  const folder = path.dirname(row.file) === '.' ? undefined : realpathSync(path.dirname(fileOf(row)));
  rmSync(folder ?? fileOf(row), { recursive: true });
  if (folder !== undefined) mkdirSync(folder);
  writeFileSync(fileOf(row), `${SECRET}\n`);
  answers[row.id] = await attempt(row, index);
}
const reached = await contentOfSocket(socket);
const agentFolder = mkdtempSync('/tmp/ssh-handrail-');
const agentServer = createServer((client) => client.end(ANSWER));
await new Promise<void>((resolve) => agentServer.listen(path.join(agentFolder, 'agent'), resolve));
const agent = await contentOfSocket(path.join(agentFolder, 'agent'));
agentServer.close();
rmSync(agentFolder, { recursive: true });
const { features } = terminal.capabilities();
const levels = Object.fromEntries(features.map(({ feature, level }) => [feature, level]));
await terminal.close();
await engine.close();
server.close();
rmSync(base, { recursive: true });
process.stdout.write(JSON.stringify({ levels, rows: answers, socket: reached, agent }));

async function contentOfSocket(file: string): Promise<string> {
  const connect = `require('net').connect(${JSON.stringify(file)}).on('data', String).pipe(process.stdout)`;
  const { output } = await terminal.run(['node', '-e', connect]);
  return output.includes(ANSWER) ? ANSWER : '';
}

async function attempt(row: ReadAttempt, index: number): Promise<{ happened: boolean; output: string }> {
  const file = fileOf(row);
  const folder = path.dirname(row.file) === '.' ? file : path.dirname(file);
  const out = path.join(work, `out-${index}`);
  const variables = Object.entries({ F: file, D: folder, O: out, H: home }).map(
    ([name, value]) => `${name}='${value}'`,
  );
  const { output } = await terminal.run(['bash', '-c', `${variables.join(' ')}; ${row.script}`]);
  return { happened: output.includes(SECRET) || content(out).includes(SECRET), output };
}

/** What a command left in the root, without following links. What this user may not read shows nothing. */
function content(file: string): string {
  try {
    return contentOf(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return '';
    throw error;
  }
}

function contentOf(file: string): string {
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (status === undefined || status.isSymbolicLink()) return '';
  if (!status.isDirectory()) return readFileSync(file, 'utf8');
  return readdirSync(file)
    .map((name) => content(path.join(file, name)))
    .join('');
}
