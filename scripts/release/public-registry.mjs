// Finds npm's default registry by running npm without any settings. As a program, it prints the address.
import { devNull } from 'node:os';
import { pathToFileURL } from 'node:url';
import { run } from '../lib/command.mjs';
import { say } from '../lib/steps.mjs';

/** Makes npm read no settings of the user or of the machine. */
const NO_SETTINGS_FILES = [`--userconfig=${devNull}`, `--globalconfig=${devNull}/none`];

/** A folder without project settings. */
const NEUTRAL_FOLDER = '/';

const ADDRESS = /^https:\/\/[^\s/]+\/$/;

/** Removes the environment variables that npm reads as settings. */
function withoutNpmVariables() {
  const names = Object.keys(process.env).filter((name) => /^npm_config_/i.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** @returns {Promise<string>} the public registry's address, independent of the settings of this machine */
export async function publicRegistry() {
  const options = { cwd: NEUTRAL_FOLDER, env: withoutNpmVariables() };
  const { code, stdout, output } = await run('npm', ['config', 'get', 'registry', ...NO_SETTINGS_FILES], options);
  const address = stdout.trim();
  if (code === 0 && ADDRESS.test(address)) return address;
  throw new Error(`npm does not say where it publishes; run \`npm config get registry\` to see why:\n${output}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) say(await publicRegistry());
