// Each condition of the gate, broken alone on a release that passes without it.
import { describe, expect, it } from 'vitest';
import { nativePackageName, TARGETS } from '../../scripts/lib/package/targets.mjs';
import { MAX_FILE_BYTES, openPackage, releaseProblems } from '../../scripts/release/gate.mjs';
import { FakeRelease, library, program } from './fake-release.mjs';

const SUPERVISOR = 'handrail-supervisor';
const target = (triple) => TARGETS.find((one) => one.triple === triple);
const binding = (triple) => `handrail.${triple}.node`;

/** The problems of a release that was broken; `change` may also return what is expected of it. */
function problemsAfter(change) {
  const release = new FakeRelease();
  const expectation = { ...release.expectation(), ...change(release) };
  return releaseProblems(release.opened(), expectation);
}

const withBinding = (triple, changes) => (release) => {
  release.file(triple, binding(triple)).bytes = library(target(triple), changes);
};
const withSupervisor = (triple, changes) => (release) => {
  release.file(triple, SUPERVISOR).bytes = program(target(triple), changes);
};
const withManifest = (name, changes) => (release) => {
  Object.assign(release.find(name).manifest, changes);
};

it('lets a whole release through', () => {
  expect(problemsAfter(() => undefined)).toEqual([]);
});

it('lets a release through that is for those who ask for it', () => {
  const release = new FakeRelease('1.2.3-beta.1');
  expect(releaseProblems(release.opened(), release.expectation())).toEqual([]);
});

describe('refuses a set of packages', () => {
  it.each(TARGETS)('without $triple', ({ triple }) => {
    const problems = problemsAfter((release) => {
      release.packages = release.packages.filter((one) => one !== release.find(triple));
    });
    expect(problems).toEqual([`${nativePackageName(triple)} is missing`]);
  });

  it('without the root', () => {
    expect(problemsAfter((release) => void release.packages.shift())).toEqual(['handrail is missing']);
  });

  it('with one twice', () => {
    const problems = problemsAfter((release) => void release.packages.push(release.find('darwin-x64')));
    expect(problems).toEqual(['@handrail/native-darwin-x64 is there twice']);
  });

  it('with one that is not of this release', () => {
    const stranger = { manifest: { name: '@handrail/native-win32-x64', version: '1.2.3' }, files: [] };
    const problems = problemsAfter((release) => void release.packages.push(stranger));
    expect(problems).toEqual([
      '@handrail/native-win32-x64.tgz: "@handrail/native-win32-x64" is no package of this release',
    ]);
  });
});

describe('refuses a version', () => {
  it.each(['1.2.3', 'v1.2', 'v1.2.3 ', 'v1.2.3+build', 'latest'])('that the tag %j does not name', (tag) => {
    expect(problemsAfter(() => ({ tag }))).toEqual([`the tag ${tag} is not of the form v1.2.3`]);
  });

  it('that is not the one of Cargo.toml', () => {
    expect(problemsAfter(() => ({ cargoVersion: '1.2.2' }))).toEqual(['Cargo.toml has version 1.2.2, not 1.2.3']);
  });

  it.each(['handrail', 'linux-arm64-musl'])('of %s that is not the one of the tag', (name) => {
    const [problem, ...others] = problemsAfter(withManifest(name, { version: '1.2.2' }));
    expect(problem).toMatch(/: its version is "1\.2\.2", not 1\.2\.3$/);
    expect(others).toEqual([]);
  });

  it('without a word about it in the changes', () => {
    const problems = problemsAfter((release) => {
      release.file('handrail', 'CHANGELOG.md').bytes = Buffer.from('## 1.2.2\n');
    });
    expect(problems).toEqual(['handrail: CHANGELOG.md has nothing about 1.2.3']);
  });
});

it('lets an unreleased version through, but not to be published', () => {
  const unreleased = (final) => (release) => {
    release.file('handrail', 'CHANGELOG.md').bytes = Buffer.from('## 1.2.3 (unreleased)\n');
    return { final };
  };
  expect(problemsAfter(unreleased(false))).toEqual([]);
  expect(problemsAfter(unreleased(true))).toEqual(['handrail: CHANGELOG.md calls 1.2.3 unreleased']);
  expect(problemsAfter(() => ({ final: true }))).toEqual([]);
});

describe('refuses a manifest', () => {
  const optional = (changes) => (release) => {
    Object.assign(release.find('handrail').manifest.optionalDependencies, changes);
  };

  it.each([
    ['without optional dependencies', withManifest('handrail', { optionalDependencies: undefined })],
    ['with one of them missing', optional({ [nativePackageName('darwin-x64')]: undefined })],
    ['with a range in place of a version', optional({ [nativePackageName('darwin-x64')]: '^1.2.3' })],
    ['with one too many', optional({ [nativePackageName('win32-x64')]: '1.2.3' })],
  ])('%s', (_, change) => {
    const problems = problemsAfter((release) => {
      change(release);
      // What is undefined is not in a package.json.
      const found = release.find('handrail');
      found.manifest = JSON.parse(JSON.stringify(found.manifest));
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^handrail: its optionalDependencies are /);
  });

  it.each([
    ['darwin-x64', { os: ['linux'] }, 'os is ["linux"], not ["darwin"]'],
    ['darwin-x64', { cpu: ['arm64'] }, 'cpu is ["arm64"], not ["x64"]'],
    ['darwin-x64', { libc: ['glibc'] }, 'libc is ["glibc"], not nothing'],
    ['linux-x64-musl', { libc: ['glibc'] }, 'libc is ["glibc"], not ["musl"]'],
    ['linux-x64-gnu', { libc: undefined }, 'libc is nothing, not ["glibc"]'],
    ['linux-x64-gnu', { os: undefined }, 'os is nothing, not ["linux"]'],
  ])('of %s with %j', (name, changes, why) => {
    expect(problemsAfter(withManifest(name, changes))).toEqual([`@handrail/native-${name}: its ${why}`]);
  });

  it.each(['handrail', 'linux-x64-gnu'])('of %s that runs something at those who install it', (name) => {
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
      const [problem, ...others] = problemsAfter(withManifest(name, { scripts: { [script]: 'true' } }));
      expect(problem).toContain(`it has the script ${script}`);
      expect(others).toEqual([]);
    }
  });

  it.each(['handrail', 'linux-x64-gnu'])('of %s that is private or of another repository', (name) => {
    const problems = problemsAfter(
      withManifest(name, { private: true, repository: 'https://github.com/other/handrail' }),
    );
    expect(problems.map((problem) => problem.split(': ')[1].split(' "')[0])).toEqual([
      'it is private',
      'its repository is',
    ]);
    expect(problemsAfter(withManifest(name, { repository: undefined }))).toHaveLength(1);
  });
});

describe('refuses files', () => {
  it.each([
    ...['README.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt', SUPERVISOR, binding('linux-x64-gnu')].map((path) => [
      'linux-x64-gnu',
      path,
    ]),
    ...[
      'README.md',
      'LICENSE',
      'SECURITY.md',
      'dist/THIRD-PARTY-LICENSES.txt',
      'dist/index.js',
      'dist/index.d.ts',
      'dist/cli/main.js',
    ].map((path) => ['handrail', path]),
  ])('of %s without %s', (name, path) => {
    const problems = problemsAfter((release) => release.remove(name, path));
    expect(problems[0]).toMatch(new RegExp(`: ${path.replaceAll('.', '\\.')} is missing$`));
  });

  it.each([
    ['linux-x64-gnu', binding('linux-x64-musl')],
    ['linux-x64-gnu', 'index.js'],
    ['handrail', 'ts/index.ts'],
    ['handrail', 'dist/native/handrail-supervisor'],
    ['handrail', binding('linux-x64-gnu')],
    ['handrail', '.npmrc'],
  ])('of %s with %s', (name, path) => {
    const [problem, ...others] = problemsAfter((release) => release.add(name, path, 'x'));
    expect(problem).toContain(`: ${path} does not belong in it`);
    expect(others).toEqual([]);
  });

  it.each(['dist/chunks/part.js', 'dist/part.d.ts'])('that import %s, which is not there', (path) => {
    const problems = problemsAfter((release) => release.remove('handrail', path));
    expect(problems).toEqual([expect.stringContaining(`imports ${path}, which is missing`)]);
  });

  it('that are too big, at the bound and above', () => {
    const licences = (size) => (release) => {
      release.file('darwin-x64', 'LICENSE').bytes = Buffer.alloc(size, 'x');
    };
    expect(problemsAfter(licences(MAX_FILE_BYTES))).toEqual([]);
    expect(problemsAfter(licences(MAX_FILE_BYTES + 1))[0]).toMatch(/: LICENSE has \d+ bytes, at most \d+ are allowed$/);
    expect(problemsAfter(licences(0))).toEqual(['@handrail/native-darwin-x64: LICENSE is empty']);
  });

  it('that are in a package twice', () => {
    const problems = problemsAfter((release) => release.add('handrail', 'LICENSE', 'other'));
    expect(problems).toEqual(['handrail: LICENSE is in it twice']);
  });

  it.each([0o644, 0o744, 0o754])('with a supervisor of mode %o', (mode) => {
    const problems = problemsAfter((release) => {
      release.file('linux-x64-gnu', SUPERVISOR).mode = mode;
    });
    expect(problems).toEqual([
      `@handrail/native-linux-x64-gnu: ${SUPERVISOR} cannot be run by everyone (mode ${mode.toString(8)})`,
    ]);
  });
});

describe('refuses a native file', () => {
  it.each([
    ['of another machine', 'linux-x64-gnu', { machine: 183 }, 'it is for machine 183, not x64'],
    ['of another machine', 'linux-arm64-musl', { machine: 62 }, 'it is for machine 62, not arm64'],
    ['that is a program', 'linux-x64-gnu', { type: 2 }, 'it is no shared library'],
    ['that names no C library', 'linux-x64-musl', { needed: [] }, 'it names no C library'],
    ['above the floor of glibc', 'linux-arm64-gnu', { versions: ['GLIBC_2.18'] }, 'it asks for GLIBC_2.18, above'],
    ['above the floor of glibc', 'linux-x64-gnu', { versions: ['GLIBC_3.0'] }, 'it asks for GLIBC_3.0, above'],
    [
      'with one version of many above the floor of glibc',
      'linux-x64-gnu',
      { versions: ['GLIBC_2.9', 'GLIBC_2.34', 'GLIBC_2.17', 'GLIBC_2.33'] },
      'it asks for GLIBC_2.34, above',
    ],
    ['with private parts of glibc', 'linux-x64-gnu', { versions: ['GLIBC_PRIVATE'] }, 'it asks for GLIBC_PRIVATE'],
    ['for musl that needs glibc', 'linux-x64-musl', { needed: ['libc.so.6'] }, 'it needs libc.so.6, which is not'],
    [
      'for musl that needs glibc',
      'linux-x64-musl',
      { versions: ['GLIBC_2.2.5'] },
      'it is for musl and asks for GLIBC_2.2.5',
    ],
    [
      'for glibc that needs musl',
      'linux-x64-gnu',
      { needed: ['libc.so'], versions: [] },
      'it needs libc.so, which is not',
    ],
    ['with another library', 'linux-x64-gnu', { needed: ['libc.so.6', 'libssl.so.3'] }, 'it needs libssl.so.3, which'],
    ['of another cpu', 'darwin-arm64', { cpu: 0x01000007 }, 'it is for cpu 0x1000007, not arm64'],
    ['of another cpu', 'darwin-x64', { cpu: 0x0100000c }, 'it is for cpu 0x100000c, not x64'],
    ['that is a program', 'darwin-x64', { type: 2 }, 'it is no library'],
    ['without a signature', 'darwin-arm64', { signed: false }, 'it is not signed'],
    ['of a newer macOS', 'darwin-arm64', { macos: [11, 1] }, 'it is for macOS 11.1, above the floor of 11.0'],
    ['of any macOS', 'darwin-arm64', { macos: null }, 'it does not say which macOS it is for'],
    [
      'with a library of somebody',
      'darwin-x64',
      { libraries: ['/opt/homebrew/lib/x.dylib'] },
      'it needs /opt/homebrew',
    ],
  ])('%s: %s, %j', (_, triple, changes, why) => {
    const problems = problemsAfter(withBinding(triple, changes));
    expect(problems).toEqual([expect.stringContaining(`native-${triple}: ${binding(triple)}: ${why}`)]);
  });

  it.each([
    ['linux-x64-gnu', { starts: false }, 'it is no program'],
    ['linux-x64-gnu', { type: 1 }, 'it is no program'],
    [
      'linux-x64-musl',
      { interpreter: '/lib64/ld-linux-x86-64.so.2' },
      'it is for musl and asks for the loader /lib64/ld-',
    ],
    [
      'linux-x64-gnu',
      { interpreter: '/lib/ld-musl-x86_64.so.1' },
      'it is for glibc and asks for the loader /lib/ld-musl',
    ],
    ['linux-arm64-gnu', { versions: ['GLIBC_2.34'] }, 'it asks for GLIBC_2.34, above the floor of 2.17'],
    ['darwin-x64', { type: 6 }, 'it is no program'],
  ])('as supervisor: %s, %j', (triple, changes, why) => {
    const problems = problemsAfter(withSupervisor(triple, changes));
    expect(problems).toEqual([expect.stringContaining(`${SUPERVISOR}: ${why}`)]);
  });

  it('of the other format, or of none', () => {
    const [elf, macho] = [library(target('linux-x64-gnu')), library(target('darwin-x64'))];
    for (const [triple, bytes] of [
      ['linux-x64-gnu', macho],
      ['darwin-x64', elf],
      ['linux-x64-gnu', Buffer.from('#!/bin/sh\n')],
      ['darwin-x64', Buffer.from('#!/bin/sh\n')],
    ]) {
      const problems = problemsAfter((release) => {
        release.file(triple, binding(triple)).bytes = bytes;
      });
      expect(problems).toEqual([expect.stringMatching(/it cannot be read: it is no (ELF|Mach-O) file/)]);
    }
  });

  it('that is cut short, wherever', () => {
    for (const triple of ['linux-x64-gnu', 'darwin-arm64']) {
      const whole = library(target(triple));
      for (let length = 1; length < whole.length - 16; length += 7) {
        const problems = problemsAfter((release) => {
          release.file(triple, binding(triple)).bytes = whole.subarray(0, length);
        });
        expect(problems, `${triple} cut at ${length} of ${whole.length}`).not.toEqual([]);
      }
    }
  });
});

it('reports every problem, not only the first', () => {
  const problems = problemsAfter((release) => {
    release.remove('linux-x64-gnu', 'LICENSE');
    release.remove('darwin-x64', 'LICENSE');
    return { cargoVersion: '0.0.1' };
  });
  expect(problems).toHaveLength(3);
});

it('opens nothing without a manifest', () => {
  expect(() => openPackage('odd.tgz', [])).toThrow('odd.tgz has no package.json');
});
