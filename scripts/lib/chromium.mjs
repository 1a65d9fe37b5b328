// The machine's Chromium without a window, driven by playwright-core, which scripts/lib/hosts.mjs installs.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { hostModules } from './hosts.mjs';

/** As Debian and others call it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** What it would ask of the network by itself, it is told not to; a container has no sandbox for it. */
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

/** Its program, by the search path; undefined where there is none. */
export function chromiumProgram() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync);
}

/** Whether it can be started: the browser is there, and what drives it. */
export const hasChromium = () => chromiumProgram() !== undefined && hostModules() !== undefined;

/**
 * @param {string} home what it writes beside its profile goes there
 * @returns {Promise<any>} a Browser of Playwright
 */
export function launchChromium(home) {
  const { chromium } = createRequire(join(hostModules() ?? '', 'of.cjs'))('playwright-core');
  const env = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: tmpdir() };
  return chromium.launch({ executablePath: chromiumProgram(), args: FLAGS, env });
}
