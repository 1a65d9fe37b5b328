import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NativeEngine, NativeRunner } from '../../ts/native/binding.js';
import { jsonOf } from '../../ts/native/json.js';
import { loadNative } from '../../ts/native/loader.js';
import { callNative } from '../../ts/native/unwrap.js';

const NATIVE = loadNative();

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-supervisor-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A terminal that runs nothing: it is only asked what is enforced. */
function terminalOf(engine: NativeEngine): NativeRunner {
  const { binding } = NATIVE;
  return new binding.NativeRunner(engine, new binding.NativeRoots(null), {
    trustInterpreters: [],
    confine: {},
    judging: true,
    shell: 'none',
    writeRules: true,
    lifted: [],
    protectedPaths: [],
    path: [],
    cwd: folder,
    env: [],
    gitEnv: [],
    hooks: [],
    privateHome: true,
    graceMs: 0,
    headBytes: 10,
    tailBytes: 10,
    spillBytes: 0,
    excerptTokens: 0,
    redactor: new binding.NativeRedactor(jsonOf({})),
  });
}

/** What starting `supervisorPath` says. */
function starting(supervisorPath: string): string {
  const stateParent = path.join(folder, 'state');
  mkdirSync(stateParent, { recursive: true });
  const options = {
    supervisorPath,
    stateParent,
    maxWorkers: 1,
    maxSessions: 1,
    maxServices: 1,
    maxJobs: 1,
    spillTotalBytes: 0,
    killing: true,
    confine: true,
  };
  const engine = new NATIVE.binding.NativeEngine(options, () => undefined);
  try {
    callNative(() => terminalOf(engine).capabilities());
    return 'started';
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`;
  } finally {
    engine.close(() => undefined);
  }
}

/** A copy of the supervisor, changed. */
function changed(change: (bytes: Buffer) => Buffer): string {
  const file = path.join(folder, 'handrail-supervisor');
  copyFileSync(NATIVE.supervisorPath, file);
  writeFileSync(file, change(readFileSync(file)));
  return file;
}

describe('a supervisor', () => {
  test('that is whole starts', () => {
    expect(starting(changed((bytes) => bytes))).toBe('started');
  });

  test('for another C library: the error says so', () => {
    // The name of the program's loader, which the other library does not have.
    const file = changed((bytes) => {
      const at = bytes.indexOf('/lib64/ld-linux-x86-64.so.2');
      expect(at).toBeGreaterThan(0);
      bytes.write('/lib64/ld-absent-86-64.so.2', at);
      return bytes;
    });
    expect(starting(file)).toMatch(/^ERR_SUPERVISOR: .*No such file.*most likely it was built for another C library/);
  });

  test('for another processor, or damaged: the error says so', () => {
    const file = changed((bytes) => bytes.fill(0xb7, 18, 19));
    expect(starting(file)).toMatch(/^ERR_SUPERVISOR: .*format.*most likely it was built for another processor/);
  });

  test.each(['exit 1', 'sleep 0.2; exit 1'])(
    'that ends before it is ready, as with a C library that is too old: the error says so (%s)',
    (script) => {
      const file = path.join(folder, 'handrail-supervisor');
      writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      expect(starting(file)).toMatch(/^ERR_SUPERVISOR: .*ended before it was ready/);
    },
  );
});
