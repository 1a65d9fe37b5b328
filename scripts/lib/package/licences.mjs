// The licences of the crates that are linked into published files.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { must } from '../command.mjs';

/** The crates of this workspace that the published files are built from. */
const PUBLISHED_CRATES = {
  'native files': ['handrail-node', 'handrail-supervisor'],
  'WASM module': ['handrail-wasm'],
};
const LICENCE_FILE = /^(licen[cs]e|copying|unlicense)/i;

/** The foreign crates that are linked into binaries, without the dependencies of tests and build scripts. */
function linkedCrates({ packages, resolve }, published) {
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const found = new Set();
  const visit = (id) => {
    if (found.has(id)) return;
    found.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) {
      if (kinds.some(({ kind }) => kind === null)) visit(pkg);
    }
  };
  for (const { id } of packages.filter(({ name }) => published.includes(name))) visit(id);
  return packages.filter(({ id, source }) => found.has(id) && source !== null);
}

/** The licence text of a crate. Where a crate offers several licences, MIT is chosen, the licence of Handrail. */
function licenceText({ repository, manifest_path: manifest }) {
  const folder = dirname(manifest);
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  const chosen = files.find((file) => /mit/i.test(file)) ?? files.sort()[0];
  if (chosen === undefined) return `(The crate comes without the text; its source is at ${repository}.)`;
  return readFileSync(join(folder, chosen), 'utf8').trim();
}

/**
 * @param {string} rust target triple as cargo knows it
 * @param {keyof PUBLISHED_CRATES} files
 */
export async function thirdPartyLicences(rust, files = 'native files') {
  const args = ['metadata', '--format-version', '1', '--locked', '--filter-platform', rust];
  const { stdout } = await must('cargo', args);
  const crates = linkedCrates(JSON.parse(stdout), PUBLISHED_CRATES[files]).sort((a, b) => (a.name < b.name ? -1 : 1));
  /** The crates of each text: many have the same. */
  const byText = new Map();
  for (const crate of crates) {
    const text = licenceText(crate);
    byText.set(text, [...(byText.get(text) ?? []), `${crate.name} ${crate.version} (${crate.license})`]);
  }
  const texts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return (
    `What is in the ${files} of Handrail: the Rust standard library (MIT OR Apache-2.0) and the following crates.\n\n` +
    texts.join('\n---\n\n')
  );
}
