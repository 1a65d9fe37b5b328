// Others who confine a command, each called as its users call it, with what `all of these` holds as far as they can: writes in
// the root only, no network, processes out of sight. They hold neither which programs start nor what is removed.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { installDependencies } from '../../scripts/lib/dependencies.mjs';
import { root as repository, stampFolder } from '../../scripts/lib/paths.mjs';

const SETTINGS = join(repository, 'bench', 'plans', 'rivals');
const FOLDER = join(stampFolder, 'bench-plans-rivals');
const RUNTIME = '@anthropic-ai/sandbox-runtime';
/** What fails under them. */
const FAILS = ['signal', 'write', 'connect'];

/** The standard output of a child that ended well. */
function read(child, what) {
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
      else reject(new Error(`${what} ended with ${code}: ${texts[1]}`));
    });
  });
}

const STDIO = { stdio: ['ignore', 'pipe', 'pipe'] };

/** No confinement, by what most tools call. */
const bare = {
  run: ([program, ...args]) => read(spawn(program, args, STDIO), 'child_process'),
  fails: [],
};

async function bubblewrap({ root }) {
  const places = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--bind', root, root];
  const apart = ['--unshare-net', '--unshare-pid', '--new-session', '--die-with-parent', '--chdir', root];
  const run = async (argv) => {
    const { stdout } = await execa('bwrap', [...places, ...apart, ...argv], {
      stdin: 'ignore',
      stripFinalNewline: false,
    });
    return stdout;
  };
  await run(['true']);
  return { run, fails: FAILS };
}

const quoted = (argv) => argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

/** Installed by its lock file, in a folder that is not the package's; writes beneath `root` and reaches no network. */
export async function sandboxManager(root, { quick }) {
  if (quick) {
    if (!existsSync(join(FOLDER, 'node_modules'))) throw new Error('a quick run installs nothing');
  } else {
    mkdirSync(FOLDER, { recursive: true });
    for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(SETTINGS, name), join(FOLDER, name));
    await installDependencies(FOLDER);
  }
  const require = createRequire(join(FOLDER, 'package.json'));
  const { SandboxManager } = await import(pathToFileURL(require.resolve(RUNTIME)).href);
  await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [root], denyWrite: [] },
  });
  return SandboxManager;
}

async function sandboxRuntime({ root, quick }) {
  const SandboxManager = await sandboxManager(root, { quick });
  const run = async (argv) => {
    const command = await SandboxManager.wrapWithSandbox(quoted(argv));
    try {
      return await read(spawn(command, { ...STDIO, shell: true, cwd: root }), RUNTIME);
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
  return { run, fails: FAILS, close };
}

/**
 * @param {{root: string, quick: boolean}} options
 * @returns {Promise<{rivals: object, absent: Record<string, string>}>} and why one is not there
 */
export async function prepareRivals(options) {
  const rivals = { child_process: bare };
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
