// The package `handrail` as it is published: what was built, its documents, and a manifest without what only this
// repository needs.
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesBelow } from '../fingerprint.mjs';
import { distFolder, root } from '../paths.mjs';
import { wasmFile } from '../wasm.mjs';
import { thirdPartyLicences } from './licences.mjs';
import { manifestText } from './manifests.mjs';

const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md'];

/** Names what is in the files of dist/, from npm and from Rust. */
const LICENCES = join('dist', 'THIRD-PARTY-LICENSES.txt');
const WASM_TARGET = 'wasm32-unknown-unknown';

/** Native files are in packages of their own; what they are typed by stays. */
function isPublished(file) {
  return /\.(js|d\.ts|txt|wasm)$/.test(file);
}

/** Relative links of a document, which lead to nothing in a package, as those of the release they belong to. */
function withAbsoluteLinks(text, address, version) {
  return text.replaceAll(/(!?)(\[[^\]]*\])\(([^)#\s]+)(#[^)\s]*)?\)/g, (link, image, label, target, anchor = '') => {
    if (!existsSync(join(root, target))) return link;
    return `${image}${label}(${address}/${image === '' ? 'blob' : 'raw'}/v${version}/${target}${anchor})`;
  });
}

/**
 * @param {string} output
 * @param {Record<string, any>} manifest as it is published
 * @param {string} [address] of the repository, for links
 * @returns {Promise<string>} the folder
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
