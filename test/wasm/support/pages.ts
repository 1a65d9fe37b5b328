/** Pages in a headless Chromium, and the server that they come from. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { launchChromium } from '../../../scripts/lib/chromium.mjs';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** The part of Playwright's interface that is used. */
interface Browser {
  newContext(): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>;
  close(): Promise<void>;
}
interface Page {
  goto(url: string): Promise<unknown>;
  evaluate(code: string): Promise<unknown>;
}

/** Serves a folder on a free port of this machine, and pages at `/` that have nothing in them. */
export class PageServer {
  readonly #server: Server;
  /** Where the answer is 404, by the end of the path. */
  missing: string | undefined;
  /** Of the pages. */
  policy: string | undefined;

  constructor(folder: string) {
    this.#server = createServer((request, response) => {
      const name = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
      const file = path.join(folder, name);
      if (name === '/') {
        if (this.policy !== undefined) response.setHeader('content-security-policy', this.policy);
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>empty</title>');
      } else if (!existsSync(file) || (this.missing !== undefined && name.endsWith(this.missing))) {
        response.writeHead(404).end();
      } else {
        response.setHeader('content-type', TYPES[path.extname(name)] ?? 'text/plain').end(readFileSync(file));
      }
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A running browser. */
export class Chromium {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** @param home what it writes beside its profile goes there */
  static async start(home: string): Promise<Chromium> {
    return new Chromium((await launchChromium(home)) as Browser);
  }

  /** Evaluates expressions one after the other, in a page with nothing in its cache. @returns what they come to */
  async inPage(url: string, ...codes: readonly string[]): Promise<unknown[]> {
    const results: unknown[] = [];
    for await (const result of this.steps(url, ...codes)) results.push(result);
    return results;
  }

  /** The same, with time for the caller in between. */
  async *steps(url: string, ...codes: readonly string[]): AsyncGenerator<unknown, void, void> {
    const context = await this.#browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(url);
      for (const code of codes) yield await page.evaluate(code);
    } finally {
      await context.close();
    }
  }

  async stop(): Promise<void> {
    await this.#browser.close();
  }
}
