// Stages the package `handrail`: the built files, its documents, and the published manifest.
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesBelow } from '../fingerprint.mjs';
import { distFolder, root } from '../paths.mjs';
import { wasmFile } from '../wasm.mjs';
import { thirdPartyLicences } from './licences.mjs';
import { manifestText } from './manifests.mjs';

const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md'];

/** The licences of npm packages and crates in the files of dist/. */
const LICENCES = join('dist', 'THIRD-PARTY-LICENSES.txt');
const WASM_TARGET = 'wasm32-unknown-unknown';

/** Whether a file of dist/ belongs to this package. Native files have packages of their own; their declarations stay here. */
function isPublished(file) {
  return /\.(js|d\.ts|txt|wasm)$/.test(file);
}

/** Replaces the relative links of a document, which do not work in a package, by links to the files of the release's tag. */
function withAbsoluteLinks(text, address, version) {
  return text.replaceAll(/(!?)(\[[^\]]*\])\(([^)#\s]+)(#[^)\s]*)?\)/g, (link, image, label, target, anchor = '') => {
    if (!existsSync(join(root, target))) return link;
    return `${image}${label}(${address}/${image === '' ? 'blob' : 'raw'}/v${version}/${target}${anchor})`;
  });
}

/**
 * @param {string} output
 * @param {Record<string, any>} manifest the published manifest
 * @param {string} [address] of the repository, for links
 * @returns {Promise<string>} the staging folder
 */
export async function stageRootPackage(output, manifest, address) {
  const folder = join(output, 'handrail');
  mkdirSync(folder, { recursive: true });
  for (const file of [...filesBelow(distFolder).filter(isPublished), ...DOCUMENTS.map((name) => join(root, name))]) {
    cpSync(file, join(folder, relative(root, file)));
  }
  for (const name of address === undefined ? [] : DOCUMENTS) {
    const file = join(folder, name);
    writeFileSync(file, withAbsoluteLinks(readFileSync(file, 'utf8'), address, manifest.version));
  }
  if (existsSync(wasmFile)) {
    appendFileSync(join(folder, LICENCES), `\n---\n\n${await thirdPartyLicences(WASM_TARGET, 'WASM module')}`);
  }
  for (const program of Object.values(manifest.bin)) chmodSync(join(folder, program), 0o755);
  writeFileSync(join(folder, 'package.json'), manifestText(manifest));
  return folder;
}
