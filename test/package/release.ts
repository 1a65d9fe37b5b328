/** What a release would publish, as far as this machine can build it: staged, packed, served, installed. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TARGETS } from '../../scripts/lib/package/targets.mjs';
import { wasmFile } from '../../scripts/lib/wasm.mjs';
import { packageAll } from '../../scripts/package.mjs';
import { fittingTriple, nativeTriples } from '../../ts/native/platform.js';
import { SHARED_FOLDER } from '../support/clean-machine.js';
import { until } from '../support/processes.js';
import { HAS_WASM } from '../support/wasm.js';
import { type Published, Registry } from './registry.js';

/** The triple of this machine. */
export const OWN = fittingTriple(nativeTriples({ platform: process.platform, arch: process.arch }));

/** What these tests start by name. Folders of the system have toolchains too. */
const TOOLS = {
  ...Object.fromEntries(['sh', 'cp', 'mount', 'unshare'].map((tool) => [tool, `/usr/bin/${tool}`])),
  node: process.execPath,
  npm: path.join(path.dirname(process.execPath), 'npm'),
};

/** A search path with the tools and nothing else. One for all test files, which may share a process: the run removes it. */
const BARE_PATH = path.join(tmpdir(), SHARED_FOLDER, 'tools', String(process.pid));
mkdirSync(BARE_PATH, { recursive: true });
for (const [tool, file] of Object.entries(TOOLS)) {
  const link = path.join(BARE_PATH, tool);
  if (!existsSync(link)) symlinkSync(file, link);
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, with the tools alone and nothing of this environment but what is given. */
export function runBare(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Outcome> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { PATH: BARE_PATH, HOME: options.cwd, NO_COLOR: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
  });
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Makes a folder. False when somebody else has. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The folder of the packed packages, which no test changes: the first test file that needs them packs them for all. */
async function packages(): Promise<string> {
  const folder = path.join(tmpdir(), SHARED_FOLDER, 'packages');
  const [output, ended] = [path.join(folder, 'out'), path.join(folder, 'ended')];
  mkdirSync(path.dirname(folder), { recursive: true });
  if (!isMade(folder)) {
    await until(() => existsSync(ended));
    const problem = readFileSync(ended, 'utf8');
    if (problem !== '') throw new Error(problem);
    return output;
  }
  const end = (problem: string): void => {
    writeFileSync(`${ended}.next`, problem);
    renameSync(`${ended}.next`, ended);
  };
  try {
    await packageAll({ output, wasm: HAS_WASM && wasmFile });
    end('');
  } catch (error) {
    end(String(error));
    throw error;
  }
  return output;
}

/** The packages of a release, a registry that has them, and a folder to install them in. */
export class Release {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'handrail-release-'));
  output = '';
  registry!: Registry;
  /** Of the registry. */
  address = '';

  /** Folder of the staged package `handrail`. */
  get root(): string {
    return path.join(this.output, 'handrail');
  }

  /** Folder of the staged package with the native files of this machine. */
  get native(): string {
    return path.join(this.output, `native-${OWN}`);
  }

  /** The tarball of a staged package. */
  tarball(name: 'handrail' | 'native'): string {
    const { version } = manifestIn(this.root);
    const file = name === 'handrail' ? `handrail-${version}.tgz` : `handrail-native-${OWN}-${version}.tgz`;
    return path.join(this.output, file);
  }

  async make(): Promise<void> {
    this.output = await packages();
    const own = manifestIn(this.native);
    // The other platforms as their packages would say it of themselves; nothing of them is to be downloaded here.
    const others: Published[] = TARGETS.filter(({ triple }) => triple !== OWN).map(({ triple, os, cpu, libc }) => ({
      manifest: {
        ...own,
        name: `@handrail/native-${triple}`,
        os: [os],
        cpu: [cpu],
        ...(libc === undefined ? {} : { libc: [libc] }),
      },
    }));
    this.registry = new Registry([
      { manifest: manifestIn(this.root), tarball: this.tarball('handrail') },
      { manifest: own, tarball: this.tarball('native') },
      ...others,
    ]);
    this.address = await this.registry.start();
  }

  /** `npm install handrail` in an empty folder. @returns the folder */
  async install(...options: readonly string[]): Promise<string> {
    const folder = mkdtempSync(path.join(this.folder, 'app-'));
    writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
    const args = ['install', 'handrail', '--no-audit', '--no-fund', '--registry', this.address, ...options];
    const env = { npm_config_cache: path.join(this.folder, 'cache') };
    const { code, stderr } = await runBare(TOOLS.npm, args, { cwd: folder, env });
    if (code !== 0) throw new Error(`npm install failed: ${stderr}`);
    return folder;
  }

  async remove(): Promise<void> {
    await this.registry?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
