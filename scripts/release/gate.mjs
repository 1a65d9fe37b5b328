// What must hold of a release before any part of it is published. Every problem is found, not only the first.
import { dirname, join } from 'node:path/posix';
import { binaryProblems } from './binary.mjs';

/** The largest native file today has 4 MB. What grew to more than this was not stripped, or has something else in it. */
export const MAX_FILE_BYTES = 12 * (1 << 20);

export const ROOT = 'handrail';
const SUPERVISOR = 'handrail-supervisor';
const ROOT_DOCUMENTS = [
  ...['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'],
  'dist/THIRD-PARTY-LICENSES.txt',
];
const PLATFORM_DOCUMENTS = ['package.json', 'README.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'];
const ROOT_CODE = /^dist\/[\w./-]+\.(js|d\.ts)$/;
/** Scripts that npm would run at those who install. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];
const EXECUTABLE = 0o111;
const RELATIVE_IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.{1,2}\/[^"']+)["']/g;

/**
 * @typedef {object} Package
 * @property {string} tarball name of its file, for messages
 * @property {import('./tarball.mjs').PackedFile[]} files
 * @property {Record<string, any>} manifest
 *
 * @typedef {object} Expectation
 * @property {string} tag e.g. `v1.2.3`
 * @property {string} cargoVersion of Cargo.toml
 * @property {readonly import('../lib/package/targets.mjs').Target[]} targets every platform of a release
 * @property {(triple: string) => string} packageName of a platform
 * @property {string} [repository] `owner/name` on GitHub; provenance is refused when a package names another one
 * @property {boolean} [final] it is to be published now: the changes may not call it unreleased any more
 */

/** @returns {Package} */
export function openPackage(tarball, files) {
  const manifest = files.find(({ path }) => path === 'package.json');
  if (!manifest) throw new Error(`${tarball} has no package.json`);
  return { tarball, files, manifest: JSON.parse(manifest.bytes.toString()) };
}

const same = (left, right) => JSON.stringify(left) === JSON.stringify(right);
const shown = (value) => JSON.stringify(value) ?? 'nothing';

function filesProblems(files, expected) {
  const paths = files.map(({ path }) => path);
  return [
    ...expected.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...paths.filter((path, index) => paths.indexOf(path) !== index).map((path) => `${path} is in it twice`),
    ...files
      .filter(({ bytes }) => bytes.length > MAX_FILE_BYTES)
      .map(({ path, bytes }) => `${path} has ${bytes.length} bytes, at most ${MAX_FILE_BYTES} are allowed`),
    ...files.filter(({ bytes }) => bytes.length === 0).map(({ path }) => `${path} is empty`),
  ];
}

function manifestProblems(manifest, version, repository) {
  const problems = [];
  if (manifest.version !== version) problems.push(`its version is ${shown(manifest.version)}, not ${version}`);
  if (manifest.private) problems.push('it is private');
  for (const name of INSTALL_SCRIPTS.filter((name) => manifest.scripts?.[name] !== undefined)) {
    problems.push(`it has the script ${name}, which runs at those who install it`);
  }
  const url = manifest.repository?.url ?? manifest.repository;
  if (
    repository &&
    !String(url)
      .replace(/\.git$/, '')
      .endsWith(`github.com/${repository}`)
  ) {
    problems.push(`its repository is ${shown(url)}, not ${repository}`);
  }
  return problems;
}

function platformProblems({ files, manifest }, target, { version, repository }) {
  const binding = `handrail.${target.triple}.node`;
  const expected = [...PLATFORM_DOCUMENTS, binding, SUPERVISOR];
  const paths = files.map(({ path }) => path);
  const problems = [...filesProblems(files, expected), ...manifestProblems(manifest, version, repository)];
  problems.push(...paths.filter((path) => !expected.includes(path)).map((path) => `${path} does not belong in it`));
  for (const [field, value] of Object.entries({
    os: [target.os],
    cpu: [target.cpu],
    libc: target.libc && [target.libc],
  })) {
    if (!same(manifest[field], value)) problems.push(`its ${field} is ${shown(manifest[field])}, not ${shown(value)}`);
  }
  for (const [path, kind] of [
    [binding, 'library'],
    [SUPERVISOR, 'program'],
  ]) {
    const file = files.find((one) => one.path === path);
    if (!file) continue;
    problems.push(...binaryProblems(file.bytes, target, kind).map((why) => `${path}: ${why}`));
    if (kind === 'program' && (file.mode & EXECUTABLE) !== EXECUTABLE) {
      problems.push(`${path} cannot be run by everyone (mode ${file.mode.toString(8)})`);
    }
  }
  return problems;
}

/** Every path that the manifest promises: entries, their types and commands. */
function promisedPaths(manifest) {
  const paths = (value) => (typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(paths));
  return [manifest.exports, manifest.bin].flatMap(paths).map((path) => join('.', path));
}

/** Imports between its own files that lead nowhere. Type files name the `.js` that they describe. */
function importProblems(files) {
  const paths = new Set(files.map(({ path }) => path));
  return files
    .filter(({ path }) => ROOT_CODE.test(path))
    .flatMap(({ path, bytes }) =>
      [...bytes.toString().matchAll(RELATIVE_IMPORT)]
        .map(([, specifier]) => join(dirname(path), specifier))
        .map((wanted) => (path.endsWith('.d.ts') ? wanted.replace(/\.js$/, '.d.ts') : wanted))
        .filter((wanted) => !paths.has(wanted))
        .map((wanted) => `${path} imports ${wanted}, which is missing`),
    );
}

function changesProblems(files, version, final) {
  const lines =
    files
      .find(({ path }) => path === 'CHANGELOG.md')
      ?.bytes.toString()
      .split('\n') ?? [];
  const heading = lines.find((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (heading === undefined) return [`CHANGELOG.md has nothing about ${version}`];
  return final && heading.includes('unreleased') ? [`CHANGELOG.md calls ${version} unreleased`] : [];
}

function rootProblems({ files, manifest }, expectation, version) {
  const expected = [...new Set([...ROOT_DOCUMENTS, ...promisedPaths(manifest)])];
  const stray = files.map(({ path }) => path).filter((path) => !expected.includes(path) && !ROOT_CODE.test(path));
  const optional = Object.fromEntries(
    expectation.targets.map(({ triple }) => [expectation.packageName(triple), version]).sort(),
  );
  const found = Object.fromEntries(Object.entries(manifest.optionalDependencies ?? {}).sort());
  const problems = [
    ...filesProblems(files, expected),
    ...manifestProblems(manifest, version, expectation.repository),
    ...stray.map((path) => `${path} does not belong in it`),
    ...importProblems(files),
    ...changesProblems(files, version, expectation.final),
  ];
  if (!same(found, optional)) {
    problems.push(`its optionalDependencies are ${shown(found)}, not ${shown(optional)}`);
  }
  return problems;
}

function inPackage(name, problems) {
  return problems.map((problem) => `${name}: ${problem}`);
}

/**
 * @param {Package[]} packages everything that is to be published
 * @param {Expectation} expectation
 * @returns {string[]} one sentence per problem; none when the release may go out
 */
export function releaseProblems(packages, expectation) {
  const { tag, cargoVersion, targets, packageName, repository } = expectation;
  const version = /^v(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/.exec(tag)?.[1];
  if (!version) return [`the tag ${tag} is not of the form v1.2.3`];
  const problems = cargoVersion === version ? [] : [`Cargo.toml has version ${cargoVersion}, not ${version}`];
  const names = [ROOT, ...targets.map(({ triple }) => packageName(triple))];
  for (const { tarball, manifest } of packages.filter(({ manifest }) => !names.includes(manifest.name))) {
    problems.push(`${tarball}: ${shown(manifest.name)} is no package of this release`);
  }
  for (const name of names) {
    const found = packages.filter(({ manifest }) => manifest.name === name);
    if (found.length !== 1) problems.push(found.length === 0 ? `${name} is missing` : `${name} is there twice`);
  }
  for (const found of packages) {
    const { name } = found.manifest;
    const target = targets.find(({ triple }) => packageName(triple) === name);
    if (name === ROOT) problems.push(...inPackage(name, rootProblems(found, expectation, version)));
    if (target) problems.push(...inPackage(name, platformProblems(found, target, { version, repository })));
  }
  return problems;
}
