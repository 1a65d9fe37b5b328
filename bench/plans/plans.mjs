// The plans, each with the attacks that must fail under it. Without a plan every one of them works, or it would show nothing.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Terminal } from '../../dist/index.js';

const PROGRAMS = ['true', 'git', 'cp', 'node'];
/** Judged alike under every plan: only what the kernel does differs. */
const LISTED = { allow: PROGRAMS, trustInterpreters: ['node'] };
const ANY = { writes: 'any', exec: 'any', network: 'any', remove: 'yes' };
const ALL = { writes: 'roots', exec: 'listed', network: 'none', remove: 'no' };

const listed = (confine) => (root) => ({ ...LISTED, roots: [root], confine: { ...ANY, ...confine } });

/** By name: options for a root, and attacks. The first one is what the others are compared with. */
export const PLANS = {
  none: { options: (root) => ({ ...LISTED, roots: [root], sandbox: 'off' }), fails: [] },
  // How far two figures of the same thing lie apart.
  'none again': { options: (root) => ({ ...LISTED, roots: [root], sandbox: 'off' }), fails: [] },
  // A deny list and nothing else.
  default: { options: () => ({ deny: ['curl'], trustInterpreters: ['node'] }), fails: ['signal'] },
  "writes 'roots'": { options: listed({ writes: 'roots' }), fails: ['signal', 'write'] },
  "exec 'listed'": { options: listed({ exec: 'listed' }), fails: ['signal', 'execute'] },
  "network 'none'": { options: listed({ network: 'none' }), fails: ['signal', 'connect'] },
  "remove 'no'": { options: listed({ remove: 'no' }), fails: ['signal', 'remove'] },
  'all of these': { options: listed(ALL), fails: ['signal', 'write', 'execute', 'connect', 'remove'] },
};

export const NONE = 'none';

/** Code for node that writes `done` when the attack works, and else the error's code. */
function attackCode({ root, outside, port }) {
  const text = (value) => JSON.stringify(value);
  const tries = (statement) => `try { ${statement}; console.log('done') } catch (error) { console.log(error.code) }`;
  return {
    signal: tries(`process.kill(${process.pid}, 0)`),
    write: tries(`require('fs').writeFileSync(${text(join(outside, 'written'))}, '')`),
    execute: tries(`require('child_process').execFileSync('/usr/bin/env', ['true'])`),
    remove: tries(`require('fs').unlinkSync(${text(join(root, 'victim'))})`),
    connect: `require('net').connect(${port}, '127.0.0.1')
      .on('connect', function () { console.log('done'); this.destroy() })
      .on('error', (error) => console.log(error.code))`,
  };
}

/** Gives `use` the attacks: each runs by a runner of argv, and says whether it worked. */
async function withAttacks({ root, outside }, use) {
  const server = createServer((socket) => socket.on('error', () => undefined).end());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const code = attackCode({ root, outside, port: server.address().port });
  try {
    return await use(async (name, run) => {
      writeFileSync(join(root, 'victim'), '');
      const said = (await run(['node', '-e', code[name]])).trim();
      if (!/^(?:done|E[A-Z]+)$/.test(said)) throw new Error(`the attack '${name}' said '${said}'`);
      return said === 'done';
    });
  } finally {
    server.close();
  }
}

/** Throws unless exactly these attacks fail, for each of the runners. */
export function assertHeld(place, runners) {
  return withAttacks(place, async (attack) => {
    for (const { name, run, fails, works } of runners) {
      for (const wanted of [fails.map((each) => [each, false]), works.map((each) => [each, true])].flat()) {
        const [which, expected] = wanted;
        if ((await attack(which, run)) !== expected) {
          throw new Error(`${name}: the attack '${which}' ${expected ? 'fails' : 'works'}`);
        }
      }
    }
  });
}

/** Gives the terminals of all plans by name, not yet started. */
export function terminals(root) {
  return Object.fromEntries(Object.entries(PLANS).map(([name, { options }]) => [name, new Terminal(options(root))]));
}

/** The standard output of a command that ended well. */
export async function runTerminal(terminal, argv) {
  const { exitCode, status, stdout, stderr } = await terminal.run(argv);
  if (exitCode !== 0 || stderr !== '')
    throw new Error(`handrail (${status}): ${argv[0]} ended with ${exitCode}: ${stderr}`);
  return stdout;
}
