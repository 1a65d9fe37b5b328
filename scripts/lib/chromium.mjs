// Starts the Chromium of this machine without a window, through playwright-core, which scripts/lib/hosts.mjs installs.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { hostModules } from './hosts.mjs';

/** The names of its program on Debian and other systems. */
const PROGRAM_NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Chromium makes no network requests of its own, and runs without its sandbox, which containers do not allow. */
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

/** The path of its program; undefined where the search path has none. */
export function chromiumProgram() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => PROGRAM_NAMES.map((name) => join(folder, name))).find(existsSync);
}

/** Whether both Chromium and playwright-core are installed. */
export const hasChromium = () => chromiumProgram() !== undefined && hostModules() !== undefined;

/**
 * @param {string} home its HOME, for files that it writes outside of its profile
 * @returns {Promise<any>} a Browser of Playwright
 */
export function launchChromium(home) {
  const { chromium } = createRequire(join(hostModules() ?? '', 'of.cjs'))('playwright-core');
  const env = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: tmpdir() };
  return chromium.launch({ executablePath: chromiumProgram(), args: FLAGS, env });
}
