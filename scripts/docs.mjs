// npm run docs: generates docs/api from the doc comments of all public names. `--check` changes nothing, and fails where docs/api
// differs from the comments or a public name has no comment.
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
/** typedoc and the older TypeScript that it needs are installed here: the repository's own has no JavaScript interface. */
const TOOLS_FOLDER = join(stampFolder, 'docs');

async function installTools() {
  await installDependencies();
  await installFrom(SETTINGS, TOOLS_FOLDER);
}

/** Empties `folder` and writes the reference to it. A warning of typedoc is a failure. */
async function generate(folder) {
  const typedoc = join(TOOLS_FOLDER, 'node_modules', 'typedoc', 'bin', 'typedoc');
  const plugin = join(TOOLS_FOLDER, 'node_modules', 'typedoc-plugin-markdown', 'dist', 'index.js');
  const args = ['--options', join(SETTINGS, 'typedoc.json'), '--plugin', plugin, '--out', folder];
  await must(process.execPath, [typedoc, ...args], { env: { NO_COLOR: '1' } });
  const pageOfAnchor = dividePages(folder, readFileSync(join(root, 'ts', 'index.ts'), 'utf8'));
  const entryFiles = readdirSync(join(folder, 'handrail')).sort();
  for (const file of entryFiles.map((name) => join(folder, 'handrail', name))) {
    const links = /\]\(\.\.\/handrail\.md#([^)]+)\)/g;
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(links, (_link, anchor) => `](../${pageOfAnchor(anchor)})`),
    );
  }
  const otherEntries = entryFiles.map((file) => ({
    name: `handrail/${file.replace('.md', '')}`,
    file: `handrail/${file}`,
  }));
  writeFileSync(join(folder, 'README.md'), indexPage(otherEntries));
}

/** @returns {Promise<string[]>} one line per file of docs/api that differs from the comments */
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
    const problems = await check();
    if (problems.length > 0) fail(`${problems.join('\n')}\n\`npm run docs\` writes docs/api again.`);
  } else {
    await generate(REFERENCE);
  }
} catch (error) {
  if (error instanceof CommandFailed) fail(error.message);
  throw error;
}
say(options.check ? 'docs/api agrees with the doc comments' : 'docs/api was written');
