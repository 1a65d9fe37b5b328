import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** The absolute path with links resolved in the part of it that exists. */
export function realPlace(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  return path.join(realPlace(path.dirname(file)), path.basename(file));
}
