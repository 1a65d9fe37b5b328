// Rivals that confine a command, each called as its users call it. They get the confinement of the plan `all of these` as far
// as they offer it: writes below the root only, no network, other processes invisible. Neither restricts which programs start,
// which files are removed or read, or how much is used.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { installFrom } from '../../scripts/lib/dependencies.mjs';
import { root as repository, stampFolder } from '../../scripts/lib/paths.mjs';

const MANIFESTS = join(repository, 'bench', 'plans', 'rivals');
const INSTALL_FOLDER = join(stampFolder, 'bench-plans-rivals');
const SANDBOX_RUNTIME = '@anthropic-ai/sandbox-runtime';
const BLOCKED_ATTACKS = ['signal', 'write', 'connect'];

/** The standard output of a child process; rejects when it fails or writes to standard error. */
function readOutput(child, label) {
  return new Promise((resolve, reject) => {
    const texts = ['', ''];
    for (const [index, stream] of [child.stdout, child.stderr].entries()) {
      stream.setEncoding('utf8').on('data', (text) => {
        texts[index] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0 && texts[1] === '') resolve(texts[0]);
      else reject(new Error(`${label} ended with ${code}: ${texts[1]}`));
    });
  });
}

const STDIO = { stdio: ['ignore', 'pipe', 'pipe'] };

/** `child_process`, which most tools call, without any confinement. */
const unconfined = {
  run: ([program, ...args]) => readOutput(spawn(program, args, STDIO), 'child_process'),
  blockedAttacks: [],
};

async function bubblewrap({ root }) {
  const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--bind', root, root];
  const isolation = ['--unshare-net', '--unshare-pid', '--new-session', '--die-with-parent', '--chdir', root];
  const run = async (argv) => {
    const { stdout } = await execa('bwrap', [...mounts, ...isolation, ...argv], {
      stdin: 'ignore',
      stripFinalNewline: false,
    });
    return stdout;
  };
  await run(['true']);
  return { run, blockedAttacks: BLOCKED_ATTACKS };
}

const shellQuoted = (argv) => argv.map((argument) => `'${argument.replaceAll("'", "'\\''")}'`).join(' ');

/** sandbox-runtime, installed from its lock file; its commands write below `root` only and reach no network. */
export async function sandboxManager(root, { quick }) {
  if (quick) {
    if (!existsSync(join(INSTALL_FOLDER, 'node_modules'))) throw new Error('a quick run installs nothing');
  } else {
    await installFrom(MANIFESTS, INSTALL_FOLDER);
  }
  const require = createRequire(join(INSTALL_FOLDER, 'package.json'));
  const { SandboxManager } = await import(pathToFileURL(require.resolve(SANDBOX_RUNTIME)).href);
  await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [root], denyWrite: [] },
  });
  return SandboxManager;
}

async function sandboxRuntime({ root, quick }) {
  const SandboxManager = await sandboxManager(root, { quick });
  const run = async (argv) => {
    const command = await SandboxManager.wrapWithSandbox(shellQuoted(argv));
    try {
      return await readOutput(spawn(command, { ...STDIO, shell: true, cwd: root }), SANDBOX_RUNTIME);
    } finally {
      SandboxManager.cleanupAfterCommand();
    }
  };
  const close = () => SandboxManager.reset();
  try {
    await run(['true']);
  } catch (error) {
    await close();
    throw error;
  }
  return { run, blockedAttacks: BLOCKED_ATTACKS, close };
}

/**
 * @param {{root: string, quick: boolean}} options
 * @returns {Promise<{rivals: object, absent: Record<string, string>}>} `absent` says by name why a rival cannot run
 */
export async function prepareRivals(options) {
  const rivals = { child_process: unconfined };
  const absent = {};
  for (const [name, prepare] of Object.entries({ bwrap: bubblewrap, 'sandbox-runtime': sandboxRuntime })) {
    try {
      rivals[name] = await prepare(options);
    } catch (error) {
      absent[name] = String(error.shortMessage ?? error.message).split('\n', 1)[0];
    }
  }
  return { rivals, absent };
}
