import path from 'node:path';
import { readArguments } from './arguments.js';
import { TRUST } from './command-table.js';
import { EXIT } from './exit-code.js';
import type { Outputs } from './outputs.js';
import { readFileOfThisUser } from './own-file.js';
import { SETTINGS } from './settings.js';
import { findSettingsFile, readSettingsFile, SETTINGS_FILE, shownFile } from './settings-file.js';
import { trustFile } from './trust-store.js';
import { UsageError } from './usage-error.js';

/** Runs `handrail trust` and returns its exit code. */
export async function trust(args: readonly string[], outputs: Outputs): Promise<number> {
  const { words } = readArguments(args, TRUST);
  if (words.length > 1) throw new UsageError('trust takes one FILE');
  const [given] = words;
  const file = given === undefined ? findSettingsFile(process.cwd()) : path.resolve(given);
  if (file === undefined) throw new UsageError(`there is no ${SETTINGS_FILE} here or above`);
  const name = shownFile(file);
  const text = readFileOfThisUser(file, name);
  // A file that cannot be used is not trusted either.
  readSettingsFile(file, SETTINGS, true);
  trustFile(file, text);
  await outputs.write('stdout', `${name} is trusted as it is now; handrail doctor shows what it says\n`);
  return EXIT.ok;
}
