// node bench/plans/first-run-times.mjs ROUNDS: prints, by plan, the milliseconds from a new terminal to the end of its first
// run. It is a separate program so that it can run as another user.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Terminal } from '../../dist/index.js';
import { timed } from '../lib/runners.mjs';
import { PLANS, runTerminal } from './plans.mjs';
import { shuffled } from './shuffled.mjs';

const rounds = Number(process.argv[2]);
const root = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-bench-plans-')));
const samples = Object.fromEntries(Object.keys(PLANS).map((name) => [name, []]));
// Round -1 warms up: it bears the costs that a process has only once.
for (let round = -1; round < rounds; round += 1) {
  for (const name of shuffled(Object.keys(PLANS))) {
    let terminal;
    const ms = await timed(() => {
      terminal = new Terminal(PLANS[name].options(root));
      return runTerminal(terminal, ['true']);
    });
    await terminal.close();
    if (round >= 0) samples[name].push(ms);
  }
}
rmSync(root, { recursive: true });
process.stdout.write(JSON.stringify(samples));
