// npm run docs: writes docs/api from the doc comments of what is public. `--check` changes nothing and fails where docs/api
// says something else, or where a public thing has no doc comment.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandFailed, must } from './lib/command.mjs';
import { installDependencies } from './lib/dependencies.mjs';
import { filesBelow } from './lib/fingerprint.mjs';
import { root, stampFolder } from './lib/paths.mjs';
import { fail, say } from './lib/steps.mjs';

const SETTINGS = join(root, 'scripts', 'docs');
const REFERENCE = join(root, 'docs', 'api');
/** typedoc needs a TypeScript with a JavaScript interface, which this repository's has not: it has packages of its own. */
const TOOLS = join(stampFolder, 'docs');

async function installTools() {
  mkdirSync(TOOLS, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(SETTINGS, name), join(TOOLS, name));
  await installDependencies();
  await installDependencies(TOOLS);
}

/** Writes the reference to `folder`, which is emptied first. A warning of typedoc is a failure. */
async function generate(folder) {
  const typedoc = join(TOOLS, 'node_modules', 'typedoc', 'bin', 'typedoc');
  const plugin = join(TOOLS, 'node_modules', 'typedoc-plugin-markdown', 'dist', 'index.js');
  const args = ['--options', join(SETTINGS, 'typedoc.json'), '--plugin', plugin, '--out', folder];
  await must(process.execPath, [typedoc, ...args], { env: { NO_COLOR: '1' } });
}

/** @returns {Map<string, string>} texts by path below `folder`, none when there is no such folder */
function textsOf(folder) {
  return new Map(filesBelow(folder).map((file) => [relative(folder, file), readFileSync(file, 'utf8')]));
}

/** The first line in which two texts differ, counted from 1. */
function firstDifference(left, right) {
  const others = right.split('\n');
  const lines = left.split('\n');
  const index = lines.findIndex((line, at) => line !== others[at]);
  return (index === -1 ? lines.length : index) + 1;
}

/** @returns {string[]} one line per file that is not what it should be */
function differences(wanted, found) {
  const names = [...new Set([...wanted.keys(), ...found.keys()])].sort();
  return names.flatMap((name) => {
    const should = wanted.get(name);
    const is = found.get(name);
    if (should === is) return [];
    if (should === undefined) return [`docs/api/${name}: no longer part of the reference`];
    if (is === undefined) return [`docs/api/${name}: missing`];
    return [`docs/api/${name}:${firstDifference(should, is)}: differs from the doc comments`];
  });
}

/** @returns {Promise<string[]>} what is wrong with docs/api */
async function check() {
  const scratch = mkdtempSync(join(tmpdir(), 'handrail-docs-'));
  try {
    await generate(scratch);
    return differences(textsOf(scratch), textsOf(REFERENCE));
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
