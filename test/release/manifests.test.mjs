// The manifest of every package is the one that this repository publishes: whatever else is in it, or not, is refused.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addressOf, nativeManifest, publishedManifest, readManifest } from '../../scripts/lib/package/manifests.mjs';
import { stageRootPackage } from '../../scripts/lib/package/root-package.mjs';
import { nativePackageName, TARGETS } from '../../scripts/lib/package/targets.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { releaseProblems } from '../../scripts/release/gate.mjs';
import { FakeRelease } from './fake-release.mjs';

/** The problems of a release whose package `name` has another manifest. */
function problemsWith(name, change) {
  const release = new FakeRelease();
  const found = release.find(name);
  found.manifest = JSON.parse(JSON.stringify(change(found.manifest)));
  return releaseProblems(release.opened(), release.expectation());
}

const NAMES = ['handrail', 'linux-x64-gnu', 'darwin-arm64'];

const ADDED = [
  { dependencies: { 'event-stream': '3.3.6' } },
  { bundleDependencies: ['x'] },
  { bundledDependencies: true },
  { scripts: { postinstall: 'true' } },
  { scripts: { uninstall: 'true' } },
  { gypfile: true },
  { private: true },
  { private: 'false' },
  { peerDependencies: { left: '*' } },
  { overrides: { a: '1' } },
  { bin: { node: './handrail-supervisor' } },
  { main: 'missing.node' },
  { type: 'odd' },
  { engines: { node: '>=99' } },
  { os: ['win32'] },
  { os: ['!linux'] },
  { cpu: ['ia32'] },
  { libc: ['none'] },
  { exports: {} },
  { optionalDependencies: { [nativePackageName('win32-x64')]: '1.2.3' } },
  { publishConfig: { access: 'restricted' } },
  { publishConfig: { access: 'public', registry: 'https://registry.example/' } },
  { publishConfig: { access: 'public', '@handrail:registry': 'https://registry.example/' } },
  { repository: 'https://github.com/somebody/handrail' },
  { repository: { type: 'git', url: 'git+https://host.example/github.com/somebody/handrail.git' } },
  { repository: { type: 'git', url: 'git+https://notgithub.com/somebody/handrail.git' } },
  { 'never heard of': 1 },
];

describe.each(NAMES)('the manifest of %s is refused', (name) => {
  it.each(ADDED)('with %j', (changes) => {
    const [problem, ...others] = problemsWith(name, (manifest) => ({ ...manifest, ...changes }));
    const [[key, value]] = Object.entries(changes);
    expect(problem).toContain(`: its ${key} is ${JSON.stringify(value)}, not `);
    expect(others).toEqual([]);
  });

  it('without any one of its keys', () => {
    const { manifest } = new FakeRelease().find(name);
    const keys = Object.keys(manifest).filter((key) => key !== 'name');
    expect(keys.length).toBeGreaterThan(8);
    for (const key of keys) {
      const problems = problemsWith(name, (whole) => ({ ...whole, [key]: undefined }));
      expect(problems).toEqual([expect.stringContaining(`: its ${key} is nothing, not `)]);
    }
  });

  it('with a key twice, of which one reader takes the first', () => {
    const release = new FakeRelease();
    const packages = release.opened();
    const found = packages.find(({ manifest }) => manifest === release.find(name).manifest);
    const file = found.files.find(({ path }) => path === 'package.json');
    file.bytes = Buffer.from(file.bytes.toString().replace('{', '{"version": "9.9.9",'));
    expect(JSON.parse(file.bytes.toString())).toEqual(found.manifest);
    expect(releaseProblems(packages, release.expectation())).toEqual([
      expect.stringContaining('its package.json is not written as it is when it is staged'),
    ]);
  });
});

describe('the manifest of handrail is refused', () => {
  const { exports, optionalDependencies } = new FakeRelease().find('handrail').manifest;
  const own = nativePackageName('darwin-x64');

  it.each([
    [
      'with types behind what runs',
      { exports: { ...exports, '.': Object.fromEntries(Object.entries(exports['.']).reverse()) } },
    ],
    ['with an entry less', { exports: { ...exports, './openai-agents': undefined } }],
    ['with an entry that leads elsewhere', { exports: { ...exports, '.': './dist/cli/main.js' } }],
    ['with a platform less', { optionalDependencies: { ...optionalDependencies, [own]: undefined } }],
    ['with a range in place of a version', { optionalDependencies: { ...optionalDependencies, [own]: '^1.2.3' } }],
  ])('%s', (_, changes) => {
    const problems = problemsWith('handrail', (manifest) => ({ ...manifest, ...changes }));
    expect(problems).toEqual([expect.stringMatching(`^handrail: its ${Object.keys(changes)[0]} is `)]);
  });
});

it('a repository belongs to the packages exactly when one is expected', () => {
  const release = new FakeRelease();
  const manifest = publishedManifest({ ...readManifest(), version: release.version, repository: undefined });
  const problems = releaseProblems(release.opened(), { ...release.expectation(), manifest });
  expect(problems).toHaveLength(7 * 3);
  for (const problem of problems) expect(problem).toMatch(/: its (repository|homepage|bugs) is .*, not nothing$/);
});

describe('the address of the repository', () => {
  const own = { ...readManifest(), repository: 'https://github.com/somebody/handrail' };
  const staged = async (manifest) => {
    const output = mkdtempSync(join(tmpdir(), 'handrail-staged-'));
    onTestFinished(() => rmSync(output, { recursive: true }));
    const folder = await stageRootPackage(output, publishedManifest(manifest), addressOf(manifest));
    return (name) => readFileSync(join(folder, name), 'utf8');
  };

  it('is given in one place, and all fields and links follow', async () => {
    const read = await staged({ ...own, version: '1.2.3' });
    const places = {
      repository: { type: 'git', url: 'git+https://github.com/somebody/handrail.git' },
      homepage: 'https://github.com/somebody/handrail#readme',
      bugs: { url: 'https://github.com/somebody/handrail/issues' },
    };
    expect(JSON.parse(read('package.json'))).toMatchObject(places);
    for (const target of TARGETS) expect(nativeManifest(target, publishedManifest(own))).toMatchObject(places);
    const readme = read('README.md');
    expect(readme).toContain('](https://github.com/somebody/handrail/raw/v1.2.3/docs/demo.svg)');
    expect(readme).toContain('](https://github.com/somebody/handrail/blob/v1.2.3/docs/installing.md#from-a-clone)');
    for (const name of ['README.md', 'SECURITY.md']) expect(read(name)).not.toMatch(/\]\((?!https:|#)/);
  });

  it('is invented nowhere', async () => {
    const read = await staged({ ...own, repository: undefined });
    expect(read('README.md')).toBe(readFileSync(join(root, 'README.md'), 'utf8'));
    const manifest = JSON.parse(read('package.json'));
    for (const key of ['repository', 'homepage', 'bugs']) expect(manifest).not.toHaveProperty(key);
  });

  it.each(['github:somebody/handrail', 'https://github.com/somebody', { type: 'git' }])('is not %j', (repository) => {
    expect(() => addressOf({ repository })).toThrow('has to be https://github.com/OWNER/NAME');
  });
});

describe('what this repository publishes', () => {
  const published = publishedManifest(readManifest(), 'https://github.com/somebody/handrail');

  it('runs nothing at those who install it, and needs nothing but its platform', () => {
    for (const manifest of [published, ...TARGETS.map((target) => nativeManifest(target, published))]) {
      for (const key of ['scripts', 'dependencies', 'devDependencies', 'bundleDependencies', 'private', 'gypfile']) {
        expect(manifest).not.toHaveProperty(key);
      }
      expect(manifest).toMatchObject({ license: 'MIT', publishConfig: { access: 'public' } });
      expect(manifest.repository).toEqual({ type: 'git', url: 'git+https://github.com/somebody/handrail.git' });
    }
  });

  it.each([
    ['linux-x64-gnu', { os: ['linux'], cpu: ['x64'], libc: ['glibc'] }],
    ['linux-x64-musl', { os: ['linux'], cpu: ['x64'], libc: ['musl'] }],
    ['linux-arm64-gnu', { os: ['linux'], cpu: ['arm64'], libc: ['glibc'] }],
    ['linux-arm64-musl', { os: ['linux'], cpu: ['arm64'], libc: ['musl'] }],
    ['darwin-x64', { os: ['darwin'], cpu: ['x64'] }],
    ['darwin-arm64', { os: ['darwin'], cpu: ['arm64'] }],
  ])('for %s fits %j', (triple, where) => {
    const target = TARGETS.find((one) => one.triple === triple);
    const { name, os, cpu, libc, main } = nativeManifest(target, published);
    expect({ name, main }).toEqual({ name: `@handrail/native-${triple}`, main: `handrail.${triple}.node` });
    expect({ os, cpu, ...(libc && { libc }) }).toEqual(where);
  });
});
