/** A real browser for the tests of a page: the machine's Chromium, driven by playwright-core. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../scripts/lib/chromium.mjs';
import { HAS_WASM } from './wasm.js';

/** The part of playwright-core's types that tests use: the repository does not depend on that package. */
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

/**
 * Defines tests that need a browser and, by default, the WASM module. Where one is missing they are skipped with a reason; with
 * HANDRAIL_REQUIRE_CHROMIUM=1 a missing browser is a failure.
 */
export function describeWithChromium(
  title: string,
  define: (browser: () => Browser) => void,
  { module = true }: { readonly module?: boolean } = {},
): void {
  const missing = hasChromium() ? 'no WASM module' : 'no chromium';
  const isAvailable = hasChromium() && (HAS_WASM || !module);
  if (process.env['HANDRAIL_REQUIRE_CHROMIUM'] === '1') {
    it('there is a chromium, as HANDRAIL_REQUIRE_CHROMIUM says', () => {
      expect(hasChromium()).toBe(true);
    });
  }
  describe.skipIf(!isAvailable)(isAvailable ? title : `${title} (skipped: ${missing})`, () => {
    let home = '';
    let browser: Browser | undefined;
    beforeAll(async () => {
      home = mkdtempSync(path.join(tmpdir(), 'handrail-chromium-'));
      if (isAvailable) browser = (await launchChromium(home)) as Browser;
    });
    afterAll(async () => {
      await browser?.close();
      rmSync(home, { recursive: true, force: true });
    });
    define(() => {
      if (browser === undefined) throw new Error('the browser has not started');
      return browser;
    });
  });
}
