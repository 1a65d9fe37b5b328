// Each condition of the gate, broken alone on a release that passes without it.
import { describe, expect, it } from 'vitest';
import { nativePackageName, TARGETS } from '../../scripts/lib/package/targets.mjs';
import { openPackage, releaseProblems } from '../../scripts/release/gate.mjs';
import { MAX_FILE_BYTES } from '../../scripts/release/package-files.mjs';
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
/** What is undefined is not in a package.json. */
const withManifest = (name, changes) => (release) => {
  const found = release.find(name);
  found.manifest = JSON.parse(JSON.stringify({ ...found.manifest, ...changes }));
};
const withText = (name, path, text) => (release) => {
  release.file(name, path).bytes = Buffer.from(text);
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
  it.each(['1.2.3', 'v1.2', 'v1.2.3 ', 'v1.2.3+build', 'v01.2.3', 'v1.2.3-', 'v1.2.3-..', 'latest'])(
    'that the tag %j does not name',
    (tag) => {
      expect(problemsAfter(() => ({ tag }))).toEqual([`the tag ${tag} is not of the form v1.2.3`]);
    },
  );

  it('that is not the one of Cargo.toml', () => {
    expect(problemsAfter(() => ({ cargoVersion: '1.2.2' }))).toEqual(['Cargo.toml has version 1.2.2, not 1.2.3']);
  });

  it('that is not the one of package.json', () => {
    const problems = problemsAfter((release) => ({
      manifest: { ...release.expectation().manifest, version: '1.2.2' },
    }));
    expect(problems[0]).toBe('package.json has version 1.2.2, not 1.2.3');
  });

  it.each(['handrail', 'linux-arm64-musl'])('of %s that is not the one of the tag', (name) => {
    const [problem, ...others] = problemsAfter(withManifest(name, { version: '1.2.2' }));
    expect(problem).toMatch(/: its version is "1\.2\.2", not "1\.2\.3"$/);
    expect(others).toEqual([]);
  });

  it('without a word about it in the changes', () => {
    const problems = problemsAfter(withText('handrail', 'CHANGELOG.md', '## 1.2.2\n'));
    expect(problems).toEqual(['handrail: CHANGELOG.md has nothing about 1.2.3']);
  });
});

it('lets an unreleased version through, but not to be published', () => {
  for (const word of ['unreleased', 'Unreleased', 'UNRELEASED']) {
    const unreleased = (final) => (release) => {
      withText('handrail', 'CHANGELOG.md', `## 1.2.3 (${word})\n`)(release);
      return { final };
    };
    expect(problemsAfter(unreleased(false))).toEqual([]);
    expect(problemsAfter(unreleased(true))).toEqual(['handrail: CHANGELOG.md calls 1.2.3 unreleased']);
  }
  expect(problemsAfter(() => ({ final: true }))).toEqual([]);
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
    ['handrail', 'binding.gyp'],
    ['handrail', 'dist/left-over.js'],
    ['handrail', 'dist/left-over.d.ts'],
    ['handrail', 'dist/native/handrail-supervisor'],
    ['handrail', binding('linux-x64-gnu')],
  ])('of %s with %s', (name, path) => {
    const [problem, ...others] = problemsAfter((release) => release.add(name, path, 'x'));
    expect(problem).toContain(`: ${path} does not belong in it`);
    expect(others).toEqual([]);
  });

  it.each([
    'dist/../index.js',
    'dist/../../../x.js',
    '../x.js',
    'dist/./x.js',
    'dist//x.js',
    'dist/.env.js',
    '.npmrc',
    'dist/node_modules/x/index.js',
    'dist/Node_Modules/x/index.js',
    'dist/a b.js',
    'dist/\u00e9.js',
    '-x',
  ])('named %s, also when something imports it', (path) => {
    const problems = problemsAfter((release) => {
      release.add('handrail', path, 'export const x = 1;');
      withText('handrail', 'dist/chunks/part.js', `import '${path.replace(/^(dist)?/, '..')}';`)(release);
    });
    expect(problems).toContain(`handrail: ${path} is no name for a file of a package`);
  });

  it.each(['dist/INDEX.js', 'readme.md', 'dist/Chunks/part.js'])(
    'of which %s is another one on some machines',
    (path) => {
      const problems = problemsAfter((release) => release.add('handrail', path, 'x'));
      expect(problems).toContainEqual(expect.stringMatching(`: ${path} and .* are one file on some machines$`));
    },
  );

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

  it.each([0o644, 0o744, 0o754, 0o777, 0o4755, 0o2755, 0o1755])('with a program of mode %o', (mode) => {
    for (const [name, path] of [
      ['linux-x64-gnu', SUPERVISOR],
      ['handrail', 'dist/cli/main.js'],
    ]) {
      const problems = problemsAfter((release) => {
        release.file(name, path).mode = mode;
      });
      expect(problems).toEqual([expect.stringContaining(`: ${path} has the mode ${mode.toString(8)}, not 755`)]);
    }
  });

  it.each([0o600, 0o666, 0o777, 0o4755])('of which any has the mode %o', (mode) => {
    const problems = problemsAfter((release) => {
      release.file('handrail', 'LICENSE').mode = mode;
    });
    expect(problems).toEqual([`handrail: LICENSE has the mode ${mode.toString(8)}, neither 644 nor 755`]);
  });
});

describe('refuses code', () => {
  it.each(['export {{{', 'with (a) {}', 'const a = 1; const a = 2;'])('that is no module: %s', (code) => {
    const problems = problemsAfter(withText('handrail', 'dist/chunks/part.js', code));
    expect(problems).toEqual([expect.stringMatching(/^handrail: dist\/chunks\/part\.js is no module: \S/)]);
  });

  it.each([
    [
      'that imports a package that is no dependency',
      "import 'zod';",
      'dist/index.js imports zod, which is no dependency',
    ],
    ['that takes one from there', "export * from 'zod/v4';", 'dist/index.js imports zod/v4, which'],
    ['that imports one late', "await import('@a/b/c');", 'dist/index.js imports @a/b/c, which is no dependency'],
    ['that imports one late', 'await import(`zod`);', 'dist/index.js imports zod, which is no dependency'],
    [
      'that imports what is not exported',
      "import 'handrail/dist/x.js';",
      'dist/index.js imports handrail/dist/x.js, which',
    ],
    ['that imports what is not there', "import './gone.js';", 'dist/index.js imports dist/gone.js, which is missing'],
    ['that imports it late', "import('./gone.js');", 'dist/index.js imports dist/gone.js, which is missing'],
    ['that imports a path', "import '/etc/x.js';", 'dist/index.js imports dist/etc/x.js, which is missing'],
  ])('%s: %s', (_, code, why) => {
    const problems = problemsAfter(withText('handrail', 'dist/index.js', `import './chunks/part.js';\n${code}\n`));
    expect(problems).toEqual([expect.stringContaining(`handrail: ${why}`)]);
  });

  it('with types of a package that is no dependency', () => {
    const types = "export type { Part } from './part.js';\nexport type A = import('zod').A;\n";
    const problems = problemsAfter(withText('handrail', 'dist/index.d.ts', types));
    expect(problems).toEqual(['handrail: dist/index.d.ts imports zod, which is no dependency']);
  });

  it('of a program that no shell would start with Node', () => {
    const problems = problemsAfter(withText('handrail', 'dist/cli/main.js', "import '../index.js';\n"));
    expect(problems).toEqual(['handrail: dist/cli/main.js does not begin with #!/usr/bin/env node']);
  });

  it('and lets through what is installed', () => {
    const code =
      "import './chunks/part.js';\nimport 'node:fs';\nimport 'fs/promises';\nimport 'handrail/openai-agents';\n";
    expect(problemsAfter(withText('handrail', 'dist/index.js', code))).toEqual([]);
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
