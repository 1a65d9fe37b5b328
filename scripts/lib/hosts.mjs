// Hosts of JavaScript beside Node, to prove `handrail/wasm` in: npm has their programs as packages, but not the browser.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { testPackages } from './test-packages.mjs';

const PACKAGES = testPackages('hosts', 'wasm/hosts', '`handrail/wasm` is proven in Node only');

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

/** The program of a host, when it was installed. @param {'bun' | 'deno' | 'workerd'} name */
export function hostProgram(name) {
  const path = PROGRAMS[process.arch]?.[name];
  const file = join(PACKAGES.modules() ?? '', path ?? '');
  return path !== undefined && existsSync(file) ? file : undefined;
}

/** `playwright-core` is among them. */
export const hostModules = PACKAGES.modules;
export const installHosts = PACKAGES.install;
