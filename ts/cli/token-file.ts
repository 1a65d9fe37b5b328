/** The file with the tokens of those who may call a server. */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, mkdirSync, writeSync } from 'node:fs';
import path from 'node:path';
import { userStateFolder } from '../config/own-folder.js';
import { isHandrailError } from '../errors.js';
import { openPrivateFile } from '../terminal/private-file.js';
import { configError, readFileOfThisUser } from './own-file.js';
import { readablePath } from './shown-path.js';
import { UsageError } from './usage-error.js';

const TOKEN_BYTES = 32;
/** The caller where a line has a token alone. */
const ONLY_CALLER = 'default';

/** Where the tokens are unless somebody says where. */
export function usualTokenFile(): string {
  const folder = userStateFolder('handrail');
  if (folder !== undefined) return path.join(folder, 'serve-tokens');
  throw configError('there is no home folder for the tokens: use --token-file');
}

/** The tokens in a file by the names of their callers. Where there is no file, it is made with one token. */
export function tokensIn(file: string, roots: readonly string[]): { tokens: Record<string, string>; wasMade: boolean } {
  const name = `--token-file ${readablePath(file)}`;
  const wasMade = !existsSync(file);
  // Before its mode is narrowed below: what others could write may be theirs.
  if (!wasMade) readFileOfThisUser(file, name);
  if (wasMade) mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  let descriptor: number | undefined;
  try {
    // It is opened for writing even where it is read: it may lie in no root, and has one name and one owner.
    descriptor = openPrivateFile({
      ...{ file, roots, option: 'token-file', shownOption: name },
      flag: constants.O_WRONLY | (wasMade ? constants.O_EXCL : constants.O_APPEND),
    });
    if (wasMade) writeSync(descriptor, `${ONLY_CALLER} ${randomBytes(TOKEN_BYTES).toString('base64url')}\n`);
  } catch (error) {
    throw isHandrailError(error) ? new UsageError(error.message) : error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  const lines = readFileOfThisUser(file, name)
    .split('\n')
    .map((line) => line.trim());
  const entries = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): [string, string] => {
      const [first = '', second, ...more] = line.split(/\s+/);
      if (more.length > 0) throw configError(`${name} has a line that is not NAME TOKEN`);
      return second === undefined ? [ONLY_CALLER, first] : [first, second];
    });
  if (entries.length === 0) throw configError(`${name} has no token`);
  if (new Set(entries.map(([caller]) => caller)).size < entries.length) throw configError(`${name} has a caller twice`);
  return { tokens: Object.fromEntries(entries), wasMade };
}
