import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { findNative, type LoadOptions, loadNative } from '../../ts/native/loader.js';
import { bindingTriples, cLibrary } from '../../ts/native/platform.js';
import { VERSION } from '../../ts/version.js';

const HOST = { platform: process.platform, arch: process.arch };

let folder: string;
let options: LoadOptions;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-loader-'));
  options = { host: HOST, folders: [folder], version: VERSION };
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Puts the real binding, under a name of its own, and a supervisor that does nothing into the folder. */
function install({ supervisor = true } = {}): void {
  const real = path.join(path.dirname(loadNative().supervisorPath), `handrail.${ownTriple()}.node`);
  copyFileSync(real, path.join(folder, `handrail.${ownTriple()}.node`));
  if (!supervisor) return;
  writeFileSync(path.join(folder, 'handrail-supervisor'), '#!/bin/sh\n');
  chmodSync(path.join(folder, 'handrail-supervisor'), 0o755);
}

function ownTriple(): string {
  const triples = bindingTriples(HOST);
  const ending = cLibrary() === 'glibc' ? '-gnu' : '-musl';
  return triples.find((triple) => triple.endsWith(ending)) ?? triples[0] ?? '';
}

describe('the loader', () => {
  test('finds the binding of this installation, of the same release', () => {
    expect(loadNative().binding.version()).toBe(VERSION);
    expect(path.basename(loadNative().supervisorPath)).toBe('handrail-supervisor');
  });

  test('knows the release that package.json says', () => {
    const require = createRequire(import.meta.url);
    expect((require('../../package.json') as { version: string }).version).toBe(VERSION);
  });

  test('takes a binding and its supervisor from one folder', () => {
    install();
    expect(findNative(options).supervisorPath).toBe(path.join(folder, 'handrail-supervisor'));
  });

  test('says what is missing, why it is likely so and what to do when there is no binding', () => {
    const find = () => findNative(options);
    expect(find).toThrow(/handrail\..*\.node.* is missing\. Most likely .* Reinstall handrail/);
    expect(find).toThrow(expect.objectContaining({ code: 'ERR_NATIVE_MISSING', data: { looked: [folder] } }));
  });

  test('says so when the supervisor is missing or not executable', () => {
    install({ supervisor: false });
    expect(() => findNative(options)).toThrow(/executable handrail-supervisor.* is missing or not executable/);
    writeFileSync(path.join(folder, 'handrail-supervisor'), '', { mode: 0o644 });
    expect(() => findNative(options)).toThrow(expect.objectContaining({ code: 'ERR_NATIVE_MISSING' }));
  });

  test('says so when the binding cannot be loaded', () => {
    writeFileSync(path.join(folder, `handrail.${ownTriple()}.node`), 'not a library');
    expect(() => findNative(options)).toThrow(/could not be loaded\. Most likely it was built for another system/);
  });

  test('refuses a binding of another release', () => {
    install();
    const find = () => findNative({ ...options, version: '0.0.1' });
    expect(find).toThrow(expect.objectContaining({ code: 'ERR_NATIVE_VERSION' }));
    expect(find).toThrow(expect.objectContaining({ data: { expected: '0.0.1', found: VERSION } }));
  });

  test.each([
    ['win32', 'x64'],
    ['linux', 'ia32'],
    ['freebsd', 'x64'],
  ])('says that %s on %s is not supported', (platform, arch) => {
    const find = () => findNative({ ...options, host: { platform, arch } });
    expect(find).toThrow(/not supported on this platform/);
    expect(find).toThrow(expect.objectContaining({ code: 'ERR_NOT_SUPPORTED' }));
  });

  test.each([
    ['linux', 'x64', ['linux-x64-gnu', 'linux-x64-musl']],
    ['linux', 'arm64', ['linux-arm64-gnu', 'linux-arm64-musl']],
    ['darwin', 'arm64', ['darwin-arm64']],
  ])('looks on %s %s for %j', (platform, arch, triples) => {
    expect(bindingTriples({ platform, arch })).toEqual(triples);
  });

  test('takes nothing from the environment', () => {
    process.env['NAPI_RS_NATIVE_LIBRARY_PATH'] = path.join(folder, 'evil.node');
    try {
      expect(() => findNative(options)).toThrow(expect.objectContaining({ code: 'ERR_NATIVE_MISSING' }));
    } finally {
      delete process.env['NAPI_RS_NATIVE_LIBRARY_PATH'];
    }
  });
});
