/** Programs that tests need and that may not be installed. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Whether a program is in the search path. */
export function isInstalled(name: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.some((folder) => existsSync(path.join(folder, name)));
}

/** Whether tests have to fail when the program is missing, as in CI. */
export function isRequired(name: string): boolean {
  return process.env[`HANDRAIL_REQUIRE_${name.toUpperCase()}`] === '1';
}
