// JavaScript hosts other than Node in which `handrail/wasm` is tested. npm has their programs as packages, except for the browser.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { testPackages } from './test-packages.mjs';

const PACKAGES = testPackages('hosts', 'wasm/hosts', '`handrail/wasm` is tested in Node only');

/** Each host's program by processor. The launchers of these packages would need install scripts. */
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

/** The path of a host's program; undefined when it is not installed. @param {'bun' | 'deno' | 'workerd'} name */
export function hostProgram(name) {
  const path = PROGRAMS[process.arch]?.[name];
  const file = join(PACKAGES.modules() ?? '', path ?? '');
  return path !== undefined && existsSync(file) ? file : undefined;
}

/** The folder of all packages, which include `playwright-core`; undefined when they are not installed. */
export const hostModules = PACKAGES.modules;
export const installHosts = PACKAGES.install;
