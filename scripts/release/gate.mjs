// The checks of a release before any part of it is published. They report all problems, not only the first one.
import { join } from 'node:path/posix';
import { manifestText, nativeManifest } from '../lib/package/manifests.mjs';
import { bindingName, nativePackageName } from '../lib/package/targets.mjs';
import { supervisorName } from '../lib/paths.mjs';
import { binaryProblems } from './binary.mjs';
import { followImports } from './imports.mjs';
import { filesProblems } from './package-files.mjs';

export const ROOT = 'handrail';
const MANIFEST = 'package.json';
const CHANGELOG = 'CHANGELOG.md';
const ROOT_DOCUMENTS = [
  ...[MANIFEST, 'README.md', 'LICENSE', CHANGELOG, 'SECURITY.md'],
  'dist/THIRD-PARTY-LICENSES.txt',
];
const PLATFORM_DOCUMENTS = [MANIFEST, 'README.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'];
const TAG = /^v((?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)$/;
const SHEBANG = '#!/usr/bin/env node\n';

/**
 * @typedef {object} Package
 * @property {string} tarball name of its file, for messages
 * @property {import('./tarball.mjs').PackedFile[]} files
 * @property {Record<string, any>} manifest
 *
 * @typedef {object} Expectation
 * @property {string} tag e.g. `v1.2.3`
 * @property {string} cargoVersion of Cargo.toml
 * @property {Record<string, any>} manifest of the root package; the manifests of the platforms follow from it
 * @property {readonly import('../lib/package/targets.mjs').Target[]} targets every platform of a release
 * @property {boolean} [final] whether it is published now: then the changelog may not call it unreleased
 */

/** @returns {Package} */
export function openPackage(tarball, files) {
  const manifest = files.find(({ path }) => path === MANIFEST);
  if (!manifest) throw new Error(`${tarball} has no package.json`);
  return { tarball, files, manifest: JSON.parse(manifest.bytes.toString()) };
}

const asJson = (value) => JSON.stringify(value) ?? 'nothing';

/** Compares the text of the manifest, as parsers differ in how they read duplicate keys. */
function manifestProblems({ files, manifest }, expected) {
  const file = files.find(({ path }) => path === MANIFEST);
  if (file.bytes.toString() === manifestText(expected)) return [];
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(manifest)])];
  const problems = keys
    .filter((key) => asJson(manifest[key]) !== asJson(expected[key]))
    .map((key) => `its ${key} is ${asJson(manifest[key])}, not ${asJson(expected[key])}`);
  return problems.length > 0 ? problems : ['its package.json is not written as it is when it is staged'];
}

function platformProblems(nativePackage, target, published) {
  const binding = bindingName(target.triple);
  const natives = { [binding]: 'library', [supervisorName]: 'program' };
  const needed = [...PLATFORM_DOCUMENTS, ...Object.keys(natives)];
  return [
    ...filesProblems(nativePackage.files, { needed, programs: [supervisorName] }),
    ...manifestProblems(nativePackage, nativeManifest(target, published)),
    ...nativePackage.files
      .filter(({ path }) => path in natives)
      .flatMap(({ path, bytes }) => binaryProblems(bytes, target, natives[path]).map((why) => `${path}: ${why}`)),
  ];
}

/** All paths in `value`, the `exports` or `bin` of a manifest. */
function pathsIn(value) {
  return typeof value === 'string' ? [join('.', value)] : Object.values(value).flatMap(pathsIn);
}

function changesProblems(files, version, final) {
  const changes = files.find(({ path }) => path === CHANGELOG)?.bytes.toString() ?? '';
  const heading = changes.split('\n').find((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (heading === undefined) return [`${CHANGELOG} has nothing about ${version}`];
  return final && /unreleased/i.test(heading) ? [`${CHANGELOG} calls ${version} unreleased`] : [];
}

function rootProblems(rootPackage, { manifest, final }, version) {
  const { files } = rootPackage;
  const programs = pathsIn(manifest.bin);
  const code = followImports(files, manifest, [...pathsIn(manifest.exports), ...programs]);
  const needed = [...new Set([...ROOT_DOCUMENTS, ...code.needed])];
  return [
    ...filesProblems(files, { needed, programs }),
    ...manifestProblems(rootPackage, manifest),
    ...code.problems,
    ...files
      .filter(({ path, bytes }) => programs.includes(path) && !bytes.toString().startsWith(SHEBANG))
      .map(({ path }) => `${path} does not begin with ${SHEBANG.trim()}`),
    ...changesProblems(files, version, final),
  ];
}

const inPackage = (name, problems) => problems.map((problem) => `${name}: ${problem}`);

/** Checks that each package of the release is there exactly once, and no other one. */
function setProblems(packages, names) {
  const unknownPackages = packages
    .filter(({ manifest }) => !names.includes(manifest.name))
    .map(({ tarball, manifest }) => `${tarball}: ${asJson(manifest.name)} is no package of this release`);
  const missingOrDuplicate = names.flatMap((name) => {
    const { length } = packages.filter(({ manifest }) => manifest.name === name);
    if (length === 1) return [];
    return length === 0 ? [`${name} is missing`] : [`${name} is there twice`];
  });
  return [...unknownPackages, ...missingOrDuplicate];
}

/**
 * @param {Package[]} packages everything that is to be published
 * @param {Expectation} expectation
 * @returns {string[]} one sentence per problem; none when the release may go out
 */
export function releaseProblems(packages, expectation) {
  const { tag, cargoVersion, manifest, targets } = expectation;
  const version = TAG.exec(tag)?.[1];
  if (!version) return [`the tag ${tag} is not of the form v1.2.3`];
  const problems = Object.entries({ 'Cargo.toml': cargoVersion, [MANIFEST]: manifest.version })
    .filter(([, own]) => own !== version)
    .map(([file, own]) => `${file} has version ${own}, not ${version}`);
  problems.push(...setProblems(packages, [ROOT, ...targets.map(({ triple }) => nativePackageName(triple))]));
  for (const candidate of packages) {
    const { name } = candidate.manifest;
    const target = targets.find(({ triple }) => nativePackageName(triple) === name);
    if (name === ROOT) problems.push(...inPackage(name, rootProblems(candidate, expectation, version)));
    if (target) problems.push(...inPackage(name, platformProblems(candidate, target, manifest)));
  }
  return problems;
}
