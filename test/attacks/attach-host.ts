// Runs as a host of its own, perhaps as another user: offers a session for each way of a command to attach, and starts the
// command. Prints a JSON object {way: {attached, output}}.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';

import { connectToOffer } from '../../ts/attach/client.js';
import { Offers } from '../../ts/attach/offers.js';
import { ownAttachFolder } from '../../ts/attach/place.js';
import { Terminal } from '../../ts/index.js';
import { Jobs } from '../../ts/jobs/jobs.js';
import { Launcher } from '../../ts/live/launcher.js';
import { attachableOf } from '../../ts/session/attachment.js';
import { Sessions } from '../../ts/session/sessions.js';
import type { ConfineOptions } from '../../ts/terminal/confine.js';
import { Engine, type EngineOptions } from '../../ts/terminal/engine.js';
import { checkTerminalOptions } from '../../ts/terminal/options.js';
import { Runner } from '../../ts/terminal/runner.js';
import { type AttachWay, PRELUDE, WAYS } from './attach-rows.js';

export interface AttachRequest {
  readonly by: 'run' | 'session' | 'job';
  /** Whether who connects, and who listens, is looked at. */
  readonly guard: boolean;
  readonly confine?: ConfineOptions;
  readonly kernel?: EngineOptions['kernel'];
  readonly sandbox?: 'off';
}

/** The ways by which something was reached, and what each command wrote. */
export type AttachAnswer = Readonly<Record<string, { readonly reached: boolean; readonly output: string }>>;

const AT_ONCE = 8;
const TIMEOUT_MS = 20_000;
/** Longer than a daemon waits for the end of its call. */
const AFTER_MS = 800;

const { by, guard, confine = {}, kernel, sandbox } = JSON.parse(readFileSync(0, 'utf8')) as AttachRequest;
const base = realpathSync(mkdtempSync('/tmp/handrail-attach-test-'));
const work = path.join(base, 'work');
mkdirSync(work);
const audit = path.join(base, 'audit.jsonl');
const engine = new Engine({
  judging: false,
  confine: sandbox !== 'off',
  roots: [work],
  ...(kernel === undefined ? {} : { kernel }),
});
const options = {
  allow: ['python3'],
  trustInterpreters: ['python3'],
  roots: [work],
  timeoutMs: TIMEOUT_MS,
  confine: { exec: 'any', ...confine },
  ...(sandbox === undefined ? {} : { sandbox }),
} as const;
const runner = new Runner(checkTerminalOptions(options), { engine });
const terminal = new Terminal(options, { runner });
const sessions = new Sessions(Launcher.of(runner));
const jobs = new Jobs({ terminal, runner, jobMs: TIMEOUT_MS, onEnd: () => undefined });
const attached = new Set<string>();
const offers = new Offers({
  mode: 'read',
  roots: [work],
  onToken: () => undefined,
  onEvent: ({ id, what }) => {
    if (what === 'attached') attached.add(id);
    appendFileSync(audit, `${JSON.stringify({ id, what })}\n`);
  },
  ...(guard ? {} : { refusalOf: () => undefined }),
});
const shown = await sessions.open('cat', { confine: { writes: 'none' } });
const answers: Record<string, { reached: boolean; output: string }> = {};
const ways = WAYS.filter(({ needsPlan }) => sandbox === undefined || needsPlan === undefined);
const [last] = ways.slice(-1);
const waiting = ways.slice(0, -1);
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let way = waiting.shift(); way !== undefined; way = waiting.shift()) answers[way.id] = await attempt(way);
  }),
);
if (last !== undefined) answers[last.id] = await attempt(last);
offers.close();
await Promise.allSettled([terminal.close(), sessions.close(), engine.close()]);
runner.close();
rmSync(base, { recursive: true, force: true });
process.stdout.write(JSON.stringify(answers));

async function attempt(way: AttachWay): Promise<{ reached: boolean; output: string }> {
  const { id, token, close } = await offers.offer(attachableOf(shown, runner.redactor, async () => undefined));
  const file = path.join(ownAttachFolder([work]), id);
  // What a client is to those who look for the token: a process of the same user that was given it.
  const client = spawn('sleep', ['60'], { env: { HANDRAIL_ATTACH_TOKEN: `token-of-the-offer=${token}` } });
  const shownToken = way.findsToken === true ? 'none' : token;
  const words = ['-c', `${PRELUDE}#WAY\n${way.code}`, file, shownToken, id, `${process.pid}`, `${client.pid}`, work];
  let isTold = false;
  const onOutput = ({ text }: { text: string }): void => {
    if (way.listens === true && !isTold && text.includes('listening')) {
      isTold = true;
      void visit(file, id, token);
    }
  };
  const output = await started(['python3', ...words], onOutput).catch(String);
  if (way.id.includes('daemon')) await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
  client.kill('SIGKILL');
  close();
  const isFound =
    output.includes(way.listens === true ? '{"token"' : token) && (way.findsToken ?? way.listens) === true;
  return { reached: attached.has(id) || isFound || output.includes('reached the client'), output };
}

async function started(command: readonly string[], onOutput: (chunk: { text: string }) => void): Promise<string> {
  const [program = '', ...args] = command;
  if (by === 'run') return (await terminal.run(command, { onOutput })).output;
  if (by === 'job') {
    const job = await jobs.start(command, {});
    return (await job.ended).output;
  }
  const session = await sessions.open(program, { args, confine: { exec: 'any', ...confine } });
  await session.ended;
  return session.history().text;
}

/** A person comes with the token. */
async function visit(file: string, id: string, token: string): Promise<void> {
  try {
    const socket = guard ? await connectToOffer(id) : connect(file);
    socket.on('error', () => socket.destroy());
    socket.write(JSON.stringify({ token }));
  } catch {
    // Somebody else listens: the client says so and shows nothing.
  }
}
