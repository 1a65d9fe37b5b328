// Hosts of JavaScript beside Node, to prove `handrail/wasm` in: npm has their programs as packages, but not the browser.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed } from './command.mjs';
import { installDependencies } from './dependencies.mjs';
import { root, stampFolder } from './paths.mjs';

const MANIFESTS = join(root, 'test', 'wasm', 'hosts');
const FOLDER = join(stampFolder, 'hosts');

/** Each host's program in the packages for this processor. Their own launchers want scripts to have run. */
const PROGRAMS = {
  x64: {
    bun: '@oven/bun-linux-x64/bin/bun',
    deno: '@deno/linux-x64-glibc/deno',
    workerd: '@cloudflare/workerd-linux-64/bin/workerd',
  },
  arm64: {
    bun: '@oven/bun-linux-aarch64/bin/bun',
    deno: '@deno/linux-arm64-glibc/deno',
    workerd: '@cloudflare/workerd-linux-arm64/bin/workerd',
  },
};

/** Where the packages are installed, among them `playwright-core`; undefined where they are not. */
export function hostModules() {
  const modules = join(FOLDER, 'node_modules');
  return existsSync(modules) ? modules : undefined;
}

/** The program of a host, when it was installed. @param {'bun' | 'deno' | 'workerd'} name */
export function hostProgram(name) {
  const path = PROGRAMS[process.arch]?.[name];
  const file = path === undefined ? undefined : join(FOLDER, 'node_modules', path);
  return file !== undefined && existsSync(file) ? file : undefined;
}

/** @returns {Promise<string>} what was done. Without a network the tests that want them are skipped, but not in CI. */
export async function installHosts() {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(MANIFESTS, name), join(FOLDER, name));
  try {
    return await installDependencies(FOLDER);
  } catch (error) {
    if (!(error instanceof CommandFailed) || process.env.CI) throw error;
    return 'not to be had: `handrail/wasm` is proven in Node only';
  }
}
