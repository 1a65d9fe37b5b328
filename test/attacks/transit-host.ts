// Runs as a host of its own: a command sends itself as many descriptors as the kernel takes, and leaves them on their way.
// Can another host of this user start a command meanwhile? Prints a JSON object.
import { readFileSync } from 'node:fs';
import { Terminal } from '../../ts/index.js';
import { Engine } from '../../ts/terminal/engine.js';

export interface TransitRequest {
  readonly guard: 'on' | 'off';
}

export interface TransitAnswer {
  /** How many are on their way. */
  readonly sent: number;
  /** What became of the other host's command: its output, or why it was refused. */
  readonly other: string;
  /** The same of a command of the same host. */
  readonly same: string;
}

const FLOOD = `
import array, os, socket, time
near, far = socket.socketpair()
near.setblocking(False)
some = array.array('i', [os.open('/dev/null', os.O_RDONLY)] * 250)
sent = 0
try:
    while True:
        near.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, some)])
        sent += len(some)
except OSError:
    print(sent, flush=True)
time.sleep(1000)
`;

const { guard } = JSON.parse(readFileSync(0, 'utf8')) as TransitRequest;
const confine = guard === 'on';
const engine = new Engine({ confine });
const terminal = new Terminal(
  { allow: ['python3', 'echo'], trustInterpreters: ['python3'], ...(confine ? {} : { sandbox: 'off' }) },
  { engine },
);
const over = new AbortController();
let flood: Promise<unknown> = Promise.resolve();
const sent = await new Promise<number>((resolve) => {
  const onOutput = ({ text }: { text: string }): void => resolve(Number(text));
  flood = terminal.run(['python3', '-c', FLOOD], { signal: over.signal, onOutput });
});
const second = new Engine();
const other = await said(new Terminal({ allow: ['echo'] }, { engine: second }));
const same = await said(terminal);
over.abort();
await flood;
await Promise.all([engine.close(), second.close()]);
const answer: TransitAnswer = { sent, other, same };
process.stdout.write(JSON.stringify(answer));

async function said(one: Terminal): Promise<string> {
  try {
    const { output, failure } = await one.run(['echo', 'ran'], { timeoutMs: 2_000 });
    return failure?.message ?? output;
  } catch (error) {
    return String(error);
  }
}
