// What it takes before the first text is masked: the size of the module, and the time until it is ready.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { hasChromium, launchChromium } from '../../scripts/lib/chromium.mjs';
import { must } from '../../scripts/lib/command.mjs';
import { wasmFile } from '../../scripts/lib/wasm.mjs';
import { summary } from '../lib/statistics.mjs';

const TIMES = { full: 15, quick: 1 };
const TYPES = { js: 'text/javascript', wasm: 'application/wasm', html: 'text/html' };
export function size() {
  const module = readFileSync(wasmFile);
  const code = readFileSync(join(dirname(wasmFile), 'browser.js'));
  const zipped = (bytes) => gzipSync(bytes, { level: 9 }).length;
  return { bytes: module.length, gzipped: zipped(module), codeGzipped: zipped(code) };
}

/** Runs in the host: milliseconds until it is ready, and until the first text is masked. */
async function timed(entry) {
  const { ready, Redactor } = await import(entry);
  const before = performance.now();
  await ready();
  const isReady = performance.now() - before;
  const masked = new Redactor().redact('password=hunter2');
  if (masked !== 'password=[REDACTED]') throw new Error(`the answer is ${masked}`);
  return [isReady, performance.now() - before];
}

/** In a process of its own each time. */
async function inNode(times) {
  const entry = JSON.stringify(join(dirname(wasmFile), 'node.js'));
  const program = `${timed}\nconsole.log(JSON.stringify(await timed(${entry})));`;
  const samples = [];
  for (let time = 0; time < times; time += 1) {
    const { stdout } = await must(process.execPath, ['--input-type=module', '-e', program]);
    samples.push(JSON.parse(stdout));
  }
  return samples;
}

function serve() {
  const server = createServer(({ url }, response) => {
    const name = url === '/' ? 'index.html' : basename(url);
    const known = ['index.html', 'browser.js', 'handrail.wasm'].includes(name);
    response.writeHead(known ? 200 : 404, { 'content-type': TYPES[name.split('.').at(-1)] ?? 'text/plain' });
    response.end(known && name !== 'index.html' ? readFileSync(join(dirname(wasmFile), name)) : '');
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** In a page of a new profile each time, with nothing kept from the one before. */
async function inChromium(times) {
  const server = await serve();
  const home = mkdtempSync(join(tmpdir(), 'handrail-bench-'));
  const samples = [];
  try {
    const browser = await launchChromium(home);
    try {
      for (let time = 0; time < times; time += 1) {
        const context = await browser.newContext();
        const page = await context.newPage();
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        samples.push(await page.evaluate(`(${timed})('/browser.js')`));
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
  const times = quick ? TIMES.quick : TIMES.full;
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
  const node = figures(await inNode(times));
  if (!hasChromium()) return { node, absent: 'Chromium' };
  return { node, chromium: figures(await inChromium(times)) };
}
