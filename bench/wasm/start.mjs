// The size of the WASM module, and the time until it is ready and has masked its first text.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { hasChromium, launchChromium } from '../../scripts/lib/chromium.mjs';
import { must } from '../../scripts/lib/command.mjs';
import { wasmFile } from '../../scripts/lib/wasm.mjs';
import { summary } from '../lib/statistics.mjs';

const REPETITIONS = { full: 15, quick: 1 };
const CONTENT_TYPES = { js: 'text/javascript', wasm: 'application/wasm', html: 'text/html' };

export function size() {
  const module = readFileSync(wasmFile);
  const code = readFileSync(join(dirname(wasmFile), 'browser.js'));
  const gzippedBytes = (bytes) => gzipSync(bytes, { level: 9 }).length;
  return { bytes: module.length, gzipped: gzippedBytes(module), codeGzipped: gzippedBytes(code) };
}

/** Milliseconds until the module is ready, and until it has masked a text. Its source is sent to the host, which runs it. */
async function timeFirstMask(entry) {
  const { ready, Redactor } = await import(entry);
  const before = performance.now();
  await ready();
  const readyMs = performance.now() - before;
  const masked = new Redactor().redact('password=hunter2');
  if (masked !== 'password=[REDACTED]') throw new Error(`the answer is ${masked}`);
  return [readyMs, performance.now() - before];
}

/** Samples from Node, each from a new process. */
async function inNode(count) {
  const entry = JSON.stringify(join(dirname(wasmFile), 'node.js'));
  const program = `${timeFirstMask}\nconsole.log(JSON.stringify(await timeFirstMask(${entry})));`;
  const samples = [];
  for (let index = 0; index < count; index += 1) {
    const { stdout } = await must(process.execPath, ['--input-type=module', '-e', program]);
    samples.push(JSON.parse(stdout));
  }
  return samples;
}

function startFileServer() {
  const server = createServer(({ url }, response) => {
    const name = url === '/' ? 'index.html' : basename(url);
    const isServed = ['index.html', 'browser.js', 'handrail.wasm'].includes(name);
    response.writeHead(isServed ? 200 : 404, { 'content-type': CONTENT_TYPES[name.split('.').at(-1)] ?? 'text/plain' });
    response.end(isServed && name !== 'index.html' ? readFileSync(join(dirname(wasmFile), name)) : '');
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** Samples from Chromium, each from a page of a new profile, so that nothing is cached. */
async function inChromium(count) {
  const server = await startFileServer();
  const home = mkdtempSync(join(tmpdir(), 'handrail-bench-'));
  const samples = [];
  try {
    const browser = await launchChromium(home);
    try {
      for (let index = 0; index < count; index += 1) {
        const context = await browser.newContext();
        const page = await context.newPage();
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        samples.push(await page.evaluate(`(${timeFirstMask})('/browser.js')`));
        await context.close();
      }
    } finally {
      await browser.close();
    }
  } finally {
    server.close();
    rmSync(home, { recursive: true, force: true });
  }
  return samples;
}

export async function start({ quick }) {
  const count = quick ? REPETITIONS.quick : REPETITIONS.full;
  const figures = (samples) => ({
    readyMs: summary(
      samples.map(([ready]) => ready),
      1,
    ),
    firstMaskMs: summary(
      samples.map(([, first]) => first),
      1,
    ),
  });
  const node = figures(await inNode(count));
  if (!hasChromium()) return { node, absent: 'Chromium' };
  return { node, chromium: figures(await inChromium(count)) };
}
