// The plans, each with the attacks that it blocks. Without a plan every attack works, which shows that it is one.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Terminal } from '../../dist/index.js';
import { mapValues } from '../lib/statistics.mjs';
import { SECRET_FILE } from './workspace.mjs';

const PROGRAMS = ['true', 'git', 'cp', 'node'];
/** The same policy for every plan, so that plans differ only in what the kernel enforces. */
const POLICY = { allow: PROGRAMS, trustInterpreters: ['node'] };
const NO_LIMITS = { memoryBytes: 'none', processes: 'none', fileBytes: 'none' };
/** Limits of every kind, which none of the measured commands meets. */
const ALL_LIMITS = {
  memoryBytes: 2 ** 31,
  processes: 100,
  cpuMs: 60_000,
  fileBytes: 2 ** 20,
  diskBytes: 2 ** 30,
  openFiles: 256,
};
const NOTHING_CONFINED = {
  writes: 'any',
  exec: 'any',
  reads: 'any',
  network: 'any',
  remove: 'yes',
  limits: NO_LIMITS,
};
/** The places that are protected by default, and one more, which an attack reads. */
const PROTECTED = (root) => ({ reads: 'protected', unreadable: [join(dirname(root), SECRET_FILE)] });
const ALL_CONFINED = { writes: 'roots', exec: 'listed', network: 'none', remove: 'no', limits: ALL_LIMITS };
const ALLOWED_HOSTS = { allow: ['packages.example.com'] };

const planWith = (confine) => (root) => {
  const given = typeof confine === 'function' ? confine(root) : confine;
  return { ...POLICY, roots: [root], confine: { ...NOTHING_CONFINED, ...given } };
};

export const ATTACKS = ['signal', 'write', 'execute', 'connect', 'remove', 'use up', 'read'];
export const NO_PLAN = 'none';

/** By name, the options of a terminal with the root `root`, and the attacks that fail. Figures are relative to the first plan. */
export const PLANS = {
  [NO_PLAN]: { options: (root) => ({ ...POLICY, roots: [root], sandbox: 'off' }), blockedAttacks: [] },
  // The same plan a second time shows how much two measurements of it differ.
  'none again': { options: (root) => ({ ...POLICY, roots: [root], sandbox: 'off' }), blockedAttacks: [] },
  // The plan of a terminal that has only a deny list.
  default: { options: () => ({ deny: ['curl'], trustInterpreters: ['node'] }), blockedAttacks: ['signal'] },
  "writes 'roots'": { options: planWith({ writes: 'roots' }), blockedAttacks: ['signal', 'write'] },
  "exec 'listed'": { options: planWith({ exec: 'listed' }), blockedAttacks: ['signal', 'execute'] },
  "reads 'protected'": { options: planWith(PROTECTED), blockedAttacks: ['signal', 'read'] },
  "reads 'roots'": { options: planWith({ reads: 'roots' }), blockedAttacks: ['signal', 'read'] },
  "network 'none'": { options: planWith({ network: 'none' }), blockedAttacks: ['signal', 'connect'] },
  "network 'loopback'": { options: planWith({ network: 'loopback' }), blockedAttacks: ['signal', 'connect'] },
  'network to hosts': { options: planWith({ network: ALLOWED_HOSTS }), blockedAttacks: ['signal', 'connect'] },
  limits: { options: planWith({ limits: ALL_LIMITS }), blockedAttacks: ['signal', 'use up'] },
  "remove 'no'": { options: planWith({ remove: 'no' }), blockedAttacks: ['signal', 'remove'] },
  'all of these': { options: planWith((root) => ({ ...ALL_CONFINED, ...PROTECTED(root) })), blockedAttacks: ATTACKS },
  'all, to hosts': {
    options: planWith((root) => ({ ...ALL_CONFINED, ...PROTECTED(root), network: ALLOWED_HOSTS })),
    blockedAttacks: ATTACKS,
  },
};

/** For each attack, code for node that prints `done` when it works, and otherwise the code of the error. */
function attackCode({ root, outside, secret, port }) {
  const quoted = (value) => JSON.stringify(value);
  const attempt = (statement) => `try { ${statement}; console.log('done') } catch (error) { console.log(error.code) }`;
  return {
    signal: attempt(`process.kill(${process.pid}, 0)`),
    read: attempt(`require('fs').readFileSync(${quoted(secret)})`),
    write: attempt(`require('fs').writeFileSync(${quoted(join(outside, 'written'))}, '')`),
    execute: attempt(`require('child_process').execFileSync('/usr/bin/env', ['true'])`),
    'use up': attempt(`require('fs').writeFileSync(${quoted(join(root, 'large'))}, Buffer.alloc(2 ** 21))`),
    remove: attempt(`require('fs').unlinkSync(${quoted(join(root, 'victim'))})`),
    connect: `require('net').connect(${port}, '127.0.0.1')
      .on('connect', function () { console.log('done'); this.destroy() })
      .on('error', (error) => console.log(error.code))`,
  };
}

/** Gives `use` a function that makes one attack with a runner and says whether it worked. */
async function withAttacks({ root, outside, secret }, use) {
  const server = createServer((socket) => socket.on('error', () => undefined).end());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const code = attackCode({ root, outside, secret, port: server.address().port });
  try {
    return await use(async (name, run) => {
      writeFileSync(join(root, 'victim'), '');
      const output = (await run(['node', '-e', code[name]])).trim();
      if (!/^(?:done|LIMITED|E[A-Z]+)$/.test(output)) throw new Error(`the attack '${name}' printed '${output}'`);
      return output === 'done';
    });
  } finally {
    server.close();
  }
}

async function assertRunnerConfined(attack, { name, run, blockedAttacks }) {
  const isConfined = blockedAttacks.length > 0;
  for (const attackName of isConfined ? blockedAttacks : ATTACKS) {
    const works = await attack(attackName, run);
    if (works === isConfined) throw new Error(`${name}: the attack '${attackName}' ${works ? 'works' : 'fails'}`);
  }
}

/** Throws when an attack works that a runner blocks, or fails with a runner that blocks none. */
export function assertConfined(workspace, runners) {
  return withAttacks(workspace, async (attack) => {
    for (const runner of runners) await assertRunnerConfined(attack, runner);
  });
}

/** A terminal for each plan, by name. */
export const createTerminals = (root) => mapValues(PLANS, ({ options }) => new Terminal(options(root)));

/** The standard output of a command, `LIMITED` when a limit ended it; throws when it fails or writes to standard error. */
export async function runTerminal(terminal, argv) {
  const { exitCode, status, stdout, stderr } = await terminal.run(argv);
  if (status === 'limited') return 'LIMITED';
  if (exitCode !== 0 || stderr !== '')
    throw new Error(`handrail (${status}): ${argv[0]} ended with ${exitCode}: ${stderr}`);
  return stdout;
}
