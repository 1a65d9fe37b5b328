// npm run docs: writes docs/api from the doc comments of what is public. `--check` changes nothing and fails where docs/api
// says something else, or where a public thing has no doc comment.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandFailed, must } from './lib/command.mjs';
import { installDependencies, installFrom } from './lib/dependencies.mjs';
import { root, stampFolder } from './lib/paths.mjs';
import { differences } from './lib/reference.mjs';
import { dividePages, indexPage } from './lib/reference-pages.mjs';
import { fail, say } from './lib/steps.mjs';

const SETTINGS = join(root, 'scripts', 'docs');
const REFERENCE = join(root, 'docs', 'api');
/** typedoc needs a TypeScript with a JavaScript interface, which this repository's has not: it has packages of its own. */
const TOOLS = join(stampFolder, 'docs');

async function installTools() {
  await installDependencies();
  await installFrom(SETTINGS, TOOLS);
}

/** Writes the reference to `folder`, which is emptied first. A warning of typedoc is a failure. */
async function generate(folder) {
  const typedoc = join(TOOLS, 'node_modules', 'typedoc', 'bin', 'typedoc');
  const plugin = join(TOOLS, 'node_modules', 'typedoc-plugin-markdown', 'dist', 'index.js');
  const args = ['--options', join(SETTINGS, 'typedoc.json'), '--plugin', plugin, '--out', folder];
  await must(process.execPath, [typedoc, ...args], { env: { NO_COLOR: '1' } });
  const place = dividePages(folder, readFileSync(join(root, 'ts', 'index.ts'), 'utf8'));
  const entries = readdirSync(join(folder, 'handrail')).sort();
  for (const file of entries.map((name) => join(folder, 'handrail', name))) {
    const links = /\]\(\.\.\/handrail\.md#([^)]+)\)/g;
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(links, (_link, anchor) => `](../${place(anchor)})`),
    );
  }
  const others = entries.map((file) => ({ name: `handrail/${file.replace('.md', '')}`, file: `handrail/${file}` }));
  writeFileSync(join(folder, 'README.md'), indexPage(others));
}

/** @returns {Promise<string[]>} what is wrong with docs/api */
async function check() {
  const scratch = mkdtempSync(join(tmpdir(), 'handrail-docs-'));
  try {
    await generate(scratch);
    return differences(scratch, REFERENCE).map((difference) => `docs/api/${difference}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readOptions() {
  try {
    return parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    return fail(error.message);
  }
}

const options = readOptions();
try {
  await installTools();
  if (options.check) {
    const found = await check();
    if (found.length > 0) fail(`${found.join('\n')}\n\`npm run docs\` writes docs/api again.`);
  } else {
    await generate(REFERENCE);
  }
} catch (error) {
  if (error instanceof CommandFailed) fail(error.message);
  throw error;
}
say(options.check ? 'docs/api is what the doc comments say' : 'docs/api was written');
