/** The module stops in the middle of a call, as it does where memory ends: what is lost with it, and what goes on. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { REPOSITORY } from '../support/copy.js';
import { HAS_WASM, wasmTitle } from '../support/wasm.js';

type Api = typeof import('../../ts/wasm/index.js');

/** A module whose one function, `f`, stops. */
const STOPPING = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 0x66, 0, 0, 10, 5, 1, 3, 0, 0, 0x0b],
);

interface Host {
  Instance: new (module: object) => { exports: Readonly<Record<string, (...numbers: number[]) => number>> };
  readonly Module: new (bytes: Uint8Array) => object;
}
const host = (globalThis as unknown as { readonly WebAssembly: Host }).WebAssembly;
const RealInstance = host.Instance;
/** Whether the next search stops, as it would where memory ends. */
let stops = false;

class StoppingInstance {
  readonly exports;

  constructor(module: object) {
    const { exports } = new RealInstance(module);
    const redactBytes = (...numbers: number[]) => {
      if (stops) new RealInstance(new host.Module(STOPPING)).exports['f']?.();
      return exports['redact_bytes']?.(...numbers) ?? 0;
    };
    this.exports = { ...exports, redact_bytes: redactBytes };
  }
}
const LOST = expect.objectContaining({ code: 'ERR_INTERNAL' });
const SECRET = 'password=hunter2';
const MASKED = 'password=[REDACTED]';

let copies = 0;
let api: Api;

/** What was thrown; fails when nothing was. */
function errorOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function stop(): unknown {
  const redactor = new api.Redactor();
  stops = true;
  try {
    return errorOf(() => redactor.redactBytes(new Uint8Array(1)));
  } finally {
    stops = false;
  }
}

describe.skipIf(!HAS_WASM)(wasmTitle('a module that stops'), () => {
  beforeAll(() => {
    host.Instance = StoppingInstance;
  });
  afterAll(() => {
    host.Instance = RealInstance;
  });
  beforeEach(async () => {
    // A copy of its own for each test.
    copies += 1;
    const file = pathToFileURL(path.join(REPOSITORY, 'dist/wasm/node.js')).href;
    api = (await import(`${file}?${copies}`)) as Api;
  });

  it('the call says that it is a bug, and why in its cause alone', () => {
    const error = stop() as Error;
    expect(error).toEqual(LOST);
    expect(error.message).toBe('The native part of handrail failed in an unforeseen way; this is a bug in handrail');
    expect(String(error.cause)).toBe('RuntimeError: unreachable');
  });

  it('redactors and streams of before stay lost, and take nothing from new ones', () => {
    const old = new api.Redactor();
    const stream = old.stream();
    expect(old.redact(SECRET)).toBe(MASKED);
    expect(stop()).toEqual(LOST);
    const made = new api.Redactor({ label: true });
    for (let time = 0; time < 2; time += 1) {
      expect(errorOf(() => old.redact(SECRET))).toEqual(LOST);
      expect(errorOf(() => old.scan(SECRET))).toEqual(LOST);
      expect(errorOf(() => old.redactBytes(new Uint8Array(1)))).toEqual(LOST);
      expect(errorOf(() => old.addSecret('A', 'hunter2-hunter2'))).toEqual(LOST);
      expect(errorOf(() => old.stream())).toEqual(LOST);
      expect(errorOf(() => stream.write(SECRET))).toEqual(LOST);
      expect(errorOf(() => api.explain('ls', { allow: ['ls'], redactor: old }))).toEqual(LOST);
      expect(made.redact(SECRET)).toBe('password=[REDACTED:password]');
    }
    expect(errorOf(() => stream.end())).toEqual(LOST);
  });

  it('what needs no redactor of before works again at once, as often as it happens', () => {
    const judged = () => api.explain(['ls', SECRET], { allow: ['ls'] }).decision;
    expect(judged()).toBe('allow');
    for (let time = 0; time < 3; time += 1) {
      expect(stop()).toEqual(LOST);
      expect(judged()).toBe('allow');
      expect(api.stripAnsi('\u001b[31mred')).toBe('red');
      expect(new api.Redactor().redact(SECRET)).toBe(MASKED);
    }
  });
});
