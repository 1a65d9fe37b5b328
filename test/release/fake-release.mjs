// A release made by hand that the gate lets through, for tests to break in one place at a time.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { manifestText, nativeManifest, publishedManifest, readManifest } from '../../scripts/lib/package/manifests.mjs';
import { bindingName, nativePackageName, TARGETS } from '../../scripts/lib/package/targets.mjs';
import { fakeElf, fakeMachO } from './binaries.mjs';

const FILE = 0o644;
const PROGRAM = 0o755;
/** Of the manifests; the gate takes it as an option. */
export const REPOSITORY = 'somebody/handrail';

const MACHINE = { x64: 62, arm64: 183 };
const CPU = { x64: 0x01000007, arm64: 0x0100000c };
const NEEDED = { glibc: ['libc.so.6'], musl: ['libc.so'] };
const LOADER = { glibc: '/lib64/ld-linux-x86-64.so.2', musl: undefined };

const file = (path, content = path, mode = FILE) => ({ path, mode, bytes: Buffer.from(content) });

/** The binding of a platform; `changes` break it. */
export function library({ os, cpu, libc }, changes = {}) {
  if (os === 'darwin') return fakeMachO({ cpu: CPU[cpu], ...changes });
  const versions = libc === 'glibc' ? ['GLIBC_2.2.5', 'GLIBC_2.17'] : [];
  return fakeElf({ machine: MACHINE[cpu], needed: NEEDED[libc], versions, ...changes });
}

/** The supervisor of a platform; `changes` break it. */
export function program({ os, cpu, libc }, changes = {}) {
  if (os === 'darwin') return fakeMachO({ cpu: CPU[cpu], type: 2, ...changes });
  const dynamic = libc === 'glibc' ? { needed: NEEDED.glibc, versions: ['GLIBC_2.17'] } : {};
  return fakeElf({ machine: MACHINE[cpu], starts: true, interpreter: LOADER[libc], ...dynamic, ...changes });
}

/** The manifest of this repository, as a release of `version` publishes it. */
function publishedAs(version) {
  return publishedManifest({ ...readManifest(), version }, `https://github.com/${REPOSITORY}`);
}

function platformPackage(target, version) {
  const { triple } = target;
  const manifest = nativeManifest(target, publishedAs(version));
  const files = [
    ...['README.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'].map((path) => file(path)),
    { path: bindingName(triple), mode: FILE, bytes: library(target) },
    { path: 'handrail-supervisor', mode: PROGRAM, bytes: program(target) },
  ];
  return { manifest, files };
}

function rootPackage(version) {
  const manifest = publishedAs(version);
  const files = [
    ...['README.md', 'LICENSE', 'SECURITY.md', 'dist/THIRD-PARTY-LICENSES.txt'].map((path) => file(path)),
    file('CHANGELOG.md', `# Changes\n\n## ${version}\n`),
    file('dist/index.js', "export { part } from './chunks/part.js';\n"),
    file('dist/chunks/part.js', 'export const part = 1;\n'),
    file('dist/index.d.ts', "export type { Part } from './part.js';\n"),
    file('dist/part.d.ts', 'export type Part = 1;\n'),
    file('dist/adapters/openai-agents.js', "import { tool } from '@openai/agents';\nimport 'node:fs';\ntool();\n"),
    file(
      'dist/adapters/openai-agents.d.ts',
      "/** import 'of an example' */\nimport type { Tool } from '@openai/agents';\n",
    ),
    file('dist/openai-sandbox/index.js', "import { Capabilities } from '@openai/agents/sandbox';\nCapabilities;\n"),
    file('dist/openai-sandbox/index.d.ts', "import type { Manifest } from '@openai/agents/sandbox';\n"),
    file('dist/adapters/ai.js', "import { tool } from 'ai';\ntool();\n"),
    file('dist/adapters/ai.d.ts', "import type { ToolSet } from 'ai';\n"),
    ...['browser', 'node'].map((host) => file(`dist/wasm/${host}.js`, 'export {};\n')),
    file('dist/wasm/workerd.js', "import module from './handrail.wasm';\nmodule;\n"),
    file('dist/wasm/deno.js', "import source module from './handrail.wasm';\nmodule;\n"),
    ...['dist/wasm/index.d.ts', 'dist/wasm/handrail.wasm'].map((path) => file(path)),
    file('dist/cli/main.js', "#!/usr/bin/env node\nawait import('../index.js');\n", PROGRAM),
  ];
  return { manifest, files };
}

/** A release as plain data: manifests and files, which tests may change before it is looked at. */
export class FakeRelease {
  constructor(version = '1.2.3') {
    this.version = version;
    this.packages = [rootPackage(version), ...TARGETS.map((target) => platformPackage(target, version))];
  }

  /** @param {string} name of a package, or its triple */
  find(name) {
    return this.packages.find(({ manifest }) => manifest.name === name || manifest.name === nativePackageName(name));
  }

  file(name, path) {
    return this.find(name).files.find((one) => one.path === path);
  }

  add(name, path, content) {
    this.find(name).files.push(file(path, content));
  }

  remove(name, path) {
    const found = this.find(name);
    found.files = found.files.filter((one) => one.path !== path);
  }

  /** As the gate takes them. */
  opened() {
    return this.packages.map(({ manifest, files }) => ({
      tarball: `${manifest.name}.tgz`,
      manifest,
      files: [file('package.json', manifestText(manifest)), ...files],
    }));
  }

  expectation() {
    return {
      tag: `v${this.version}`,
      cargoVersion: this.version,
      manifest: publishedAs(this.version),
      targets: TARGETS,
    };
  }
}

function tarHeader(path, mode, size, type) {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  header.write(typeof size === 'string' ? size : `${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write(type, 156);
  header.write('ustar\u000000', 257);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);

/** Entries without the end. @param {{path: string, mode: number, bytes: Buffer, type?: string, size?: string}[]} files */
export function fakeEntries(files) {
  return Buffer.concat(
    files.map(({ path, mode, bytes, type = '0', size = bytes.length }) =>
      Buffer.concat([tarHeader(path, mode, size, type), padded(bytes)]),
    ),
  );
}

/** As `fakeEntries`, with the end: paths as they stand in the file. */
export const fakeTar = (files) => Buffer.concat([fakeEntries(files), Buffer.alloc(1024)]);

/** @param {{path: string, mode: number, bytes: Buffer}[]} files of a package */
export const fakeTarball = (files) =>
  gzipSync(fakeTar(files.map(({ path, ...rest }) => ({ path: `package/${path}`, ...rest }))));

/** Writes the tarballs of a release as `npm pack` names them. @param {FakeRelease} release */
export function writeTarballs(release, folder) {
  for (const { tarball, files } of release.opened()) {
    writeFileSync(join(folder, tarball.replace('@', '').replace('/', '-')), fakeTarball(files));
  }
}
