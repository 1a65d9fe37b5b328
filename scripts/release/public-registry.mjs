// Where npm publishes when nobody has told it otherwise: asked of npm itself, in a place without settings. Prints it when
// it is run.
import { devNull } from 'node:os';
import { pathToFileURL } from 'node:url';
import { run } from '../lib/command.mjs';
import { say } from '../lib/steps.mjs';

/** Files of settings that npm reads beside those it came with, and what stands for none. */
const NO_FILES = [`--userconfig=${devNull}`, `--globalconfig=${devNull}/none`];

/** No folder of a project, which could bring settings of its own. */
const NOWHERE = '/';

const ADDRESS = /^https:\/\/[^\s/]+\/$/;

/** The variables that npm takes for settings, taken away. */
function noSettings() {
  const names = Object.keys(process.env).filter((name) => /^npm_config_/i.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** @returns {Promise<string>} the public registry's address, whatever this machine is set up for */
export async function publicRegistry() {
  const options = { cwd: NOWHERE, env: noSettings() };
  const { code, stdout, output } = await run('npm', ['config', 'get', 'registry', ...NO_FILES], options);
  const address = stdout.trim();
  if (code === 0 && ADDRESS.test(address)) return address;
  throw new Error(`npm does not say where it publishes; run \`npm config get registry\` to see why:\n${output}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) say(await publicRegistry());
