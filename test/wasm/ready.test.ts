/** What `ready` takes, and what it refuses; each test has a copy of the entry of its own. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { beforeEach, describe, expect, it } from 'vitest';
import { wasmFile } from '../../scripts/lib/wasm.mjs';
import { VERSION } from '../../ts/version.js';
import { HAS_WASM, type WasmApi, wasmTitle } from '../support/wasm.js';

/** A module that is valid and has nothing in it. */
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

let copies = 0;
let api: WasmApi;

/** The entry for browsers, which has nothing before it is ready. */
beforeEach(async () => {
  copies += 1;
  const file = pathToFileURL(path.join(path.dirname(wasmFile), 'browser.js')).href;
  api = (await import(`${file}?ready-${copies}`)) as WasmApi;
});

const works = () => api.stripAnsi('\u001b[31mred') === 'red';

describe.skipIf(!HAS_WASM)(wasmTitle('ready'), () => {
  it.each<[string, () => unknown]>([
    ['bytes', () => readFileSync(wasmFile)],
    ['an ArrayBuffer', () => Uint8Array.from(readFileSync(wasmFile)).buffer],
    ['a Response', () => new Response(readFileSync(wasmFile))],
    ['a promise', () => Promise.resolve(new Response(readFileSync(wasmFile)))],
    ['an ArrayBuffer of another realm', () => anotherRealm(readFileSync(wasmFile))],
  ])('takes %s', async (_name, source) => {
    await api.ready(source() as object);
    expect(works()).toBe(true);
  });

  it.each<[string, () => unknown, string]>([
    ['a URL', () => pathToFileURL(wasmFile), 'ERR_NATIVE_MISSING'],
    ['an object that is none of these', () => ({}), 'ERR_NATIVE_MISSING'],
    ['another module', () => EMPTY_MODULE, 'ERR_NATIVE_MISSING'],
    ['bytes that are no module', () => new Uint8Array(8), 'ERR_NATIVE_MISSING'],
    ['a page that says 404', () => new Response('<html>'), 'ERR_NATIVE_MISSING'],
    ['a module of another release', ofAnotherRelease, 'ERR_NATIVE_VERSION'],
    ['no object', () => 'handrail.wasm', 'ERR_INVALID_ARGUMENT'],
  ])('refuses %s, and takes the next one', async (_name, source, code) => {
    await expect(api.ready(source() as object)).rejects.toMatchObject({ code });
    expect(() => api.stripAnsi('x')).toThrow(expect.objectContaining({ code: 'ERR_NATIVE_MISSING' }));
    await api.ready(readFileSync(wasmFile));
    expect(works()).toBe(true);
  });

  it('waits for what it is given, also when it is ready', async () => {
    await Promise.all([api.ready(readFileSync(wasmFile)), api.ready(readFileSync(wasmFile))]);
    await expect(api.ready(Promise.reject(new Error('offline')))).rejects.toThrow('offline');
    expect(works()).toBe(true);
  });

  it('keeps redactors through a text that stops the module', async () => {
    await api.ready(readFileSync(wasmFile));
    const redactor = new api.Redactor();
    expect(() => api.sanitize(new Uint8Array(2 ** 31 - 1))).toThrow(expect.objectContaining({ code: 'ERR_INTERNAL' }));
    expect(() => api.sanitize(new Uint8Array(2 ** 31))).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }),
    );
    expect([redactor.redact('password=hunter2'), works()]).toEqual(['password=[REDACTED]', true]);
  });
});

function anotherRealm(bytes: Uint8Array): ArrayBuffer {
  const context = createContext({ length: bytes.length });
  const buffer = runInContext('new ArrayBuffer(length)', context) as ArrayBuffer;
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

/** The module with the digits of its release changed, wherever they stand. */
function ofAnotherRelease(): Uint8Array {
  const bytes = Buffer.from(readFileSync(wasmFile));
  for (let at = bytes.indexOf(VERSION); at >= 0; at = bytes.indexOf(VERSION, at + 1)) bytes.write('9.9.9', at);
  return bytes;
}
