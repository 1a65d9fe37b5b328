import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { findNative, type LoadOptions, loadNative } from '../../ts/native/loader.js';
import { fittingTriple, nativeTriples } from '../../ts/native/platform.js';
import { VERSION } from '../../ts/version.js';

const HOST = { platform: process.platform, arch: process.arch };
const TRIPLES = nativeTriples(HOST);
const OWN = fittingTriple(TRIPLES);
/** The same machine with the other C library; on a platform with one, a triple that nothing has. */
const OTHER = TRIPLES.find((triple) => triple !== OWN) ?? 'none';

const { Module } = createRequire(import.meta.url)('node:module') as { Module: { _initPaths(): void } };

/** Node reads `NODE_PATH` once; this makes it read it again. */
const resetNodePath = (): void => Module._initPaths();

let root: string;
let options: LoadOptions;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'handrail-loader-'));
  writeFileSync(path.join(root, 'package.json'), '{"name":"handrail"}');
  options = { host: HOST, root, version: VERSION };
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

/** Where a platform package is installed. */
function packageFolder(triple: string, above = root): string {
  return path.join(above, 'node_modules/@handrail', `native-${triple}`);
}

/** Installs a platform package: the real binding, and a supervisor that does nothing. */
function install({ triple = OWN, above = root, version = VERSION, supervisor = true, binding = true } = {}): string {
  const folder = packageFolder(triple, above);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: `@handrail/native-${triple}`, version }));
  if (binding) {
    const real = path.join(path.dirname(loadNative().supervisorPath), `handrail.${OWN}.node`);
    copyFileSync(real, path.join(folder, `handrail.${triple}.node`));
  }
  if (supervisor) writeFileSync(path.join(folder, 'handrail-supervisor'), '#!/bin/sh\n', { mode: 0o755 });
  return folder;
}

function problem(changes: Partial<LoadOptions> = {}): { message: string; code: string; data: unknown } {
  try {
    findNative({ ...options, ...changes });
  } catch (error) {
    return error as { message: string; code: string; data: unknown };
  }
  throw new Error('everything was found');
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

  test('takes a binding and its supervisor from the package for this machine', () => {
    const folder = install();
    expect(findNative(options).supervisorPath).toBe(path.join(folder, 'handrail-supervisor'));
  });

  test('finds packages where Node does: beside the package, and in any folder above', () => {
    const nested = path.join(root, 'node_modules/app/node_modules/handrail');
    mkdirSync(nested, { recursive: true });
    writeFileSync(path.join(nested, 'package.json'), '{"name":"handrail"}');
    const folder = install();
    expect(findNative({ ...options, root: nested }).supervisorPath).toBe(path.join(folder, 'handrail-supervisor'));
  });

  test.skipIf(OTHER === 'none')('chooses by the C library when the packages for both are installed', () => {
    install({ triple: OTHER });
    const folder = install();
    expect(findNative(options).supervisorPath).toBe(path.join(folder, 'handrail-supervisor'));
  });

  test('prefers what was built in a checkout', () => {
    install();
    const built = path.join(root, 'dist/native');
    mkdirSync(built, { recursive: true });
    for (const name of [`handrail.${OWN}.node`, 'handrail-supervisor']) {
      copyFileSync(path.join(packageFolder(OWN), name), path.join(built, name));
    }
    expect(findNative(options).supervisorPath).toBe(path.join(built, 'handrail-supervisor'));
  });
});

describe('an installation that is not whole', () => {
  test('without the package for this machine: its exact name and release, the likely cause, the remedy', () => {
    const { message, code, data } = problem();
    expect(message).toBe(
      `The package @handrail/native-${OWN}@${VERSION}, which holds handrail's native files for this machine, is not ` +
        'installed. Most likely it was left out by --omit=optional or --no-optional, or by a lock file that was made on ' +
        'another platform. Remove node_modules and install again on this machine with optional dependencies; or add ' +
        `the one package: \`npm install @handrail/native-${OWN}@${VERSION}\`.`,
    );
    expect({ code, data }).toEqual({
      code: 'ERR_NATIVE_MISSING',
      data: { package: `@handrail/native-${OWN}`, platform: OWN, looked: [root] },
    });
  });

  test('with the package of another machine: says which is there', () => {
    install({ triple: 'darwin-arm64', binding: false });
    const { message } = problem({ host: { platform: 'linux', arch: 'x64' } });
    expect(message).toContain('@handrail/native-darwin-arm64 is there instead: most likely node_modules was copied');
  });

  test('in a checkout: asks for a build', () => {
    writeFileSync(path.join(root, 'Cargo.toml'), '');
    expect(problem().message).toBe(
      `The native files of handrail for this machine (${OWN}) were not built. Run \`npm run build\` in the checkout.`,
    );
  });

  test('with a binding that cannot be loaded: what the system said, and why it may be', () => {
    const folder = install({ binding: false });
    writeFileSync(path.join(folder, `handrail.${OWN}.node`), 'not a library');
    const { message, code } = problem();
    expect(code).toBe('ERR_NATIVE_MISSING');
    expect(message).toMatch(/is there but could not be loaded \(.+\)\. Most likely the file is damaged/);
  });

  test.skipIf(OTHER === 'none')(
    'with the package for the other C library only: says so, and names the right one',
    () => {
      const folder = install({ triple: OTHER, binding: false });
      writeFileSync(path.join(folder, `handrail.${OTHER}.node`), 'not a library');
      const { message } = problem();
      expect(message).toContain(`It is for ${OTHER}, this machine is ${OWN}`);
      expect(message).toContain(`\`npm install @handrail/native-${OWN}@${VERSION}\``);
    },
  );

  test.each([
    ['is not JSON', '{'],
    ['is null', 'null'],
    ['says nothing', '{}'],
  ])('with a package whose manifest %s: it is damaged', (_name, manifest) => {
    const folder = install();
    writeFileSync(path.join(folder, 'package.json'), manifest);
    const { message, code } = problem();
    expect(code).toBe('ERR_NATIVE_MISSING');
    expect(message).toContain(`The package @handrail/native-${OWN} is damaged`);
  });

  test.skipIf(OTHER === 'none')('does not read what it does not need', () => {
    const folder = install();
    writeFileSync(path.join(install({ triple: OTHER, binding: false }), 'package.json'), '{');
    expect(findNative(options).supervisorPath).toBe(path.join(folder, 'handrail-supervisor'));
  });

  test('with files where folders belong: as if nothing was there', () => {
    mkdirSync(path.join(root, 'node_modules'));
    writeFileSync(path.join(root, 'node_modules/@handrail'), '');
    expect(problem().message).toContain('is not installed. Most likely it was left out');
  });

  test('in a bundle of somebody else: says what bundlers have to be told', () => {
    writeFileSync(path.join(root, 'package.json'), '{"name":"app"}');
    writeFileSync(path.join(root, 'Cargo.toml'), '');
    expect(problem().message).toContain('Most likely a bundler has put this code into another file');
  });

  test.skipIf(process.getuid?.() !== 0)('takes nothing that another user has put above it', () => {
    const folder = install();
    const nested = path.join(root, 'project');
    mkdirSync(nested);
    const find = () => findNative({ ...options, root: nested });
    expect(find().supervisorPath).toBe(path.join(folder, 'handrail-supervisor'));
    chownSync(folder, 65_534, 65_534);
    expect(find).toThrow(expect.objectContaining({ code: 'ERR_NATIVE_MISSING' }));
  });

  test('with a package of another release: both releases', () => {
    install({ version: '0.0.1', binding: false });
    const { message, code, data } = problem();
    expect(message).toContain(`The package @handrail/native-${OWN} is of release 0.0.1, handrail is ${VERSION}`);
    expect({ code, data }).toEqual({ code: 'ERR_NATIVE_VERSION', data: { expected: VERSION, found: '0.0.1' } });
  });

  test('with a binding of another release in a package that lies about it', () => {
    install({ version: '0.0.1' });
    expect(problem({ version: '0.0.1' })).toMatchObject({
      code: 'ERR_NATIVE_VERSION',
      data: { expected: '0.0.1', found: VERSION },
    });
  });

  test('without the supervisor, or with one that has lost its run bit', () => {
    const folder = install({ supervisor: false });
    expect(problem().message).toMatch(/executable handrail-supervisor.* is missing beside the native binding/);
    const file = path.join(folder, 'handrail-supervisor');
    mkdirSync(file);
    expect(problem().message).toMatch(/is missing beside the native binding/);
    rmSync(file, { recursive: true });
    writeFileSync(file, '', { mode: 0o644 });
    expect(problem().message).toContain(
      `has lost its run bit. Most likely an archive or a copy dropped it. Run \`chmod +x ${file}\``,
    );
    chmodSync(file, 0o755);
    expect(findNative(options).supervisorPath).toBe(file);
  });
});

describe('platforms', () => {
  test.each([
    ['win32', 'x64'],
    ['linux', 'ia32'],
    ['freebsd', 'x64'],
  ])('%s on %s is not supported', (platform, arch) => {
    expect(problem({ host: { platform, arch } })).toMatchObject({
      code: 'ERR_NOT_SUPPORTED',
      message: expect.stringContaining(`not supported on this platform (${platform} ${arch})`),
    });
  });

  test.each([
    ['linux', 'x64', ['linux-x64-gnu', 'linux-x64-musl']],
    ['linux', 'arm64', ['linux-arm64-gnu', 'linux-arm64-musl']],
    ['darwin', 'arm64', ['darwin-arm64']],
  ])('on %s %s are %j', (platform, arch, triples) => {
    expect(nativeTriples({ platform, arch })).toEqual(triples);
  });
});

describe('whoever can set variables', () => {
  const NAMES = ['NAPI_RS_NATIVE_LIBRARY_PATH', 'NODE_PATH'];
  const before = NAMES.map((name) => [name, process.env[name]] as const);

  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    resetNodePath();
  });

  test('loads nothing of theirs', () => {
    const theirs = path.join(root, 'theirs');
    const empty = path.join(root, 'empty');
    mkdirSync(empty);
    writeFileSync(path.join(empty, 'package.json'), '{"name":"handrail"}');
    install({ above: theirs });
    process.env['NAPI_RS_NATIVE_LIBRARY_PATH'] = path.join(packageFolder(OWN, theirs), `handrail.${OWN}.node`);
    process.env['NODE_PATH'] = path.join(theirs, 'node_modules');
    resetNodePath();
    // The attack works on Node's own search.
    const resolved = createRequire(path.join(empty, 'x.js')).resolve(`@handrail/native-${OWN}/package.json`);
    expect(resolved).toBe(path.join(packageFolder(OWN, theirs), 'package.json'));
    expect(problem({ root: empty }).code).toBe('ERR_NATIVE_MISSING');
  });
});
