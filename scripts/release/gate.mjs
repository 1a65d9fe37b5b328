// What must hold of a release before any part of it is published. Every problem is found, not only the first.
import { join } from 'node:path/posix';
import { manifestText, nativeManifest } from '../lib/package/manifests.mjs';
import { bindingName, nativePackageName } from '../lib/package/targets.mjs';
import { supervisorName } from '../lib/paths.mjs';
import { binaryProblems } from './binary.mjs';
import { followImports } from './imports.mjs';
import { filesProblems } from './package-files.mjs';

export const ROOT = 'handrail';
const MANIFEST = 'package.json';
const CHANGES = 'CHANGELOG.md';
const ROOT_DOCUMENTS = [...[MANIFEST, 'README.md', 'LICENSE', CHANGES, 'SECURITY.md'], 'dist/THIRD-PARTY-LICENSES.txt'];
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
 * @property {Record<string, any>} manifest of the root, as this repository publishes it; those of the platforms follow
 * @property {readonly import('../lib/package/targets.mjs').Target[]} targets every platform of a release
 * @property {boolean} [final] it is to be published now: the changes may not call it unreleased any more
 */

/** @returns {Package} */
export function openPackage(tarball, files) {
  const manifest = files.find(({ path }) => path === MANIFEST);
  if (!manifest) throw new Error(`${tarball} has no package.json`);
  return { tarball, files, manifest: JSON.parse(manifest.bytes.toString()) };
}

const shown = (value) => JSON.stringify(value) ?? 'nothing';

/** The whole text counts: two readers may take a key that is there twice for different things. */
function manifestProblems({ files, manifest }, expected) {
  const file = files.find(({ path }) => path === MANIFEST);
  if (file.bytes.toString() === manifestText(expected)) return [];
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(manifest)])];
  const problems = keys
    .filter((key) => shown(manifest[key]) !== shown(expected[key]))
    .map((key) => `its ${key} is ${shown(manifest[key])}, not ${shown(expected[key])}`);
  return problems.length > 0 ? problems : ['its package.json is not written as it is when it is staged'];
}

function platformProblems(found, target, published) {
  const binding = bindingName(target.triple);
  const natives = { [binding]: 'library', [supervisorName]: 'program' };
  const needed = [...PLATFORM_DOCUMENTS, ...Object.keys(natives)];
  return [
    ...filesProblems(found.files, { needed, programs: [supervisorName] }),
    ...manifestProblems(found, nativeManifest(target, published)),
    ...found.files
      .filter(({ path }) => path in natives)
      .flatMap(({ path, bytes }) => binaryProblems(bytes, target, natives[path]).map((why) => `${path}: ${why}`)),
  ];
}

/** Every path below `value`, an entry of a manifest: entries of the package, their types and commands. */
function promisedPaths(value) {
  return typeof value === 'string' ? [join('.', value)] : Object.values(value).flatMap(promisedPaths);
}

function changesProblems(files, version, final) {
  const changes = files.find(({ path }) => path === CHANGES)?.bytes.toString() ?? '';
  const heading = changes.split('\n').find((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (heading === undefined) return [`${CHANGES} has nothing about ${version}`];
  return final && /unreleased/i.test(heading) ? [`${CHANGES} calls ${version} unreleased`] : [];
}

function rootProblems(found, { manifest, final }, version) {
  const { files } = found;
  const programs = promisedPaths(manifest.bin);
  const code = followImports(files, manifest, [...promisedPaths(manifest.exports), ...programs]);
  const needed = [...new Set([...ROOT_DOCUMENTS, ...code.needed])];
  return [
    ...filesProblems(files, { needed, programs }),
    ...manifestProblems(found, manifest),
    ...code.problems,
    ...files
      .filter(({ path, bytes }) => programs.includes(path) && !bytes.toString().startsWith(SHEBANG))
      .map(({ path }) => `${path} does not begin with ${SHEBANG.trim()}`),
    ...changesProblems(files, version, final),
  ];
}

const inPackage = (name, problems) => problems.map((problem) => `${name}: ${problem}`);

/** Whether everything is there, once, and nothing else. */
function setProblems(packages, names) {
  const strangers = packages
    .filter(({ manifest }) => !names.includes(manifest.name))
    .map(({ tarball, manifest }) => `${tarball}: ${shown(manifest.name)} is no package of this release`);
  const wrong = names.flatMap((name) => {
    const { length } = packages.filter(({ manifest }) => manifest.name === name);
    if (length === 1) return [];
    return length === 0 ? [`${name} is missing`] : [`${name} is there twice`];
  });
  return [...strangers, ...wrong];
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
  for (const found of packages) {
    const { name } = found.manifest;
    const target = targets.find(({ triple }) => nativePackageName(triple) === name);
    if (name === ROOT) problems.push(...inPackage(name, rootProblems(found, expectation, version)));
    if (target) problems.push(...inPackage(name, platformProblems(found, target, manifest)));
  }
  return problems;
}
