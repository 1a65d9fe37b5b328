/** A real browser for the tests of a page: the machine's Chromium, driven by playwright-core. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wasmFile } from '../../../scripts/lib/wasm.mjs';
import { REPOSITORY } from '../../support/copy.js';

/** What the tests use of playwright-core, which is not among the packages of the repository. */
export interface Page {
  goto(url: string): Promise<unknown>;
  /** A string is an expression for the page. */
  evaluate(expression: string): Promise<unknown>;
  waitForSelector(selector: string): Promise<unknown>;
  fill(selector: string, value: string): Promise<void>;
  click(selector: string): Promise<void>;
  press(selector: string, key: string): Promise<void>;
  setInputFiles(selector: string, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>;
  textContent(selector: string): Promise<string | null>;
  isVisible(selector: string): Promise<boolean>;
  screenshot(options: { path: string }): Promise<Buffer>;
  route(url: string, handler: (route: { abort(): Promise<void> }) => Promise<void>): Promise<unknown>;
  unroute(url: string): Promise<void>;
  on(event: 'request', listener: (request: { url(): string }) => void): unknown;
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): unknown;
  on(event: 'pageerror', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

export interface Browser {
  newPage(options: { viewport: { width: number; height: number }; colorScheme?: 'light' | 'dark' }): Promise<Page>;
  close(): Promise<void>;
}

interface Playwright {
  chromium: {
    launch(options: { executablePath: string; args: string[] }): Promise<Browser>;
  };
}

const HOSTS = path.join(REPOSITORY, 'node_modules/.cache/handrail/hosts');

function playwright(): Playwright | undefined {
  if (!existsSync(path.join(HOSTS, 'node_modules/playwright-core'))) return undefined;
  return createRequire(path.join(HOSTS, 'package.json'))('playwright-core') as Playwright;
}

function chromiumProgram(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => path.join(folder, 'chromium')).find((file) => existsSync(file));
}

/** Without a sandbox, as root has none; without what a browser does by itself on the network. */
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Without its target nothing builds it; in CI that is a failure of the build. */
export const HAS_WASM = existsSync(wasmFile);

/** Tests that need a browser and the module. Where one is missing, they say so; where there has to be a browser, they fail. */
export function describeWithChromium(title: string, define: (browser: () => Browser) => void): void {
  const driver = playwright();
  const program = chromiumProgram();
  const hasChromium = driver !== undefined && program !== undefined;
  const missing = hasChromium ? 'no WASM module' : 'no chromium';
  const isThere = hasChromium && HAS_WASM;
  if (process.env['HANDRAIL_REQUIRE_CHROMIUM'] === '1') {
    it('there is a chromium, as HANDRAIL_REQUIRE_CHROMIUM says', () => {
      expect({ program, driver }).toEqual({ program: expect.any(String), driver: expect.anything() });
    });
  }
  describe.skipIf(!isThere)(isThere ? title : `${title} (skipped: ${missing})`, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      if (driver === undefined || program === undefined) return;
      browser = await driver.chromium.launch({ executablePath: program, args: FLAGS });
    });
    afterAll(() => browser?.close());
    define(() => {
      if (browser === undefined) throw new Error('the browser has not started');
      return browser;
    });
  });
}
